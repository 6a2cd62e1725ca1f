package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// loop follows a body that may run any number of times, each time after head.
func (w *walker) loop(body []*syntax.Stmt, head func()) {
	before := w.state.clone()
	for _, s := range body {
		w.unset(s)
	}
	start := w.state.clone()
	head()
	w.statements(body)
	w.state.land()
	if w.state.differs(start) { // what was known in this round need not be so in the next
		w.state.forget()
		if !slices.Equal(start.dirs, w.state.dirs) {
			w.state.dirs = nil
		}
		if !slices.Equal(start.args, w.state.args) {
			w.state.args = nil
		}
		head()
		w.statements(body)
		w.state.land()
	}
	w.state.merge(before)
}

// unset gives up what is known about the variables that a statement plainly sets.
func (w *walker) unset(s *syntax.Stmt) {
	syntax.Walk(s, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil {
				w.state.set(n.Name.Value, value{tame: w.counts(n)})
			}
		case *syntax.WordIter:
			w.state.set(n.Name.Value, value{})
		case *syntax.CallExpr: // read x
			for _, arg := range n.Args {
				if _, set := w.state.vars[arg.Lit()]; set {
					w.state.set(arg.Lit(), value{})
				}
			}
		case *syntax.ArithmCmd, *syntax.ArithmExp, *syntax.CStyleLoop:
			w.unsetArithmetic(n)
		}
		return true
	})
}

// counts reports whether an assignment can only make a number: i=$((i+1)) where i is one.
func (w *walker) counts(a *syntax.Assign) bool {
	if a.Append || a.Index != nil || a.Array != nil || a.Value == nil || len(a.Value.Parts) != 1 || !numeric(w.lookup(a.Name.Value)) {
		return false
	}
	_, ok := a.Value.Parts[0].(*syntax.ArithmExp)
	return ok
}

// unsetArithmetic keeps of the variables in an arithmetic expression only that they are numbers.
func (w *walker) unsetArithmetic(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if lit, ok := n.(*syntax.Lit); ok {
			if v, set := w.state.vars[lit.Value]; set {
				w.state.set(lit.Value, value{tame: numeric(v)})
			}
		}
		return true
	})
}

// maxRounds is how many rounds of a loop over known words are followed one by one.
const maxRounds = 32

func (w *walker) forClause(c *syntax.ForClause) {
	iter, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		loop := c.Loop.(*syntax.CStyleLoop)
		w.arithmetic(loop.Init)
		w.loop(c.Do, func() { w.arithmetic(loop.Cond); w.arithmetic(loop.Post) })
		return
	}
	items := w.fields(iter.Items)
	known := iter.InPos.IsValid() && !c.Select && len(items) <= maxRounds
	for _, item := range items {
		known = known && item.known
	}
	if !known {
		name := value{}
		if len(items) == 1 {
			name.from = items[0].from
		}
		w.loop(c.Do, func() { w.assigned(iter.Name.Value, name) })
		return
	}
	before := w.state.clone()
	for _, item := range items {
		w.assigned(iter.Name.Value, value{text: item.text, known: true})
		w.statements(c.Do)
		w.state.land()
	}
	if len(items) == 0 {
		w.loop(c.Do, func() {})
	}
	w.state.merge(before)
}
