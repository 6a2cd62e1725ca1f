package approval

import (
	"fmt"
	"strings"
)

// starlarkCall is name(arguments) at the top of a file. The first argument without a name is called "".
type starlarkCall struct {
	name string
	line int
	args map[string]any // string, []any, true or nil
}

// parseStarlark reads calls whose arguments are literals. Source: the grammar of Starlark,
// github.com/bazelbuild/starlark/blob/master/spec.md.
func parseStarlark(text string) ([]starlarkCall, error) {
	p := &starlark{text: text, line: 1}
	var calls []starlarkCall
	for p.skip(); p.text != ""; p.skip() {
		c := starlarkCall{line: p.line, name: p.word(), args: map[string]any{}}
		if c.name == "" || !p.take("(") {
			return nil, p.wrong("only calls of rules are understood")
		}
		for !p.take(")") {
			if err := p.argument(&c); err != nil {
				return nil, err
			}
		}
		p.take(";")
		calls = append(calls, c)
	}
	return calls, nil
}

// starlark is a parser; text is what is left.
type starlark struct {
	text string
	line int
}

func (p *starlark) wrong(format string, args ...any) error {
	return fmt.Errorf("line %d: %s", p.line, fmt.Sprintf(format, args...))
}

func (p *starlark) advance(n int) {
	p.line += strings.Count(p.text[:n], "\n")
	p.text = p.text[n:]
}

// skip goes over blanks and comments.
func (p *starlark) skip() {
	for p.text != "" {
		switch {
		case strings.IndexByte(" \t\r\n", p.text[0]) >= 0:
			p.advance(1)
		case p.text[0] == '#':
			n := strings.IndexByte(p.text, '\n')
			if n < 0 {
				n = len(p.text)
			}
			p.advance(n)
		default:
			return
		}
	}
}

// take goes over a sign if it comes next.
func (p *starlark) take(sign string) bool {
	p.skip()
	if !strings.HasPrefix(p.text, sign) {
		return false
	}
	p.advance(len(sign))
	return true
}

func (p *starlark) word() string {
	p.skip()
	n := 0
	for n < len(p.text) && (p.text[n] == '_' || 'a' <= p.text[n]|0x20 && p.text[n]|0x20 <= 'z' || n > 0 && '0' <= p.text[n] && p.text[n] <= '9') {
		n++
	}
	word := p.text[:n]
	p.advance(n)
	return word
}

// argument reads name = value or value, and the comma behind it.
func (p *starlark) argument(c *starlarkCall) error {
	name := p.word()
	if name != "" && !p.take("=") {
		return p.wrong("%s is no literal argument", name)
	}
	if _, twice := c.args[name]; twice {
		return p.wrong("an argument is there twice")
	}
	v, err := p.value(0)
	if err != nil {
		return err
	}
	c.args[name] = v
	if !p.take(",") {
		if p.skip(); !strings.HasPrefix(p.text, ")") {
			return p.wrong("arguments end with a comma or a parenthesis")
		}
	}
	return nil
}

// value reads a string, a list of values, or one of the constants.
func (p *starlark) value(depth int) (any, error) {
	if p.skip(); p.text == "" || depth > maxNesting {
		return nil, p.wrong("a value is missing")
	}
	switch {
	case p.take("["):
		list := []any{}
		for !p.take("]") {
			v, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
			if p.skip(); !p.take(",") && !strings.HasPrefix(p.text, "]") {
				return nil, p.wrong("a list has no end")
			}
		}
		return list, nil
	case p.text[0] == '"' || p.text[0] == '\'':
		return p.quoted()
	}
	switch word := p.word(); word {
	case "None":
		return nil, nil
	case "True", "False":
		return word == "True", nil
	}
	return nil, p.wrong("only strings and lists of them are understood")
}

// quoted reads a string in single, double or triple quotes.
func (p *starlark) quoted() (any, error) {
	quote := p.text[:1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(p.text, triple) {
		quote = triple
	}
	var b strings.Builder
	for i := len(quote); i < len(p.text); i++ {
		switch {
		case strings.HasPrefix(p.text[i:], quote):
			p.advance(i + len(quote))
			return b.String(), nil
		case p.text[i] == '\\' && i+1 < len(p.text):
			plain, ok := starlarkEscapes[p.text[i+1]]
			if !ok {
				return nil, p.wrong("escape \\%c is not understood", p.text[i+1])
			}
			b.WriteString(plain)
			i++
		case p.text[i] == '\n' && len(quote) == 1:
			return nil, p.wrong("a string has no end")
		default:
			b.WriteByte(p.text[i])
		}
	}
	return nil, p.wrong("a string has no end")
}

var starlarkEscapes = map[byte]string{'\\': `\`, '\'': "'", '"': `"`, 'n': "\n", 't': "\t", 'r': "\r", '\n': ""}
