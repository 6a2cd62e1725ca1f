package runner

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"tricode/approval/shell"
)

// hoist makes expansions that the interpreter lacks ones of variables that hold their result, set before the statement.
func (c *completer) hoist(n *syntax.Stmt) {
	c.oneByOne(n)
	h := &hoister{completer: c}
	syntax.Walk(n, func(inner syntax.Node) bool {
		switch inner := inner.(type) {
		case *syntax.Stmt:
			return inner == n // others have their own
		case *syntax.CallExpr:
			h.words(inner.Args)
		case *syntax.WordIter:
			h.words(inner.Items)
		case *syntax.ArrayElem:
			h.words([]*syntax.Word{inner.Value})
		case *syntax.ParamExp:
			h.param(inner)
		}
		return true
	})
	if len(h.before) > 0 {
		c.after(n, h.before...)
	}
}

// after lets a statement run after others, which keep the status that there was.
func (c *completer) after(n *syntax.Stmt, before ...*syntax.Stmt) {
	for i, st := range before {
		if call, ok := st.Cmd.(*syntax.CallExpr); ok {
			before[i] = unnoticed(call)
		}
	}
	inner := *n
	inner.Negated, inner.Background = false, false
	n.Cmd, n.Redirs, c.changed = &syntax.Block{Stmts: append(before, &inner)}, nil, true
}

// oneByOne makes a=x b=${a/pattern/word} two statements: what is set before the second is to see the first.
func (c *completer) oneByOne(n *syntax.Stmt) {
	call, ok := n.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) > 0 || len(call.Assigns) < 2 {
		return
	}
	found := false
	for _, a := range call.Assigns[1:] {
		syntax.Walk(a, func(inner syntax.Node) bool {
			x, ok := inner.(*syntax.ParamExp)
			found = found || ok && (replaces(x) || shell.Quotes(x))
			return !found
		})
	}
	if !found {
		return
	}
	list := &syntax.Block{}
	for _, a := range call.Assigns {
		list.Stmts = append(list.Stmts, stmt(&syntax.CallExpr{Assigns: []*syntax.Assign{a}}))
	}
	n.Cmd, c.changed = list, true
}

type hoister struct {
	*completer
	before []*syntax.Stmt
}

// variable is a new one.
func (h *hoister) variable() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hoisted++
	return "TRICODE_WORD_" + strconv.Itoa(h.hoisted)
}

// param follows ${x/pattern/word} and ${x@Q}.
func (h *hoister) param(x *syntax.ParamExp) {
	h.parameter(x)
	h.indirect(x)
	h.hashed(x)
	var call *syntax.Stmt
	name := ""
	switch {
	case replaces(x):
		name = h.variable()
		call = replacing(name, x)
	case shell.Quotes(x):
		name = h.variable()
		call = special("quoted", name)
	case x.Exp != nil && several(x) && (x.Exp.Op == syntax.DefaultUnset || x.Exp.Op == syntax.DefaultUnsetOrNull):
		name = h.variable()
		call = special("fields", name)
	default:
		return
	}
	words := call.Cmd.(*syntax.CallExpr)
	from := &syntax.ParamExp{Param: x.Param, Index: x.Index}
	switch {
	case several(x) && x.Index == nil:
		from.Param, x.Index = &syntax.Lit{Value: "@"}, literal(x.Param.Value)
	case several(x):
		from.Index = literal("@")
	default:
		x.Index = nil
	}
	words.Args = append(words.Args, &syntax.Word{Parts: []syntax.WordPart{&syntax.DblQuoted{Parts: []syntax.WordPart{from}}}})
	h.before = append(h.before, call)
	if words.Args[0].Lit() == mark+"fields" {
		h.instead(name, x.Exp.Word)
	}
	x.Param, x.Short, x.Repl, x.Exp = &syntax.Lit{Value: name}, false, nil, nil
}

