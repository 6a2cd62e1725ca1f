package runner

import (
	"regexp"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"tricode/approval/shell"
)

// unescape makes a backslash of a word quote what follows it, where the interpreter would keep it: in assignments,
// redirects, case, [[ ]] and defaults. Within double quotes only some characters can be quoted, and single quotes quote
// nothing.
func (c *completer) unescape(w *syntax.Word, double bool) {
	if w == nil {
		return
	}
	var parts []syntax.WordPart
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if strings.Contains(p.Value, `\`) {
				parts, c.changed = append(parts, unescapedLit(p, double)...), true
				continue
			}
		case *syntax.SglQuoted:
			if double && !p.Dollar {
				part, c.changed = &syntax.Lit{Value: "'" + p.Value + "'"}, true
			}
		}
		parts = append(parts, part)
	}
	w.Parts = parts
}

// unescapedLit splits a literal at its backslashes.
func unescapedLit(lit *syntax.Lit, double bool) (parts []syntax.WordPart) {
	rest := lit.Value
	for rest != "" {
		i := strings.IndexByte(rest, '\\')
		if i < 0 || i+1 == len(rest) {
			return append(parts, &syntax.Lit{Value: rest})
		}
		if i > 0 {
			parts = append(parts, &syntax.Lit{Value: rest[:i]})
		}
		quoted := rest[i+1 : i+2]
		if double && !strings.Contains("\\$`\"}", quoted) {
			quoted = `\` + quoted
		}
		if quoted != "\n" {
			parts = append(parts, &syntax.SglQuoted{Value: quoted})
		}
		rest = rest[i+2:]
	}
	return parts
}

// homes finds what stands for the home directory behind a colon.
var homes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`:~(/|:|$)`) })

// tildes makes each ~ behind a colon of an assignment the home directory, as in PATH=$PATH:~/bin.
func (c *completer) tildes(w *syntax.Word) {
	if w == nil {
		return
	}
	var parts []syntax.WordPart
	for _, part := range w.Parts {
		lit, ok := part.(*syntax.Lit)
		for ok && homes().MatchString(lit.Value) {
			tilde := homes().FindStringIndex(lit.Value)[0] + 1
			parts = append(parts, &syntax.Lit{Value: lit.Value[:tilde]}, &syntax.ParamExp{Param: &syntax.Lit{Value: "HOME"}})
			lit, c.changed = &syntax.Lit{Value: lit.Value[tilde+1:]}, true
			part = lit
		}
		parts = append(parts, part)
	}
	w.Parts = parts
}

// words completes the words that stand in a node, except those that are split into fields.
func (c *completer) words(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.CallExpr:
		c.options(n)
		for _, w := range n.Args {
			c.elements(w)
		}
	case *syntax.WordIter:
		for _, w := range n.Items {
			c.elements(w)
		}
	case *syntax.Assign:
		c.tildes(n.Value)
		c.unescape(n.Value, false)
		c.appended(n)
	case *syntax.ArrayElem:
		if n.Index != nil {
			c.unescape(n.Value, false)
		} else if n.Value != nil {
			c.elements(n.Value)
		}
	case *syntax.Redirect:
		if n.Op != syntax.Hdoc && n.Op != syntax.DashHdoc {
			c.unescape(n.Word, false)
		} else if n.Hdoc != nil {
			c.quoted(n.Hdoc.Parts)
		}
	case *syntax.CaseClause:
		c.unescape(n.Word, false)
	case *syntax.DblQuoted:
		c.quoted(n.Parts)
		c.parts(n.Parts)
	case *syntax.Word:
		c.unquoted(n.Parts)
		c.parts(n.Parts)
	}
}

// quoted completes the expansions within double quotes, before unquoted would.
func (c *completer) quoted(parts []syntax.WordPart) {
	for _, p := range parts {
		x, ok := p.(*syntax.ParamExp)
		if !ok || c.done[x] {
			continue
		}
		c.done[x] = true
		c.expansion(x, true)
	}
}

func (c *completer) unquoted(parts []syntax.WordPart) {
	for i, p := range parts {
		x, ok := p.(*syntax.ParamExp)
		if !ok || c.done[x] {
			continue
		}
		c.done[x] = true
		if all := allOf(x); all != nil {
			parts[i], c.changed = all, true
			continue
		}
		c.expansion(x, false)
	}
}

// allOf is "${a[@]}" for ${a[@]+"${a[@]}"}, which is the same where an array without elements is not unset.
func allOf(x *syntax.ParamExp) *syntax.DblQuoted {
	if x.Exp == nil || x.Exp.Op != syntax.AlternateUnset && x.Exp.Op != syntax.AlternateUnsetOrNull || x.Exp.Word == nil || len(x.Exp.Word.Parts) != 1 {
		return nil
	}
	q, ok := x.Exp.Word.Parts[0].(*syntax.DblQuoted)
	if !ok || len(q.Parts) != 1 {
		return nil
	}
	inner, ok := q.Parts[0].(*syntax.ParamExp)
	if !ok || inner.Param == nil || x.Param == nil || inner.Param.Value != x.Param.Value || !allElements(inner) || inner.Exp != nil || inner.Length || inner.Excl {
		return nil
	}
	return q
}

// allElements reports whether an expansion is of all elements of an array.
func allElements(x *syntax.ParamExp) bool {
	w, ok := x.Index.(*syntax.Word)
	return ok && (w.Lit() == "@" || w.Lit() == "*")
}

// expansion completes ${x:-word} and the like: quotes, and that the word is not expanded where it is not needed.
func (c *completer) expansion(x *syntax.ParamExp, double bool) {
	if x.Param != nil && allElements(x) {
		c.arrays.Store(x.Param.Value, true)
	}
	if x.Repl != nil {
		if x.Repl.Orig != nil {
			c.dashes(x.Repl.Orig)
		}
		c.unescape(x.Repl.With, false) // quotes count within quotes, too
	}
	if x.Exp == nil || x.Exp.Word == nil {
		return
	}
	if x.Exp.Op >= syntax.RemSmallSuffix && x.Exp.Op <= syntax.RemLargePrefix {
		c.dashes(x.Exp.Word)
		c.literally(x.Exp.Word)
		return
	}
	needed := lazily(x)
	c.unescape(x.Exp.Word, double && needed != "")
	if needed == "" {
		return
	}
	syntax.Walk(x.Exp.Word, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			c.unless(n, needed)
			return false
		case *syntax.ParamExp:
			if c.nounset && n.Exp == nil && n.Slice == nil && n.Repl == nil && !n.Length && !n.Excl && n.Param != nil {
				n.Short, n.Exp, c.changed = false, &syntax.Expansion{Op: syntax.DefaultUnset, Word: literal("")}, true
			}
		}
		return true
	})
}

// lazily is the condition under which the word of an expansion is expanded, empty for those that always do.
func lazily(x *syntax.ParamExp) string {
	if x.Param == nil {
		return ""
	}
	name := x.Param.Value
	if w, ok := x.Index.(*syntax.Word); ok {
		var index strings.Builder
		if syntax.NewPrinter().Print(&index, w) != nil {
			return ""
		}
		name += "[" + index.String() + "]"
	}
	switch x.Exp.Op {
	case syntax.DefaultUnsetOrNull, syntax.AssignUnsetOrNull, syntax.ErrorUnsetOrNull:
		return "[[ -z ${" + name + "-} ]]"
	case syntax.DefaultUnset, syntax.AssignUnset, syntax.ErrorUnset:
		return "[[ -z ${" + name + "+x} ]]"
	case syntax.AlternateUnsetOrNull:
		return "[[ -n ${" + name + "-} ]]"
	case syntax.AlternateUnset:
		return "[[ -n ${" + name + "+x} ]]"
	}
	return ""
}

// unless lets a substitution run under a condition only.
func (c *completer) unless(n *syntax.CmdSubst, condition string) {
	file, err := shell.Parse(condition)
	if err != nil || len(n.Stmts) == 0 {
		return
	}
	if st := n.Stmts[0]; len(n.Stmts) == 1 && st.Cmd == nil && len(st.Redirs) == 1 {
		st.Cmd = special("copy").Cmd // $(<file)
	}
	n.Stmts, c.changed = []*syntax.Stmt{stmt(&syntax.IfClause{Cond: file.Stmts, Then: n.Stmts})}, true
}

// regex makes a pattern of =~ what bash takes it for: quoted parts are literal, and a dot matches a line's end.
func (c *completer) regex(w *syntax.Word) {
	parts := []syntax.WordPart{&syntax.Lit{Value: "(?s)"}}
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.SglQuoted:
			if !p.Dollar {
				part = &syntax.Lit{Value: regexp.QuoteMeta(p.Value)}
			}
		case *syntax.DblQuoted:
			if len(p.Parts) == 1 {
				if lit, ok := p.Parts[0].(*syntax.Lit); ok && !strings.Contains(lit.Value, `\`) {
					part = &syntax.Lit{Value: regexp.QuoteMeta(lit.Value)}
					break
				}
			}
			part = exactly(p)
		}
		parts = append(parts, part)
	}
	w.Parts, c.changed = parts, true
}

// exactly is a regular expression for what quotes hold, whatever that is then.
func exactly(q *syntax.DblQuoted) syntax.WordPart {
	call := special("exactly")
	words := call.Cmd.(*syntax.CallExpr)
	words.Args = append(words.Args, &syntax.Word{Parts: []syntax.WordPart{q}})
	return &syntax.CmdSubst{Stmts: []*syntax.Stmt{call}}
}

// regular writes a regular expression that is matched by a text alone.
func regular(c call) error {
	return c.write(strings.ReplaceAll(regexp.QuoteMeta(c.args[0]), "\n", `\n`))
}
