package runner

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/pattern"
	"mvdan.cc/sh/v3/syntax"

	"tricode/approval/shell"
)

// A part of the pattern or the text of ${x/pattern/text} is an argument that begins with one of these: what is quoted stands for
// itself.
const (
	quotedPart   = "="
	unquotedPart = "&"
)

// replaces reports whether an expansion is a ${x/pattern/text} that the interpreter lacks: with a pattern for the beginning or the
// end, or a text that has or may get an & that stands for what matched.
func replaces(x *syntax.ParamExp) bool {
	if shell.Anchor(x) != "" {
		return true
	}
	return x.Repl != nil && x.Repl.With != nil && slices.ContainsFunc(x.Repl.With.Parts, func(part syntax.WordPart) bool {
		switch p := part.(type) {
		case *syntax.Lit:
			return strings.Contains(p.Value, "&")
		case *syntax.SglQuoted, *syntax.DblQuoted, *syntax.ArithmExp:
			return false
		}
		return true
	})
}

// replacing is the call that sets an array to what such an expansion makes of the words that are still to be added.
func replacing(name string, x *syntax.ParamExp) *syntax.Stmt {
	where := shell.Anchor(x)
	orig := &syntax.Word{}
	if x.Repl.Orig != nil {
		orig.Parts = slices.Clone(x.Repl.Orig.Parts)
	}
	if where != "" {
		first := *orig.Parts[0].(*syntax.Lit)
		first.Value = first.Value[1:]
		orig.Parts[0] = &first
	} else if x.Repl.All {
		where = "/"
	}
	from, to := pieces(orig, true), pieces(x.Repl.With, false)
	call := special("replaced", name, where, strconv.Itoa(len(from)), strconv.Itoa(len(to)))
	words := call.Cmd.(*syntax.CallExpr)
	words.Args = slices.Concat(words.Args, from, to)
	return call
}

// pieces are the parts of a word, each an argument. A pattern keeps the backslashes of its literal parts.
func pieces(w *syntax.Word, isPattern bool) (args []*syntax.Word) {
	add := func(kind string, part syntax.WordPart) {
		args = append(args, &syntax.Word{Parts: []syntax.WordPart{&syntax.SglQuoted{Value: kind}, verbatim(part)}})
	}
	if w == nil {
		return nil
	}
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if isPattern {
				add(unquotedPart, p)
				break
			}
			for _, inner := range unescapedLit(p, false) {
				kind := unquotedPart
				if _, escaped := inner.(*syntax.SglQuoted); escaped {
					kind = quotedPart
				}
				add(kind, inner)
			}
		case *syntax.SglQuoted, *syntax.DblQuoted:
			add(quotedPart, p)
		default:
			add(unquotedPart, &syntax.DblQuoted{Parts: []syntax.WordPart{p}})
		}
	}
	return args
}

// replaced sets an array to words in which what matches a pattern was replaced.
func replaced(c call) error {
	name, where, parts := c.args[0], c.args[1], c.args[4:]
	from, parts := parts[:atoi(c.args[2])], parts[atoi(c.args[2]):]
	to, words := parts[:atoi(c.args[3])], parts[atoi(c.args[3]):]
	expr, err := matching(from, where)
	if err != nil {
		return c.fail(1, "%v", err)
	}
	most := 1
	if where == "/" {
		most = -1
	}
	var all []string
	for _, w := range words {
		var b strings.Builder
		end := 0
		for _, at := range expr.FindAllStringIndex(w, most) {
			b.WriteString(w[end:at[0]] + inserted(to, w[at[0]:at[1]]))
			end = at[1]
		}
		all = append(all, b.String()+w[end:])
	}
	return c.prepare(name, all)
}

// matching is the pattern of ${x/pattern/text}.
func matching(parts []string, where string) (*regexp.Regexp, error) {
	var glob strings.Builder
	for _, p := range parts {
		if p[:1] == quotedPart {
			p = "=" + pattern.QuoteMeta(p[1:], 0)
		}
		glob.WriteString(p[1:])
	}
	text, err := pattern.Regexp(dashesLast(glob.String()), pattern.ExtendedOperators)
	if err != nil {
		return nil, err
	}
	switch text = "(?s:" + text + ")"; where {
	case "#":
		text = "^" + text
	case "%":
		text += "$"
	}
	expr, err := regexp.Compile(text)
	if err == nil {
		expr.Longest()
	}
	return expr, err
}

// inserted is the text of ${x/pattern/text} for one match: an & that is not quoted stands for it, a backslash quotes & and itself.
func inserted(parts []string, match string) string {
	var b strings.Builder
	for _, p := range parts {
		if p[:1] == unquotedPart {
			p = "&" + strings.NewReplacer(`\\`, `\`, `\&`, "&", "&", match).Replace(p[1:])
		}
		b.WriteString(p[1:])
	}
	return b.String()
}
