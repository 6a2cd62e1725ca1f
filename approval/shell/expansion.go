package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// expansion builds the fields of one word.
type expansion struct {
	w      *walker
	source *syntax.Word
	whole  bool // no splitting, no globs

	done    []word
	text    strings.Builder // the field so far
	pattern strings.Builder // the same as a pattern of path.Match, once there is a glob
	glob    bool
	started bool // there is a field, though perhaps an empty one
	unknown bool
	tame    bool // what is unknown is tame
}

func (e *expansion) parts(parts []syntax.WordPart, quoted bool) {
	for i, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			e.lit(part.Value, quoted, i == 0)
		case *syntax.SglQuoted:
			e.single(part)
		case *syntax.DblQuoted:
			e.started = true
			if part.Dollar {
				e.lose() // translated by a catalogue
			}
			e.parts(part.Parts, true)
		case *syntax.ParamExp:
			e.param(part, quoted)
		case *syntax.CmdSubst:
			e.substitution(part, quoted)
		case *syntax.ArithmExp:
			e.number(e.w.arithmetic(part.X))
		case *syntax.ProcSubst:
			e.w.process(part)
			e.number(true)
		case *syntax.ExtGlob:
			if strings.ContainsAny(part.Pattern.Value, "$`<>") { // the parser leaves it as it is, a shell expands it
				e.w.opaqueNode(part, "it is not known what a pattern runs")
			}
			e.lose()
		default:
			e.w.inner(part)
			e.lose()
		}
	}
}

// lose makes the field unknown.
func (e *expansion) lose() { e.started, e.unknown, e.tame = true, true, false }

// number makes the field unknown but, if sure, a harmless one.
func (e *expansion) number(sure bool) {
	if !sure {
		e.lose()
		return
	}
	e.tame = !e.unknown || e.tame
	e.started, e.unknown = true, true
}

func (e *expansion) single(q *syntax.SglQuoted) {
	e.started = true
	text, ok := q.Value, true
	if q.Dollar {
		text, ok = ansi(q.Value)
	}
	if !ok {
		e.lose()
		return
	}
	e.add(text, true)
}

// add appends text that is not split; a glob in it counts only if it is unquoted.
func (e *expansion) add(text string, quoted bool) {
	e.started = true
	if e.w.bytes += len(text); e.w.bytes > maxBytes || e.text.Len()+len(text) > MaxText {
		e.lose()
		return
	}
	e.text.WriteString(text)
	for i := 0; i < len(text); i++ {
		c := text[i]
		if strings.IndexByte(`*?[]\-^!`, c) >= 0 && quoted {
			e.pattern.WriteByte('\\')
		}
		if !quoted && (c == '*' || c == '?' || c == '[') {
			e.glob = true
		}
		e.pattern.WriteByte(c)
	}
}

// lit appends literal source text.
func (e *expansion) lit(s string, quoted, first bool) {
	if !quoted && first {
		if name, v, ok := strings.Cut(s, "="); ok && strings.HasPrefix(v, "~") && syntax.ValidName(name) {
			e.lose() // bash alone expands it
		}
		switch {
		case s == "~" && len(e.source.Parts) > 1: // ~$x, ~{a,b}: the name of another person, or none
			e.lose()
		case strings.HasPrefix(s, "~"):
			s = e.tilde(s)
		}
	}
	for s != "" {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			e.add(s, quoted)
			return
		}
		if i+1 == len(s) { // shells differ about what is at the end of a text
			e.lose()
			return
		}
		e.add(s[:i], quoted)
		next := s[i+1 : i+2]
		switch {
		case next == "\n": // a continued line
		case quoted && !strings.Contains("$`\"\\", next):
			e.add(s[i:i+2], true)
		default:
			e.add(next, true)
		}
		s = s[i+2:]
	}
}

// tilde replaces a home directory at the beginning and returns the rest.
func (e *expansion) tilde(s string) string {
	home := e.w.r.Home()
	if v, ok := e.w.state.vars["HOME"]; ok || e.w.state.lost {
		home = v.text
	}
	rest := s[1:]
	if home == "" || rest != "" && rest[0] != '/' {
		e.lose() // another person's home directory, or ~+
		return s
	}
	e.add(home, true)
	return rest
}

// value appends what a variable holds, split where it is not quoted.
func (e *expansion) value(v value, quoted bool) {
	if !v.known {
		if v.tame {
			e.number(true)
		} else {
			e.lose()
		}
		return
	}
	if quoted || e.whole {
		e.add(v.text, true)
		return
	}
	if _, ok := e.w.state.vars["IFS"]; ok {
		e.lose()
		return
	}
	for i, field := range strings.FieldsFunc(v.text, blank) {
		if i > 0 || blank(rune(v.text[0])) && e.started {
			e.flush()
		}
		e.add(field, false)
	}
	if n := len(v.text); n > 0 && blank(rune(v.text[n-1])) && e.started {
		e.flush()
	}
}

func blank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }

// flush ends a field.
func (e *expansion) flush() {
	if !e.started {
		return
	}
	e.unknown = e.unknown || e.glob
	e.done = append(e.done, e.end())
	e.text.Reset()
	e.pattern.Reset()
	e.glob, e.started, e.unknown, e.tame = false, false, false, false
}

func (e *expansion) end() word {
	if e.unknown {
		return word{text: e.w.slice(e.source), tame: e.tame && e.text.Len() == 0, one: e.quoted()}
	}
	return literal(e.text.String())
}

// finish appends the fields to out, globs replaced by what they find.
func (e *expansion) finish(out []word) []word {
	if e.started && e.glob && !e.unknown && len(e.done) == 0 {
		return e.w.glob(out, e.pattern.String(), e.text.String())
	}
	e.flush()
	return append(out, e.done...)
}
