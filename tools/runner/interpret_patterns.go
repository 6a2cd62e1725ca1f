package runner

import (
	"regexp"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/pattern"
	"mvdan.cc/sh/v3/syntax"
)

// literally keeps what is quoted in the pattern of ${x#pattern} and its like from being one: the interpreter forgets the
// quotes before it matches.
func (c *completer) literally(w *syntax.Word) {
	var parts []syntax.WordPart
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if strings.Contains(p.Value, `\`) {
				for _, inner := range unescapedLit(p, false) {
					parts = append(parts, plain(inner))
				}
				c.changed = true
				continue
			}
		case *syntax.SglQuoted:
			part, c.changed = plain(p), true
		case *syntax.DblQuoted:
			if len(p.Parts) != 1 {
				break
			}
			if lit, ok := p.Parts[0].(*syntax.Lit); ok && !strings.Contains(lit.Value, `\`) {
				part, c.changed = plain(&syntax.SglQuoted{Value: lit.Value}), true
			}
		}
		parts = append(parts, part)
	}
	w.Parts = parts
}

// plain is a quoted text as a pattern that matches it.
func plain(part syntax.WordPart) syntax.WordPart {
	q, ok := part.(*syntax.SglQuoted)
	if !ok || q.Dollar {
		return part
	}
	return &syntax.SglQuoted{Value: pattern.QuoteMeta(q.Value, 0)}
}

// elements makes "a $@ b" the fields that it is: the interpreter takes the elements apart only where quotes hold nothing else.
func (c *completer) elements(w *syntax.Word) {
	var parts []syntax.WordPart
	for _, part := range w.Parts {
		q, ok := part.(*syntax.DblQuoted)
		if !ok || len(q.Parts) < 2 {
			parts = append(parts, part)
			continue
		}
		from := 0
		for i, inner := range q.Parts {
			if x, ok := inner.(*syntax.ParamExp); ok && listed(x) {
				if i > from {
					parts = append(parts, &syntax.DblQuoted{Parts: q.Parts[from:i]})
				}
				parts, from, c.changed = append(parts, &syntax.DblQuoted{Parts: q.Parts[i : i+1]}), i+1, true
			}
		}
		if from < len(q.Parts) {
			q = &syntax.DblQuoted{Parts: q.Parts[from:]}
			parts = append(parts, q)
		}
	}
	w.Parts = parts
}

// listed reports whether an expansion is of elements, each a field of its own.
func listed(x *syntax.ParamExp) bool {
	if x.Param == nil || x.Length {
		return false
	}
	w, ok := x.Index.(*syntax.Word)
	return x.Param.Value == "@" || ok && w.Lit() == "@"
}

// appended makes a[i]+=x an assignment of the whole: the interpreter would lose what the element holds.
func (c *completer) appended(a *syntax.Assign) {
	if !a.Append || a.Index == nil || a.Value == nil {
		return
	}
	old := &syntax.ParamExp{Param: &syntax.Lit{Value: a.Name.Value}, Index: a.Index, Exp: &syntax.Expansion{Op: syntax.DefaultUnset, Word: literal("")}}
	parts := append([]syntax.WordPart{&syntax.DblQuoted{Parts: []syntax.WordPart{old}}}, a.Value.Parts...)
	a.Append, a.Value, c.changed = false, &syntax.Word{Parts: parts}, true
}

// brackets finds what is in brackets in a pattern, or a character that a backslash quotes; inBrackets finds what one bracket
// consists of.
var (
	brackets = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)\\.|\[([!^]?)(\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*)\]`)
	})
	inBrackets = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)\[:[a-z]+:\]|[^\\]-[^\\]|\\.|.`) })
)

// dashesLast moves each - that stands for itself to the end of its brackets: the interpreter takes that of [-+x] or [a-z-.] for
// a range.
func dashesLast(glob string) string {
	return brackets().ReplaceAllStringFunc(glob, func(found string) string {
		m := brackets().FindStringSubmatch(found)
		var items []string
		dash := ""
		for _, item := range inBrackets().FindAllString(m[2], -1) {
			if item == "-" {
				dash = item
			} else {
				items = append(items, item)
			}
		}
		if dash == "" || len(items) > 0 && m[1] == "" && strings.Contains("!^", items[0][:1]) {
			return found // or one that would negate what follows came first
		}
		return "[" + m[1] + strings.Join(items, "") + dash + "]"
	})
}

// dashes does that in what a pattern holds as text.
func (c *completer) dashes(patterns ...*syntax.Word) {
	for _, w := range patterns {
		syntax.Walk(w, func(n syntax.Node) bool {
			var text *syntax.Lit
			switch n := n.(type) {
			case *syntax.Lit:
				text = n
			case *syntax.ExtGlob:
				text = n.Pattern
			case *syntax.SglQuoted, *syntax.DblQuoted, *syntax.ParamExp, *syntax.CmdSubst, *syntax.ArithmExp, *syntax.ProcSubst:
				return false
			}
			if text != nil {
				if last := dashesLast(text.Value); last != text.Value {
					text.Value, c.changed = last, true
				}
			}
			return true
		})
	}
}
