package runner

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"tricode/approval/shell"
)

// redirects makes the redirects of a statement ones that the interpreter knows. Those of files beyond the first three
// become calls around the statement, in the order in which they stand.
func (c *completer) redirects(n *syntax.Stmt) {
	beyond := false
	for _, r := range n.Redirs {
		beyond = c.duplication(r) || beyond
	}
	if !beyond {
		return
	}
	c.changed = true
	if call, ok := n.Cmd.(*syntax.CallExpr); ok && len(call.Args) == 1 && call.Args[0].Lit() == "exec" && len(call.Assigns) == 0 {
		n.Cmd, n.Redirs = c.forGood(n.Redirs, call), nil
		return
	}
	inner := &syntax.Stmt{Position: n.Position, Cmd: n.Cmd}
	if inner.Cmd == nil {
		inner = special("fine")
	}
	for _, r := range slices.Backward(n.Redirs) {
		if shell.Descriptor(r) <= 2 {
			inner = behind(inner, r)
			continue
		}
		number := r.N.Value
		open := opening(r, "once")
		inner = behind(inner, &syntax.Redirect{Op: syntax.RdrOut, Word: literal(keepName + number)})
		list := []*syntax.Stmt{open, inner}
		if !c.strict {
			and := &syntax.BinaryCmd{Op: syntax.AndStmt, X: open, Y: inner}
			c.ours[and] = true
			list = []*syntax.Stmt{stmt(and)}
		}
		inner = stmt(&syntax.Block{Stmts: list})
	}
	n.Cmd, n.Redirs = inner.Cmd, inner.Redirs
}

// behind gives a statement one more redirect, which comes before its others.
func behind(st *syntax.Stmt, r *syntax.Redirect) *syntax.Stmt {
	return &syntax.Stmt{Cmd: &syntax.Block{Stmts: []*syntax.Stmt{st}}, Redirs: []*syntax.Redirect{r}}
}

func literal(text string) *syntax.Word {
	return &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: text}}}
}

// forGood is exec with redirects: the shell keeps them.
func (c *completer) forGood(redirects []*syntax.Redirect, exec *syntax.CallExpr) syntax.Command {
	var list []*syntax.Stmt
	for _, r := range redirects {
		if shell.Descriptor(r) > 2 {
			list = append(list, opening(r, "good"))
		} else {
			list = append(list, &syntax.Stmt{Cmd: exec, Redirs: []*syntax.Redirect{r}})
		}
	}
	return &syntax.Block{Stmts: list}
}

// opening is the call that opens what a redirect of a file beyond the first three opens.
func opening(r *syntax.Redirect, long string) *syntax.Stmt {
	if r.Op == syntax.DplOut || r.Op == syntax.DplIn {
		return special("hold", r.N.Value, "none", long)
	}
	direction := "out"
	switch r.Op {
	case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		direction = "in"
	}
	open := special("hold", r.N.Value, direction, long)
	own := *r
	own.N = nil
	open.Redirs = []*syntax.Redirect{&own}
	return open
}

// duplication makes a copy of another file, which the interpreter knows for the first three only, one of what /dev/fd
// names. It reports whether the file that is redirected is one beyond the first three.
func (c *completer) duplication(r *syntax.Redirect) (beyond bool) {
	beyond = shell.Descriptor(r) > 2
	if r.Op != syntax.DplOut && r.Op != syntax.DplIn {
		return beyond
	}
	word := r.Word.Lit()
	if word == "-" || !beyond && r.Op == syntax.DplOut && (word == "1" || word == "2") {
		return beyond
	}
	c.changed = true
	if r.Op == syntax.DplOut && r.N == nil && word != "" && strings.Trim(word, "0123456789") != "" {
		r.Op = syntax.RdrAll
		return beyond
	}
	op := syntax.RdrOut
	if !beyond && shell.Descriptor(r) == 0 || beyond && (r.Op == syntax.DplIn || word == "0") {
		op = syntax.RdrIn
	}
	r.Op, r.Word = op, &syntax.Word{Parts: slices.Concat([]syntax.WordPart{&syntax.Lit{Value: "/dev/fd/"}}, r.Word.Parts)}
	return beyond
}