// several reports whether an expansion is of all elements or all parameters.
func several(x *syntax.ParamExp) bool {
	return allElements(x) || x.Param != nil && (x.Param.Value == "@" || x.Param.Value == "*")
}

// instead makes a word all there is of an array that has no elements, or empty ones.
func (h *hoister) instead(name string, w *syntax.Word) {
	condition, err := shell.Parse("[[ -z ${" + name + "[*]} ]]")
	if err != nil {
		return
	}
	fields := special("fields", name)
	call := fields.Cmd.(*syntax.CallExpr)
	call.Args = append(call.Args, whole(w))
	h.before = append(h.before, stmt(&syntax.IfClause{Cond: condition.Stmts, Then: []*syntax.Stmt{fields}}))
}

// whole is a word that is not split.
func whole(w *syntax.Word) *syntax.Word {
	all := &syntax.Word{Parts: []syntax.WordPart{&syntax.SglQuoted{}}}
	if w == nil {
		return all
	}
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			for _, inner := range unescapedLit(p, false) {
				all.Parts = append(all.Parts, verbatim(inner))
			}
			continue
		case *syntax.SglQuoted, *syntax.DblQuoted:
		default:
			part = &syntax.DblQuoted{Parts: []syntax.WordPart{p}}
		}
		all.Parts = append(all.Parts, part)
	}
	return all
}

// verbatim is a part with what a literal holds quoted.
func verbatim(part syntax.WordPart) syntax.WordPart {
	if lit, ok := part.(*syntax.Lit); ok {
		return &syntax.SglQuoted{Value: lit.Value}
	}
	return part
}

// words follows ${x:+"$x"} and ${x:-"$y"} that are not quoted themselves: the interpreter would split what they quote.
func (h *hoister) words(words []*syntax.Word) {
	for _, w := range words {
		if w == nil {
			continue
		}
		for i, part := range w.Parts {
			x, ok := part.(*syntax.ParamExp)
			if !ok || !shell.SplitsQuotes(x) {
				continue
			}
			condition, err := shell.Parse(lazily(x))
			if err != nil {
				continue
			}
			name := h.variable()
			otherwise, fields := special("fields", name), special("fields", name)
			if x.Exp.Op == syntax.DefaultUnset || x.Exp.Op == syntax.DefaultUnsetOrNull {
				plain := &syntax.ParamExp{Param: x.Param, Index: x.Index, Exp: &syntax.Expansion{Op: syntax.DefaultUnset, Word: literal("")}}
				call := otherwise.Cmd.(*syntax.CallExpr)
				call.Args = append(call.Args, &syntax.Word{Parts: []syntax.WordPart{plain}})
			}
			call := fields.Cmd.(*syntax.CallExpr)
			call.Args = append(call.Args, blanks(x.Exp.Word)...)
			h.before = append(h.before, otherwise, stmt(&syntax.IfClause{Cond: condition.Stmts, Then: []*syntax.Stmt{fields}}))
			all := &syntax.ParamExp{Param: &syntax.Lit{Value: name}, Index: literal("@")}
			w.Parts[i] = &syntax.DblQuoted{Parts: []syntax.WordPart{all}}
		}
	}
}

// blanks splits a word where its literal parts have blanks.
func blanks(w *syntax.Word) (words []*syntax.Word) {
	next := &syntax.Word{}
	end := func() {
		if len(next.Parts) > 0 {
			words, next = append(words, next), &syntax.Word{}
		}
	}
	for _, part := range w.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok {
			next.Parts = append(next.Parts, part)
			continue
		}
		rest := lit.Value
		for rest != "" {
			i := strings.IndexAny(rest, " \t\n")
			if i < 0 {
				next.Parts = append(next.Parts, &syntax.Lit{Value: rest})
				break
			}
			if i > 0 {
				next.Parts = append(next.Parts, &syntax.Lit{Value: rest[:i]})
			}
			end()
			rest = rest[i+1:]
		}
	}
	end()
	return words
}
