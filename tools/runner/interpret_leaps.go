package runner

import (
	"reflect"
	"strconv"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// guard has what follows break or continue in a list within a loop's body run only where the loop goes on: the interpreter leaves
// the body itself at once, but none of the commands within it.
func (c *completer) guard(file *syntax.File) {
	file.Stmts = c.guarded(file.Stmts)
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Block:
			n.Stmts = c.guarded(n.Stmts)
		case *syntax.IfClause:
			n.Then = c.guarded(n.Then)
		case *syntax.CaseItem:
			n.Stmts = c.guarded(n.Stmts)
		case *syntax.ForClause:
			c.stays(n)
		case *syntax.BinaryCmd:
			if n.Op == syntax.AndStmt && leaves(n.X, 0) {
				n.Y, c.changed = whileGoing(n.Y), true
			}
		}
		return true
	})
}

// stays keeps the variable of a loop that return, exit or errexit ends: the interpreter gives it all values that are left.
func (c *completer) stays(n *syntax.ForClause) {
	iter, ok := n.Loop.(*syntax.WordIter)
	ends := c.strict
	syntax.Walk(n, func(inner syntax.Node) bool {
		call, ok := inner.(*syntax.CallExpr)
		ends = ends || ok && len(call.Args) > 0 && (call.Args[0].Lit() == "return" || call.Args[0].Lit() == "exit")
		return !ends
	})
	if !ok || !ends {
		return
	}
	c.mu.Lock()
	c.looped++
	name := "TRICODE_LOOP_" + strconv.Itoa(c.looped)
	c.mu.Unlock()
	value := &syntax.ParamExp{Short: true, Param: &syntax.Lit{Value: name}}
	n.Do = append([]*syntax.Stmt{assigned(iter.Name.Value, value)}, n.Do...)
	iter.Name, c.changed = &syntax.Lit{Value: name}, true
}

func (c *completer) guarded(stmts []*syntax.Stmt) []*syntax.Stmt {
	for i, st := range stmts {
		if i+1 < len(stmts) && leaves(st, 0) {
			c.changed = true
			return append(stmts[:i+1:i+1], whileGoing(stmts[i+1:]...))
		}
	}
	return stmts
}

func whileGoing(stmts ...*syntax.Stmt) *syntax.Stmt {
	return stmt(&syntax.IfClause{Cond: []*syntax.Stmt{special("going")}, Then: stmts})
}

// leaves reports whether a node may leave loops around it, beside those within it.
func leaves(node syntax.Node, loops int) (found bool) {
	syntax.Walk(node, func(n syntax.Node) bool {
		switch inner := n.(type) {
		case *syntax.FuncDecl, *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		case *syntax.ForClause, *syntax.WhileClause:
			if n != node {
				found = found || leaves(n, loops+1)
				return false
			}
		case *syntax.CallExpr:
			found = found || leapsOver(inner, loops)
		}
		return !found
	})
	return found
}

// leapsOver reports whether a call is a break or continue for more loops than some.
func leapsOver(n *syntax.CallExpr, loops int) bool {
	words := n.Args
	for len(words) > 1 && (words[0].Lit() == "command" || words[0].Lit() == "builtin") {
		words = words[1:]
	}
	if len(words) == 0 || words[0].Lit() != "break" && words[0].Lit() != "continue" {
		return len(words) > 0 && words[0].Lit() == "eval"
	}
	if len(words) == 1 {
		return loops == 0
	}
	count, err := strconv.Atoi(words[1].Lit())
	return err != nil || count > loops
}

// going fails where break or continue is to leave a loop. The interpreter has no name for that but the fields that are read here.
func going(c call) error {
	shell := reflect.ValueOf(c.hc).FieldByName("runner").Elem()
	if shell.FieldByName("breakEnclosing").Int() > 0 || shell.FieldByName("contnEnclosing").Int() > 0 {
		return interp.ExitStatus(1)
	}
	return nil
}
