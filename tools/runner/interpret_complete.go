package runner

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"tricode/approval/shell"
)

// complete makes a tree do what bash does and the interpreter does not, by calls that only this package answers: jobs
// with a process that can be waited for and killed, times on standard error, $(<file) within bounds. What runs, with
// which words and in which order, stays as it was.
func (s *session) complete(file *syntax.File) (changed bool) {
	c := &completer{
		session: s, strict: s.strict(file), spawns: s.spawns(file), numeric: numbers(file), checked: map[*syntax.Word]bool{},
		bodies: map[*syntax.Block]bool{}, done: map[*syntax.ParamExp]bool{}, ignored: map[*syntax.Subshell]bool{}, ours: map[*syntax.BinaryCmd]bool{}, loops: map[syntax.Node]bool{}, steps: map[syntax.Command]bool{}, kept: map[syntax.Node]bool{},
	}
	c.takes, c.traps = c.trapsSignals(), c.trapsFailures()
	c.guard(file)
	if !c.traps {
		c.keep(file.Stmts...)
	}
	file.Stmts = c.list(file.Stmts)
	syntax.Walk(file, func(n syntax.Node) bool {
		c.keys(n)
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
	strict  bool                  // something may set errexit
	spawns  bool                  // something may start a job
	takes   bool                  // something may set a trap for a signal
	traps   bool                  // something may set one for ERR
	numeric values                // names that hold numbers only
	checked map[*syntax.Word]bool // operands
	ours    map[*syntax.BinaryCmd]bool
	ignored map[*syntax.Subshell]bool // where errexit does not count
	done    map[*syntax.ParamExp]bool
	bodies  map[*syntax.Block]bool // of functions
	loops   map[syntax.Node]bool   // that keep the status of their bodies
	steps   map[syntax.Command]bool
	kept    map[syntax.Node]bool // what ends with the status of a list
	changed bool
}

func (c *completer) visit(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.FuncDecl:
		c.function(n)
	case *syntax.Block:
		n.Stmts = c.list(n.Stmts)
		if !c.bodies[n] {
			c.last(n, n.Stmts)
		} else {
			c.unknowing(n)
		}
	case *syntax.Subshell:
		c.keep(n.Stmts...)
		n.Stmts = c.apart(n.Stmts)
		if c.ignored[n] {
			n.Stmts, c.changed = slices.Insert(n.Stmts, 0, special("lenient")), true
		}
	case *syntax.IfClause:
		n.Cond, n.Then = c.list(n.Cond), c.list(n.Then)
		c.ignore(n.Cond...)
		c.keep(n.Cond...)
		c.last(n, n.Then)
	case *syntax.WhileClause:
		n.Cond, n.Do = c.list(n.Cond), c.list(n.Do)
		c.ignore(n.Cond...)
		c.keep(n.Cond...)
		c.last(n, n.Do)
	case *syntax.ForClause:
		n.Do = c.list(n.Do)
		c.last(n, n.Do)
	case *syntax.CaseItem:
		c.dashes(n.Patterns...)
		n.Stmts = c.list(n.Stmts)
		c.last(n, n.Stmts)
	case *syntax.CmdSubst:
		c.keep(n.Stmts...)
		c.substitution(n)
	case *syntax.ProcSubst:
		n.Stmts = c.apart(n.Stmts)
		c.feeds()
	case *syntax.BinaryCmd:
		if (n.Op == syntax.AndStmt || n.Op == syntax.OrStmt) && !c.ours[n] {
			c.ignore(n.X)
		}
		c.keep(n.X) // a condition, or the first part of a pipeline
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
	case *syntax.DeclClause:
		c.together(n)
	case *syntax.ParamExp:
		c.there(n)
		switch {
		case n.Param == nil || n.Excl:
		case n.Param.Value == "!":
			n.Param, n.Short, c.changed = &syntax.Lit{Value: lastJob}, false, true
		case n.Param.Value == "_":
			n.Param, n.Short, c.changed = &syntax.Lit{Value: lastArgument}, false, true
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
	c.returns(n.Body, false)
	c.leaps(n.Body, 0)
	c.keep(n.Body)
	if b, ok := n.Body.Cmd.(*syntax.Block); ok {
		c.bodies[b] = true
	}
}

// returns makes return an exit where a part of a function has a shell of its own: the interpreter forgets there that it is in
// one.
func (c *completer) returns(body syntax.Node, apart bool) {
	syntax.Walk(body, func(n syntax.Node) bool {
		inner := false
		switch n := n.(type) {
		case *syntax.FuncDecl:
			return false
		case *syntax.CallExpr:
			if apart && len(n.Args) > 0 && n.Args[0].Lit() == "return" {
				n.Args[0], c.changed = literal("exit"), true
			}
		case *syntax.Stmt:
			inner = n.Background
		case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
			inner = true
		case *syntax.BinaryCmd:
			inner = n.Op == syntax.Pipe || n.Op == syntax.PipeAll
		}
		if inner && !apart {
			c.returns(n, true)
		}
		return !inner || apart
	})
}

func (c *completer) statement(n *syntax.Stmt) {
	if n.Negated {
		c.ignore(&syntax.Stmt{Cmd: n.Cmd})
		c.negated(n)
	}
	c.functionNames(n)
	c.hoist(n)
	c.outside(n)
	c.failures(n)
	c.redirects(n)
	c.element(n)
	c.through(n)
	c.loop(n)
	c.statuses(n)
	if t, ok := n.Cmd.(*syntax.TimeClause); ok {
		c.time(n, t)
	}
}

// lastJob and ownJob are the variables that hold the process of the last job, which is $!, and the job that runs;
// lastArgument is $_.
const (
	lastJob      = "TRICODE_LAST_JOB"
	ownJob       = "TRICODE_OWN_JOB"
	lastArgument = "TRICODE_LAST_ARGUMENT"
)

// list takes signals before each statement, and surrounds what runs in the background.
func (c *completer) list(stmts []*syntax.Stmt) []*syntax.Stmt {
	if !c.takes || len(stmts) == 0 {
		return c.apart(stmts)
	}
	c.changed = true
	var all []*syntax.Stmt
	for _, st := range stmts {
		all = append(append(all, taken()), c.apart([]*syntax.Stmt{st})...)
	}
	return all
}

// apart surrounds what runs in the background. Signals to the shell are not for a part of it.
func (c *completer) apart(stmts []*syntax.Stmt) []*syntax.Stmt {
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
		body := c.then(stmt(within(&inner)), "done")
		outputs := inherits(st)
		job := &syntax.Stmt{Position: st.Position, Cmd: &syntax.Block{Stmts: []*syntax.Stmt{body}}, Background: true}
		for _, number := range outputs {
			job.Redirs = append(job.Redirs, &syntax.Redirect{Op: syntax.RdrOut, N: &syntax.Lit{Value: number}, Word: literal(ownName + number)})
		}
		all = append(all, special("spawn", outputs...), job, special("spawned"))
	}
	return all
}

// inherits lists the outputs that a statement does not redirect itself.
func inherits(st *syntax.Stmt) (numbers []string) {
	for _, number := range [...]string{"1", "2"} {
		if !slices.ContainsFunc(st.Redirs, func(r *syntax.Redirect) bool {
			return strconv.Itoa(shell.Descriptor(r)) == number || r.Op == syntax.RdrAll || r.Op == syntax.AppAll
		}) {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// then calls something after a statement, whatever its status.
func (c *completer) then(st *syntax.Stmt, name string, args ...string) *syntax.Stmt {
	and := &syntax.BinaryCmd{Op: syntax.AndStmt, X: st, Y: special(name, args...)}
	or := &syntax.BinaryCmd{Op: syntax.OrStmt, X: stmt(and), Y: special(name, args...)}
	c.ours[and], c.ours[or] = true, true
	return stmt(or)
}

// within is a shell for some statements. It stands where they do, or a parenthesis behind its own would be printed as arithmetic.
func within(stmts ...*syntax.Stmt) *syntax.Subshell {
	return &syntax.Subshell{Lparen: stmts[0].Pos(), Rparen: stmts[len(stmts)-1].End(), Stmts: stmts}
}

func stmt(cmd syntax.Command) *syntax.Stmt { return &syntax.Stmt{Cmd: cmd} }

// isSpecial reports whether a statement is such a call.
func isSpecial(st *syntax.Stmt, name string) bool {
	call, ok := st.Cmd.(*syntax.CallExpr)
	return ok && len(call.Args) > 0 && call.Args[0].Lit() == mark+name
}

// special is a call of what only this package answers.
func special(name string, args ...string) *syntax.Stmt {
	call := &syntax.CallExpr{}
	for _, a := range append([]string{mark + name}, args...) {
		call.Args = append(call.Args, literal(a))
	}
	return stmt(call)
}

// substitution reads $(<file) within bounds. Where there may be jobs it is read from a pipe, to whose end everybody comes who writes
// to it.
func (c *completer) substitution(n *syntax.CmdSubst) {
	if len(n.Stmts) == 1 && (isSpecial(n.Stmts[0], "number") || isSpecial(n.Stmts[0], "exactly")) {
		return
	}
	if c.spawns && len(n.Stmts) > 0 && n.Stmts[0].Cmd != nil {
		into := &syntax.Redirect{Op: syntax.RdrOut, Word: literal(captureName)}
		body := &syntax.Stmt{Cmd: within(n.Stmts...), Redirs: []*syntax.Redirect{into}}
		n.Stmts, c.changed = []*syntax.Stmt{body, special("settle")}, true
	}
	if c.strict && len(n.Stmts) > 0 && n.Stmts[0].Cmd != nil {
		n.Stmts, c.changed = slices.Insert(n.Stmts, 0, special("lenient")), true
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
