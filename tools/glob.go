package tools

import (
	"errors"
	"strings"
)

// glob is a pattern as gitignore(5) and wildmatch have it: `*` and `?` stay in a component, `**` as a whole
// component stands for any number of them, brackets hold ranges and POSIX classes, a backslash takes what follows
// literally. It works on bytes, as git does. The zero glob matches nothing.
//
// It is made here because matchers that can be had differ from git in some percent of all cases.
type glob []segment

// segment matches one component of a path, or any number of them.
type segment struct {
	tokens []token
	deep   bool // **
}

// token matches a byte, or any number of them.
type token struct {
	kind tokenKind
	lit  byte
	set  *[256]bool
}

type tokenKind byte

const (
	literal tokenKind = iota
	anyByte
	star
	class
)

var errGlob = errors.New("a bracket or an escape has no end")

// parseGlob reads a pattern without a slash at its ends.
func parseGlob(pattern string) (glob, error) {
	var g glob
	var s segment
	for i := 0; i < len(pattern); {
		if pattern[i] == '/' {
			g = append(g, s)
			s = segment{}
			i++
			continue
		}
		t, n := parseToken(pattern[i:])
		if n == 0 {
			return nil, errGlob
		}
		i += n
		s.add(t)
	}
	if s.deep { // what lies below, not the directory itself
		return append(g, s, segment{tokens: []token{{kind: star}}}), nil
	}
	return append(g, s), nil
}

// parseToken reads the first token of p; n is 0 if it is not complete.
func parseToken(p string) (t token, n int) {
	switch p[0] {
	case '*':
		return token{kind: star}, 1
	case '?':
		return token{kind: anyByte}, 1
	case '[':
		set, n := parseClass(p)
		return token{kind: class, set: set}, n
	}
	c, n := parseByte(p)
	return token{lit: c}, n
}

// add adds a token; stars beside each other are one.
func (s *segment) add(t token) {
	n := len(s.tokens)
	if t.kind == star && n > 0 && s.tokens[n-1].kind == star {
		s.deep = n == 1
		return
	}
	s.deep = false
	s.tokens = append(s.tokens, t)
}

// parseByte reads one byte, which may be escaped; n is 0 if it is missing.
func parseByte(p string) (c byte, n int) {
	switch {
	case p[0] != '\\':
		return p[0], 1
	case len(p) < 2:
		return 0, 0
	}
	return p[1], 2
}

// parseClass reads the bracket expression that p begins with; n is 0 if it has no end, or a class that does not exist.
func parseClass(p string) (set *[256]bool, n int) {
	set = new([256]bool)
	i := 1
	negated := strings.HasPrefix(p[i:], "!") || strings.HasPrefix(p[i:], "^")
	if negated {
		i++
	}
	for start, low := i, 0; i < len(p); {
		if p[i] == ']' && i > start {
			for c := range set {
				set[c] = set[c] != negated && c != '/'
			}
			return set, i + 1
		}
		last, n := parseMember(p[i:], set, low)
		if n == 0 {
			return nil, 0
		}
		i, low = i+n, last
	}
	return nil, 0
}

// parseMember adds to set what comes next in a bracket expression: a class, a byte, or the end of a range that begins
// at low, which is 0 if there can be none. It returns what the next range would begin at.
func parseMember(p string, set *[256]bool, low int) (last, n int) {
	if name, ok := className(p); ok {
		member := posix[name]
		if member == nil {
			return 0, 0
		}
		for c := range byte(0x80) {
			set[c] = set[c] || member(c)
		}
		return 0, len("[:") + len(name) + len(":]")
	}
	ranged := p[0] == '-' && low > 0 && len(p) > 1 && p[1] != ']'
	if !ranged {
		c, n := parseByte(p)
		set[c] = set[c] || n > 0
		return int(c), n
	}
	c, n := parseByte(p[1:])
	if n == 0 {
		return 0, 0
	}
	for ; low <= int(c); low++ {
		set[low] = true
	}
	return 0, n + 1
}

// className is the name in a "[:name:]" that p begins with.
func className(p string) (string, bool) {
	if !strings.HasPrefix(p, "[:") {
		return "", false
	}
	name, _, ok := strings.Cut(p[2:], "]")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(name, ":")
}

// posix are the classes that may stand in brackets, for ASCII.
var posix = map[string]func(c byte) bool{
	"alnum":  func(c byte) bool { return lower(c) || upper(c) || digit(c) },
	"alpha":  func(c byte) bool { return lower(c) || upper(c) },
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
	"digit":  digit,
	"graph":  func(c byte) bool { return c > ' ' && c < 0x7f },
	"lower":  lower,
	"print":  func(c byte) bool { return c >= ' ' && c < 0x7f },
	"punct":  func(c byte) bool { return c > ' ' && c < 0x7f && !lower(c) && !upper(c) && !digit(c) },
	"space":  func(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' },
	"upper":  upper,
	"xdigit": func(c byte) bool { return digit(c) || lower(c|0x20) && c|0x20 <= 'f' },
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
func lower(c byte) bool { return c >= 'a' && c <= 'z' }
func upper(c byte) bool { return c >= 'A' && c <= 'Z' }

// match reports whether the whole path, without a slash at its ends, matches. Going back to the last `*` or `**`
// only is enough, so no pattern takes more than the product of the lengths.
func (g glob) match(path string) bool {
	at, back, from := 0, -1, 0
	for i := 0; i <= len(path); {
		next := len(path) + 1
		if n := strings.IndexByte(path[i:], '/'); n >= 0 {
			next = i + n + 1
		}
		switch {
		case at < len(g) && g[at].deep:
			back, from = at, i
			at++
		case at < len(g) && matchTokens(g[at].tokens, path[i:next-1]):
			at++
			i = next
		case back >= 0:
			if n := strings.IndexByte(path[from:], '/'); n < 0 {
				return false
			} else {
				from += n + 1
			}
			at, i = back+1, from
		default:
			return false
		}
	}
	return at == len(g)
}

func matchTokens(tokens []token, name string) bool {
	at, back, from := 0, -1, 0
	for i := 0; i < len(name) || at < len(tokens); {
		switch {
		case at < len(tokens) && tokens[at].kind == star:
			back, from = at, i
			at++
		case at < len(tokens) && i < len(name) && tokens[at].match(name[i]):
			at++
			i++
		case back >= 0 && from < len(name):
			from++
			at, i = back+1, from
		default:
			return false
		}
	}
	return true
}

func (t token) match(c byte) bool {
	switch t.kind {
	case anyByte:
		return true
	case class:
		return t.set[c]
	}
	return c == t.lit
}
