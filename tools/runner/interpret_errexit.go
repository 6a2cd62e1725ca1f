package runner

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// strict reports whether a tree may set errexit, or a trap for ERR. It remembers that, and whether there are associative arrays.
func (s *session) strict(file *syntax.File) bool {
	found, unset, pipestatus, signaled, failing := false, false, false, false, false
	syntax.Walk(file, func(n syntax.Node) bool {
		if x, ok := n.(*syntax.ParamExp); ok && x.Param != nil && x.Param.Value == "PIPESTATUS" {
			pipestatus = true
		}
		if d, ok := n.(*syntax.DeclClause); ok {
			s.mapping(d)
		}
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 2 && c.Args[0].Lit() == "trap" {
			failing = failing || slices.ContainsFunc(c.Args[2:], func(w *syntax.Word) bool { return w.Lit() == "ERR" })
			signaled = signaled || slices.ContainsFunc(c.Args[2:], mayBeSignal)
		}
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 1 && c.Args[0].Lit() == "set" {
			for _, w := range c.Args[1:] {
				if w.Lit() == "--" {
					break
				}
				unset = unset || w.Lit() == "nounset" || strings.HasPrefix(w.Lit(), "-") && strings.Contains(w.Lit(), "u")
				found = found || w.Lit() == "errexit" || w.Lit() == "" || strings.HasPrefix(w.Lit(), "-") && strings.Contains(w.Lit(), "e")
			}
		}
		return true
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pipestatus, s.signaled = s.pipestatus || pipestatus, s.signaled || signaled
	s.errexit, s.failing, s.nounset = s.errexit || found || failing, s.failing || failing, s.nounset || unset
	return s.errexit
}

// last keeps errexit from ending the shell where a list like a && b is the last of a compound command: bash(1) ignores
// that it fails, the interpreter takes it for a failure of the compound command.
func (c *completer) last(within syntax.Node, stmts []*syntax.Stmt) {
	if !c.strict || len(stmts) == 0 || c.kept[within] {
		return
	}
	st := stmts[len(stmts)-1]
	if st.Background || len(st.Redirs) > 0 {
		return
	}
	list, ok := st.Cmd.(*syntax.BinaryCmd)
	switch {
	case st.Negated:
		inner := *st
		*st = syntax.Stmt{Position: st.Position, Cmd: &syntax.IfClause{Cond: []*syntax.Stmt{&inner}, Then: []*syntax.Stmt{special("fine")}}}
	case ok && list.Op == syntax.AndStmt:
		*st = syntax.Stmt{Position: st.Position, Cmd: &syntax.IfClause{Cond: []*syntax.Stmt{list.X}, Then: []*syntax.Stmt{list.Y}}}
	default:
		return
	}
	c.changed = true
}

// keep notes the compound commands that some statements end with whose status is the one of a condition, or of what fails by
// itself: a function, or a shell. There the status of a list like a && b stays, even if it ends the shell a little early.
func (c *completer) keep(stmts ...*syntax.Stmt) {
	if !c.strict || len(stmts) == 0 {
		return
	}
	switch cmd := stmts[len(stmts)-1].Cmd.(type) {
	case *syntax.Block:
		c.kept[cmd] = true
		c.keep(cmd.Stmts...)
	case *syntax.IfClause:
		for ; cmd != nil; cmd = cmd.Else {
			c.kept[cmd] = true
			c.keep(cmd.Then...)
		}
	case *syntax.CaseClause:
		for _, item := range cmd.Items {
			c.kept[item] = true
			c.keep(item.Stmts...)
		}
	case *syntax.ForClause, *syntax.WhileClause:
		c.kept[cmd] = true
	case *syntax.BinaryCmd:
		c.keep(cmd.Y)
	}
}

// ignore notes the shells within conditions, where errexit does not count: the interpreter forgets that there. So it does in
// the parts of pipelines, which become such shells.
func (c *completer) ignore(stmts ...*syntax.Stmt) {
	if !c.strict {
		return
	}
	for _, st := range stmts {
		if st.Cmd == nil {
			continue
		}
		syntax.Walk(st.Cmd, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Subshell:
				c.ignored[n] = true
			case *syntax.BinaryCmd:
				if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
					n.X, n.Y, c.changed = parted(n.X), parted(n.Y), true
				}
			case *syntax.FuncDecl, *syntax.CmdSubst:
				return false
			}
			return true
		})
	}
}

// parted is a part of a pipeline in a shell of its own.
func parted(st *syntax.Stmt) *syntax.Stmt {
	switch cmd := st.Cmd.(type) {
	case *syntax.Subshell:
		return st
	case *syntax.BinaryCmd:
		if cmd.Op == syntax.Pipe || cmd.Op == syntax.PipeAll {
			return st // it has parts itself
		}
	}
	return stmt(within(st))
}

// negated makes ! f a condition, where errexit does not count in the function either.
func (c *completer) negated(n *syntax.Stmt) {
	if !c.strict || n.Cmd == nil {
		return
	}
	and := &syntax.BinaryCmd{Op: syntax.AndStmt, X: stmt(n.Cmd), Y: special("fine")}
	n.Cmd, c.ours[and], c.changed = and, true, true
}

// lenient is how a shell begins that does not inherit errexit.
func lenient(c call) error {
	if err := c.native("set", "+e"); err != nil {
		return err
	}
	return c.status()
}
