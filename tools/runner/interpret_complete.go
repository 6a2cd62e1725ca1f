package runner

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// complete makes a tree do what bash does and the interpreter does not, by calls that only this package answers: jobs
// with a process that can be waited for and killed, times on standard error, $(<file) within bounds. What runs, with
// which words and in which order, stays as it was.
func (s *session) complete(file *syntax.File) (changed bool) {
	c := &completer{session: s, strict: s.strict(file), bodies: map[*syntax.Block]bool{}, done: map[*syntax.ParamExp]bool{}, ignored: map[*syntax.Subshell]bool{}, ours: map[*syntax.BinaryCmd]bool{}, loops: map[syntax.Node]bool{}}
	file.Stmts = c.list(file.Stmts)
	syntax.Walk(file, func(n syntax.Node) bool {
		c.words(n)
		c.visit(n)
		c.arithmetic(n)
		return true
	})
	return c.changed
}

// completed is the text of a tree that is evaluated within a running script.
func (s *session) completed(text string, file *syntax.File) string {
	if !s.complete(file) {
		return text
	}
	var printed strings.Builder
	if err := syntax.NewPrinter().Print(&printed, file); err != nil {
		return text
	}
	return printed.String()
}

type completer struct {
	*session
	strict  bool // something may set errexit
	ours    map[*syntax.BinaryCmd]bool
	ignored map[*syntax.Subshell]bool // where errexit does not count
	done    map[*syntax.ParamExp]bool
	bodies  map[*syntax.Block]bool // of functions
	loops   map[syntax.Node]bool   // that keep the status of their bodies
	changed bool
}

func (c *completer) visit(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.FuncDecl:
		c.function(n)
	case *syntax.Block:
		n.Stmts = c.list(n.Stmts)
		if !c.bodies[n] {
			c.last(n.Stmts)
		}
	case *syntax.Subshell:
		n.Stmts = c.list(n.Stmts)
		if c.ignored[n] {
			n.Stmts, c.changed = slices.Insert(n.Stmts, 0, special("lenient")), true
		}
	case *syntax.IfClause:
		n.Cond, n.Then = c.list(n.Cond), c.list(n.Then)
		c.ignore(n.Cond...)
		c.last(n.Then)
	case *syntax.WhileClause:
		n.Cond, n.Do = c.list(n.Cond), c.list(n.Do)
		c.ignore(n.Cond...)
		c.last(n.Do)
	case *syntax.ForClause:
		n.Do = c.list(n.Do)
		c.last(n.Do)
	case *syntax.CaseItem:
		n.Stmts = c.list(n.Stmts)
		c.last(n.Stmts)
	case *syntax.CmdSubst:
		c.substitution(n)
	case *syntax.ProcSubst:
		n.Stmts = c.list(n.Stmts)
		c.feeds()
	case *syntax.BinaryCmd:
		if (n.Op == syntax.AndStmt || n.Op == syntax.OrStmt) && !c.ours[n] {
			c.ignore(n.X)
		}
		c.pipeline(n)
	case *syntax.Stmt:
		c.statement(n)
	case *syntax.Redirect:
		c.duplication(n)
		if n.Op == syntax.RdrClob {
			n.Op, c.changed = syntax.RdrOut, true // there is no noclobber
		}
	case *syntax.TestClause:
		n.X = c.test(n.X)
	case *syntax.ParamExp:
		if n.Param != nil && n.Param.Value == "!" && !n.Excl {
			n.Param, n.Short, c.changed = &syntax.Lit{Value: lastJob}, false, true
		}
	}
}

// function notes the name of a function.
func (c *completer) function(n *syntax.FuncDecl) {
	c.mu.Lock()
	if c.functions == nil {
		c.functions = map[string]bool{}
	}
	c.functions[n.Name.Value] = true
	c.mu.Unlock()
	c.fresh(n)
	if b, ok := n.Body.Cmd.(*syntax.Block); ok {
		c.bodies[b] = true
	}
}

func (c *completer) statement(n *syntax.Stmt) {
	if n.Negated {
		c.ignore(&syntax.Stmt{Cmd: n.Cmd})
	}
	c.hoist(n)
	c.redirects(n)
	c.element(n)
	c.loop(n)
	c.statuses(n)
	if t, ok := n.Cmd.(*syntax.TimeClause); ok {
		c.time(n, t)
	}
}

// lastJob and ownJob are the variables that hold the process of the last job, which is $!, and the job that runs.
const (
	lastJob = "TRICODE_LAST_JOB"
	ownJob  = "TRICODE_OWN_JOB"
)

// list surrounds what runs in the background.
func (c *completer) list(stmts []*syntax.Stmt) []*syntax.Stmt {
	if !slices.ContainsFunc(stmts, func(st *syntax.Stmt) bool { return st.Background }) {
		return stmts
	}
	c.changed = true
	var all []*syntax.Stmt
	for _, st := range stmts {
		if !st.Background {
			all = append(all, st)
			continue
		}
		inner := *st
		inner.Background = false
		body := c.then(stmt(&syntax.Subshell{Stmts: []*syntax.Stmt{&inner}}), "done")
		job := &syntax.Stmt{Position: st.Position, Cmd: &syntax.Block{Stmts: []*syntax.Stmt{body}}, Background: true}
		all = append(all, special("spawn"), job, special("spawned"))
	}
	return all
}

// then calls something after a statement, whatever its status.
func (c *completer) then(st *syntax.Stmt, name string, args ...string) *syntax.Stmt {
	and := &syntax.BinaryCmd{Op: syntax.AndStmt, X: st, Y: special(name, args...)}
	or := &syntax.BinaryCmd{Op: syntax.OrStmt, X: stmt(and), Y: special(name, args...)}
	c.ours[and], c.ours[or] = true, true
	return stmt(or)
}

func stmt(cmd syntax.Command) *syntax.Stmt { return &syntax.Stmt{Cmd: cmd} }

// special is a call of what only this package answers.
func special(name string, args ...string) *syntax.Stmt {
	call := &syntax.CallExpr{}
	for _, a := range append([]string{mark + name}, args...) {
		call.Args = append(call.Args, literal(a))
	}
	return stmt(call)
}

// substitution reads $(<file) within bounds, and waits for everything that may still write to it.
func (c *completer) substitution(n *syntax.CmdSubst) {
	background := slices.ContainsFunc(n.Stmts, func(st *syntax.Stmt) bool { return st.Background })
	n.Stmts = c.list(n.Stmts)
	if c.strict && len(n.Stmts) > 0 && n.Stmts[0].Cmd != nil {
		n.Stmts, c.changed = slices.Insert(n.Stmts, 0, special("lenient")), true
	}
	if background {
		n.Stmts = append(n.Stmts, special("settle"))
	}
	if len(n.Stmts) == 1 && n.Stmts[0].Cmd == nil && len(n.Stmts[0].Redirs) == 1 && n.Stmts[0].Redirs[0].Op == syntax.RdrIn {
		n.Stmts[0].Cmd = special("copy").Cmd
	}
}

// time measures what a statement takes.
func (c *completer) time(n *syntax.Stmt, t *syntax.TimeClause) {
	c.changed = true
	end := special("elapsed")
	if t.PosixFormat {
		end = special("elapsed-posix")
	}
	list := []*syntax.Stmt{special("clock"), end}
	if t.Stmt != nil {
		list = slices.Insert(list, 1, t.Stmt)
	}
	n.Cmd = &syntax.Block{Stmts: list}
}
