package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// substitution follows a command substitution. One that only prints a here-document is as good as a literal.
func (e *expansion) substitution(c *syntax.CmdSubst, quoted bool) {
	w := e.w
	before := w.enter()
	w.statements(c.Stmts)
	w.leave(before)
	if text, ok := hereText(c); ok && len(w.state.funcs["cat"].bodies) == 0 {
		e.value(value{text: strings.TrimRight(text, "\n"), known: true}, quoted)
		return
	}
	e.lose()
}

// hereText is what $(cat <<'EOF' …) stands for.
func hereText(c *syntax.CmdSubst) (string, bool) {
	if len(c.Stmts) != 1 || len(c.Stmts[0].Redirs) != 1 {
		return "", false
	}
	call, ok := c.Stmts[0].Cmd.(*syntax.CallExpr)
	doc := c.Stmts[0].Redirs[0]
	if !ok || len(call.Assigns) != 0 || len(call.Args) != 1 || call.Args[0].Lit() != "cat" || doc.Hdoc == nil {
		return "", false
	}
	if quoted := doc.Word.Lit() == ""; !quoted || doc.Op != syntax.Hdoc || len(doc.Hdoc.Parts) != 1 {
		return "", false
	}
	lit, ok := doc.Hdoc.Parts[0].(*syntax.Lit)
	if !ok {
		return "", false
	}
	return lit.Value, true
}

// quoted reports whether everything that is not literal stands in double quotes.
func (e *expansion) quoted() bool {
	for _, part := range e.source.Parts {
		switch part := part.(type) {
		case *syntax.Lit, *syntax.SglQuoted:
		case *syntax.DblQuoted:
			for _, in := range part.Parts {
				if p, ok := in.(*syntax.ParamExp); ok && (p.Index != nil || p.Param != nil && p.Param.Value == "@") {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// ansi decodes $'…'; it does not know the escapes that make characters out of numbers.
func ansi(s string) (string, bool) {
	if !strings.Contains(s, `\`) {
		return s, true
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		if i++; i == len(s) {
			return "", false
		}
		at := strings.IndexByte(`abefnrtv\'"?`, s[i])
		if at < 0 {
			return "", false
		}
		b.WriteByte("\a\b\x1b\f\n\r\t\v\\'\"?"[at])
	}
	return b.String(), true
}
