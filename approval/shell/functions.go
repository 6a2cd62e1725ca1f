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
	name := c.Name.Value
	if _, reading := readers[name]; reading || builtinName(name) || name == "command_not_found_handle" {
		w.opaqueNode(c, "a function takes the place of a command")
	}
	switch itself, beside := callsItself(c); {
	case beside:
		w.add(approval.Subject{Effects: approval.Exec | approval.Dangerous, Args: []string{w.slice(c)}, Why: "starts itself again and again"})
	case itself:
		w.add(approval.Subject{Effects: approval.Exec, Args: []string{w.slice(c)}, Why: "a function calls itself, perhaps without end"})
	}
	w.state.define(name, c.Body)
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

// callFunction follows the body of a function with the words it is called with.
func (w *walker) callFunction(body *syntax.Stmt, ws []word) {
	args, depth := w.state.args, w.state.depth
	if depth >= maxCalls {
		w.unset(body) // it was followed at its definition
		w.state.dirs = nil
		return
	}
	w.state.args, w.state.depth = ws[1:], depth+1
	w.statement(body)
	w.state.args, w.state.depth = args, depth
}
