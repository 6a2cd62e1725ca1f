package runner

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"tricode/approval/shell"
)

// keys makes the keys of associative arrays words: the parser takes m[$x,$y] and m[a-b] for arithmetic.
func (c *completer) keys(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.ParamExp:
		if n.Param != nil && n.Index != nil && c.keyed(n.Param.Value) {
			c.key(&n.Index)
		}
	case *syntax.Assign:
		if n.Name == nil || !c.keyed(n.Name.Value) {
			break
		}
		c.key(&n.Index)
		for _, e := range elements(n.Array) {
			c.key(&e.Index)
		}
	}
}

func (c *completer) key(index *syntax.ArithmExpr) {
	if _, word := (*index).(*syntax.Word); *index == nil || word {
		return
	}
	if parts, ok := spelledOut(*index); ok {
		*index, c.changed = &syntax.Word{Parts: parts}, true
	}
}

// spelledOut is the text of an expression; ok is false if that is not known.
func spelledOut(x syntax.ArithmExpr) (parts []syntax.WordPart, ok bool) {
	switch x := x.(type) {
	case *syntax.Word:
		return x.Parts, true
	case *syntax.UnaryArithm:
		parts, ok = spelledOut(x.X)
		return append([]syntax.WordPart{&syntax.Lit{Value: x.Op.String()}}, parts...), ok && !x.Post && int(x.X.Pos().Offset()-x.OpPos.Offset()) == len(x.Op.String())
	case *syntax.BinaryArithm:
		left, before := spelledOut(x.X)
		right, after := spelledOut(x.Y)
		op := x.Op.String()
		ok = before && after && x.X.End() == x.OpPos && int(x.Y.Pos().Offset()-x.OpPos.Offset()) == len(op)
		return append(append(left[:len(left):len(left)], &syntax.Lit{Value: op}), right...), ok
	}
	return nil, false
}

// through makes an assignment to an element, by a name that stands for another, one to that other: the interpreter would
// forget the other elements.
func (c *completer) through(n *syntax.Stmt) {
	call, ok := n.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) > 0 || !slices.ContainsFunc(call.Assigns, c.refers) {
		return
	}
	var all []*syntax.Stmt
	for _, a := range call.Assigns {
		st := stmt(&syntax.CallExpr{Assigns: []*syntax.Assign{a}})
		var text strings.Builder
		if c.refers(a) && syntax.NewPrinter().Print(&text, st) == nil {
			st = special("through", a.Name.Value)
			words := st.Cmd.(*syntax.CallExpr)
			words.Args = append(words.Args, &syntax.Word{Parts: []syntax.WordPart{&syntax.SglQuoted{Value: strings.TrimPrefix(text.String(), a.Name.Value)}}})
		}
		all = append(all, st)
	}
	n.Cmd, c.changed = &syntax.Block{Stmts: all}, true
}

// refers reports whether an assignment is to an element of what a name may stand for.
func (c *completer) refers(a *syntax.Assign) bool {
	return a.Index != nil && a.Name != nil && c.mapped(a.Name.Value) && !c.keyed(a.Name.Value)
}

// through is an assignment to an element, whose name comes first and is left out in the text.
func through(c call) error {
	name := c.args[0]
	if to, v := c.hc.Env.Get(name).Resolve(c.hc.Env); to != "" && v.Kind != expand.Unknown {
		name = to
	}
	text, err := c.fragment(name+c.args[1], shell.ParseToRun)
	if err != nil {
		return c.fail(1, "%v", err)
	}
	return c.native("eval", text)
}
