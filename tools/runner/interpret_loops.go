package runner

import (
	"fmt"
	"slices"
	"strconv"

	"mvdan.cc/sh/v3/syntax"
)

// loop gives a loop the status of the last command of its body, which the interpreter forgets. Where errexit or a trap
// for ERR may be set it stays 0: a list that fails there does not end the shell, but the loop would.
func (c *completer) loop(n *syntax.Stmt) {
	var body *[]*syntax.Stmt
	until := false // its body sees that the condition failed
	switch cmd := n.Cmd.(type) {
	case *syntax.WhileClause:
		body, until = &cmd.Do, cmd.Until
	case *syntax.ForClause:
		if _, ok := cmd.Loop.(*syntax.CStyleLoop); !ok {
			return
		}
		body = &cmd.Do
	default:
		return
	}
	if c.loops[n.Cmd] {
		return
	}
	c.loops[n.Cmd], c.changed = true, true
	if c.strict && !c.kept[n.Cmd] {
		if _, ok := n.Cmd.(*syntax.ForClause); ok {
			*body = append(*body, special("fine")) // it would end where its last command fails
		}
		return
	}
	c.mu.Lock()
	c.looped++
	name := "TRICODE_LOOP_" + strconv.Itoa(c.looped)
	c.mu.Unlock()
	number := func(value string) *syntax.Stmt { return assigned(name, &syntax.Lit{Value: value}) }
	status := assigned(name, &syntax.ParamExp{Short: true, Param: &syntax.Lit{Value: "?"}})
	if *body = append(*body, status); !until {
		*body = slices.Insert(*body, 0, number("0"))
	}
	end := special("end")
	call := end.Cmd.(*syntax.CallExpr)
	call.Args = append(call.Args, &syntax.Word{Parts: []syntax.WordPart{&syntax.ParamExp{Short: true, Param: &syntax.Lit{Value: name}}}})
	n.Cmd = &syntax.Block{Stmts: []*syntax.Stmt{number("0"), stmt(n.Cmd), end}}
}

// leaps keeps break and continue within a function: they do not leave the loops that it is called from.
func (c *completer) leaps(body syntax.Node, depth int) {
	syntax.Walk(body, func(n syntax.Node) bool {
		switch inner := n.(type) {
		case *syntax.FuncDecl:
			return false
		case *syntax.ForClause, *syntax.WhileClause:
			if n != body {
				c.leaps(n, depth+1)
				return false
			}
		case *syntax.CallExpr:
			c.leap(inner, depth)
		}
		return true
	})
}

func (c *completer) leap(n *syntax.CallExpr, depth int) {
	if len(n.Args) == 0 || n.Args[0].Lit() != "break" && n.Args[0].Lit() != "continue" {
		return
	}
	if depth == 0 {
		n.Args, c.changed = special("loopless", n.Args[0].Lit()).Cmd.(*syntax.CallExpr).Args, true
	} else if len(n.Args) > 1 && atoi(n.Args[1].Lit()) > depth {
		n.Args[1], c.changed = literal(strconv.Itoa(depth)), true
	}
}

// loopless is break or continue without a loop.
func loopless(c call) error {
	fmt.Fprintf(c.hc.Stderr, "%s: %s: only meaningful in a loop\n", c.zero, c.args[0])
	return nil
}

// end is the status that a loop ends with.
func end(c call) error { return exit(atoi(c.args[0])) }
