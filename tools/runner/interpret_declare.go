package runner

import (
	"slices"
	"strings"

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

// fresh makes a variable that a function declares without a value begin without one: the interpreter would give it
// what a variable of that name holds outside.
func (c *completer) fresh(f *syntax.FuncDecl) {
	syntax.Walk(f.Body, func(n syntax.Node) bool {
		if st, ok := n.(*syntax.Stmt); ok {
			if d, ok := st.Cmd.(*syntax.DeclClause); ok {
				c.local(st, d)
			}
		}
		return true
	})
}

// local unsets what a declaration leaves without a value, when it is declared with one.
func (c *completer) local(st *syntax.Stmt, d *syntax.DeclClause) {
	if d.Variant.Value != "local" && d.Variant.Value != "declare" && d.Variant.Value != "typeset" {
		return
	}
	array := false
	for _, a := range d.Args {
		if a.Name == nil && a.Value != nil {
			if strings.Trim(a.Value.Lit(), "-aA") != "" {
				return
			}
			array = true
		}
	}
	var unset []string
	for _, a := range d.Args {
		if a.Name == nil || !a.Naked {
			continue
		}
		a.Naked, c.changed = false, true
		switch {
		case array:
			a.Array = &syntax.ArrayExpr{}
		case a.Name.Value == "OPTIND":
			a.Value = literal("1")
		default:
			a.Value, unset = &syntax.Word{Parts: []syntax.WordPart{&syntax.SglQuoted{}}}, append(unset, a.Name.Value)
		}
	}
	if len(unset) > 0 {
		st.Cmd = &syntax.Block{Stmts: []*syntax.Stmt{stmt(d), special("unset", unset...)}}
	}
}

// unset makes variables ones without a value.
func unset(c call) error { return c.native(append([]string{"unset", "-v"}, c.args...)...) }
