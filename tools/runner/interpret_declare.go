package runner

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// together makes a declaration like local a=$1 b=$a use what a was before, as bash does, which expands all words first: what
// uses a name stands before what assigns it.
func (c *completer) together(d *syntax.DeclClause) {
	var options, assigns []*syntax.Assign
	later := false
	for i, a := range d.Args {
		if a.Name == nil || a.Value == nil && a.Array == nil {
			options = append(options, a)
			continue
		}
		assigns = append(assigns, a)
		later = later || slices.ContainsFunc(d.Args[:i], func(before *syntax.Assign) bool { return before.Name != nil && uses(a, before.Name.Value) })
	}
	if later {
		slices.Reverse(assigns)
		d.Args, c.changed = append(options, assigns...), true
	}
}

// uses reports whether the value of an assignment asks for a variable.
func uses(a *syntax.Assign, name string) (found bool) {
	look := func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.ParamExp:
			found = found || n.Param != nil && n.Param.Value == name
		case *syntax.ArithmExp:
			syntax.Walk(n.X, func(n syntax.Node) bool {
				w, ok := n.(*syntax.Word)
				found = found || ok && w.Lit() == name
				return true
			})
		}
		return !found
	}
	if a.Value != nil {
		syntax.Walk(a.Value, look)
	}
	if a.Array != nil {
		syntax.Walk(a.Array, look)
	}
	return found
}
