package shell

import (
	"mvdan.cc/sh/v3/syntax"

	"tricode/approval"
)

// function follows the body once, since nobody knows who calls it, and remembers it.
func (w *walker) function(c *syntax.FuncDecl) {
	if c.Name == nil {
		w.opaqueNode(c, "this kind of command cannot be analysed")
		return
	}
	if _, chain := c.Body.Cmd.(*syntax.BinaryCmd); chain || c.Body.Negated || c.Body.Background { // f() { :; } && x: for a shell the body ends before
		w.opaqueNode(c, "shells and the parser disagree about where the function ends")
	}
	name := c.Name.Value
	if _, reading := readers()[name]; reading || builtinName(name) || listed("git find fd fdfind command_not_found_handle", name) {
		w.opaqueNode(c, "a function takes the place of a command")
	}
	switch itself, beside := callsItself(c); {
	case beside:
		w.add(approval.Subject{Effects: approval.Exec | approval.Dangerous, Args: []string{w.slice(c)}, Why: "starts itself again and again"})
	case itself:
		w.add(approval.Subject{Effects: approval.Exec, Args: []string{w.slice(c)}, Why: "a function calls itself, perhaps without end"})
	}
	w.state.define(name, function{bodies: []*syntax.Stmt{c.Body}})
	before := w.enter()
	w.state.args, w.state.depth = nil, maxCalls
	w.unset(c.Body)
	w.statement(c.Body)
	w.leave(before)
}

// callsItself reports whether a function runs itself, and whether it does so beside itself.
func callsItself(c *syntax.FuncDecl) (itself, beside bool) {
	syntax.Walk(c.Body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			beside = beside || n.Background
		case *syntax.BinaryCmd:
			beside = beside || n.Op == syntax.Pipe
		case *syntax.CallExpr:
			itself = itself || len(n.Args) > 0 && n.Args[0].Lit() == c.Name.Value
		}
		return true
	})
	return itself, itself && beside
}

// maxCalls is how deep calls of functions are followed.
const maxCalls = 4

// callFunction follows the bodies that a function may have with the words it is called with.
func (w *walker) callFunction(f function, ws []word) {
	if w.state.depth >= maxCalls {
		for _, body := range f.bodies {
			w.unset(body) // it was followed at its definition
		}
		w.state.dirs = nil
		return
	}
	before := w.state
	var after *state
	for _, body := range f.bodies {
		w.state = before.clone()
		w.callBody(body, ws)
		if after != nil {
			w.state.merge(after)
		}
		after = w.state
	}
}

func (w *walker) callBody(body *syntax.Stmt, ws []word) {
	args, depth, locals := w.state.args, w.state.depth, w.state.locals
	w.state.args, w.state.depth, w.state.locals = ws[1:], depth+1, nil
	w.statement(body)
	w.state.land()
	for name, outside := range w.state.locals {
		if delete(w.state.vars, name); outside.set {
			w.state.set(name, outside.value)
		}
	}
	w.state.args, w.state.depth, w.state.locals = args, depth, locals
}
