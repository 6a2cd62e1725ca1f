package runner

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"tricode/approval/shell"
)

// The words of a command are expanded before its redirects count; the interpreter does it the other way round. So what is
// substituted in the words gets back the input and the errors that there were before.
const (
	outsideVar  = "TRICODE_OUTSIDE_" // what it was before the command, by number
	outsideName = mark + "outside_"  // a redirect to it is one to that
)

// outside gives the substitutions of a command with redirects the files of the shell around it.
func (c *completer) outside(n *syntax.Stmt) {
	var numbers []string
	for _, r := range n.Redirs {
		number := strconv.Itoa(shell.Descriptor(r))
		if r.Op == syntax.RdrAll || r.Op == syntax.AppAll {
			number = "2"
		}
		if (number == "0" || number == "2") && !slices.Contains(numbers, number) {
			numbers = append(numbers, number)
		}
	}
	bodies := substitutions(n.Cmd, len(numbers) == 1 && numbers[0] == "0")
	if len(numbers) == 0 || len(bodies) == 0 {
		return
	}
	for body, fed := range bodies {
		inner := &syntax.Stmt{Cmd: &syntax.Block{Stmts: *body}}
		for _, number := range numbers {
			if fed && number == "0" {
				continue
			}
			r := &syntax.Redirect{Op: syntax.RdrOut, N: &syntax.Lit{Value: number}, Word: literal(outsideName + number)}
			if number == "0" {
				r.Op, r.N = syntax.RdrIn, nil
			}
			inner.Redirs = append(inner.Redirs, r)
		}
		*body = []*syntax.Stmt{inner}
	}
	c.after(n, special("outside", numbers...))
}

// substitutions are the bodies of what is substituted in the words of a command and does not have its files yet, and whether
// they have an input of their own, as those of >( ) have. If only the input counts these are left out.
func substitutions(cmd syntax.Command, input bool) (bodies map[*[]*syntax.Stmt]bool) {
	bodies = map[*[]*syntax.Stmt]bool{}
	switch cmd.(type) {
	case *syntax.CallExpr, *syntax.DeclClause:
	default:
		return nil
	}
	syntax.Walk(cmd, func(n syntax.Node) bool {
		var body *[]*syntax.Stmt
		fed := false
		switch n := n.(type) {
		case *syntax.CmdSubst:
			body = &n.Stmts
		case *syntax.ProcSubst:
			body, fed = &n.Stmts, n.Op == syntax.CmdOut
		default:
			return true
		}
		if st := *body; len(st) > 0 && st[0].Cmd != nil && !slices.ContainsFunc(st[0].Redirs, func(r *syntax.Redirect) bool {
			return strings.HasPrefix(r.Word.Lit(), outsideName)
		}) {
			if !fed || !input {
				bodies[body] = fed
			}
		}
		return false
	})
	return bodies
}

// outside notes files of the shell for what the next command substitutes.
func outside(c call) error {
	for _, number := range c.args {
		f, err := c.file(c.hc, atoi(number))
		if err != nil {
			f = opened{closed: true}
		}
		f.lent = true
		name := outsideVar + number
		if c.same(c.hc.Env.Get(name).Str, f) {
			continue
		}
		if err := c.assign(name, strconv.Itoa(c.session.hold(f))); err != nil {
			return err
		}
	}
	return c.status()
}

// same reports whether a file is held already, as in a loop: what is held is held to the end.
func (s *session) same(id string, f opened) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, err := strconv.Atoi(id)
	return err == nil && i < len(s.held) && s.held[i] == f
}

// outer opens what outside noted.
func (s *subshell) outer(hc interp.HandlerContext, number string) (opened, error) {
	id, err := strconv.Atoi(hc.Env.Get(outsideVar + number).Str)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || id >= len(s.held) || s.held[id].closed {
		f, err := os.Open(os.DevNull)
		return opened{file: f}, err
	}
	return s.held[id], nil
}
