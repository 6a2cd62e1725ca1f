package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"tricode/approval"
)

func (w *walker) binary(c *syntax.BinaryCmd) {
	switch c.Op {
	case syntax.AndStmt:
		w.state.merge(w.and(c))
	case syntax.OrStmt:
		w.statement(c.X)
		before := w.state.clone()
		w.statement(c.Y)
		w.state.merge(before)
	default:
		w.pipe(c)
	}
}

// and follows a chain of &&, in a state where all before has succeeded, and returns what holds where it broke off.
func (w *walker) and(c *syntax.BinaryCmd) *state {
	var broken *state
	x, chained := c.X.Cmd.(*syntax.BinaryCmd)
	if chained && x.Op == syntax.AndStmt && len(c.X.Redirs) == 0 && !c.X.Negated && !c.X.Background && w.spend() {
		broken = w.and(x)
		broken.merge(w.state)
	} else {
		w.statement(c.X)
		broken = w.state.clone()
	}
	w.statement(c.Y)
	return broken
}

func (w *walker) pipe(c *syntax.BinaryCmd) {
	before, behind, lister, fed, download := w.enter(), w.behind, w.lister, w.fed, w.download
	start := len(w.out.Subjects)
	w.statement(c.X)
	w.leave(before)
	w.enter()
	w.behind, w.lister, w.fed = true, lists(c.X), feed{c.X, start, len(w.out.Subjects)}
	w.download = download || w.reached(start)
	w.statement(c.Y)
	w.behind, w.lister, w.fed, w.download = behind, lister, fed, download
	w.leave(before)
}

// reached reports whether a subject from start on reaches another machine.
func (w *walker) reached(start int) bool {
	return slices.ContainsFunc(w.out.Subjects[start:], func(s approval.Subject) bool { return s.Effects.Has(approval.Network) })
}

// process follows <(…) and >(…).
func (w *walker) process(p *syntax.ProcSubst) {
	before, behind, lister := w.enter(), w.behind, w.lister
	w.behind, w.lister = w.behind || p.Op == syntax.CmdOut, nil
	w.statements(p.Stmts)
	w.behind, w.lister = behind, lister
	w.leave(before)
}
