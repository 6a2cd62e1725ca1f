package tools

import (
	"errors"
	"fmt"
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
	stars, others := 0, 0
	end := func() {
		s.deep = stars > 1 && others == 0
		g = append(g, s)
		s, stars, others = segment{}, 0, 0
	}
	for i := 0; i < len(pattern); i++ {
		t := token{lit: pattern[i]}
		switch pattern[i] {
		case '/':
			end()
			continue
		case '*':
			if stars++; len(s.tokens) > 0 && s.tokens[len(s.tokens)-1].kind == star {
				continue
			}
			t.kind = star
			s.tokens = append(s.tokens, t)
			continue
		case '?':
			t.kind = anyByte
		case '[':
			set, n := parseClass(pattern[i+1:])
			if set == nil {
				return nil, errGlob
			}
			t.kind, t.set = class, set
			i += n
		case '\\':
			if i++; i == len(pattern) {
				return nil, errGlob
			}
			t.lit = pattern[i]
		}
		others++
		s.tokens = append(s.tokens, t)
	}
	end()
	if g[len(g)-1].deep { // what lies below, not the directory itself
		g = append(g, segment{tokens: []token{{kind: star}}})
	}
	return g, nil
}

// parseClass reads a bracket expression behind its bracket and says how long it is. It is nil if there is no end,
// or a class that does not exist. No class holds a slash.
func parseClass(p string) (set *[256]bool, n int) {
	set = new([256]bool)
	i := 0
	negated := strings.HasPrefix(p, "!") || strings.HasPrefix(p, "^")
	if negated {
		i++
	}
	for first, low := true, 0; ; first = false {
		switch {
		case i >= len(p):
			return nil, 0
		case p[i] == ']' && !first:
			for c := range set {
				set[c] = set[c] != negated && c != '/'
			}
			return set, i + 1
		case strings.HasPrefix(p[i:], "[:") && strings.IndexByte(p[i:], ']') > 0 && p[i+strings.IndexByte(p[i:], ']')-1] == ':' &&
			strings.IndexByte(p[i:], ']') > 2:
			end := i + strings.IndexByte(p[i:], ']')
			member := posix[p[i+2:end-1]]
			if member == nil {
				return nil, 0
			}
			for c := range set {
				set[c] = set[c] || c < 0x80 && member(byte(c))
			}
			i, low = end+1, 0
		case p[i] == '-' && low > 0 && i+1 < len(p) && p[i+1] != ']':
			high, n := classByte(p[i+1:])
			if n == 0 {
				return nil, 0
			}
			for c := low; c <= int(high); c++ {
				set[c] = true
			}
			i, low = i+1+n, 0
		default:
			c, n := classByte(p[i:])
			if n == 0 {
				return nil, 0
			}
			set[c] = true
			i, low = i+n, int(c)
		}
	}
}

// classByte reads one byte of a bracket expression, which may be escaped; n is 0 if it is missing.
func classByte(p string) (c byte, n int) {
	if p[0] != '\\' {
		return p[0], 1
	}
	if len(p) < 2 {
		return 0, 0
	}
	return p[1], 2
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

// maxBraces is how many patterns the braces of one may stand for.
const maxBraces = 64

// globs is a choice of files as ripgrep's -g takes it: a glob that may have {a,b} in it and may begin with ! for
// all others. Without a slash it holds for the last component, otherwise for the whole path.
type globs struct {
	any    []glob
	name   bool
	others bool
}

// parseGlobs reads a choice of files; the empty one is nil and holds all.
func parseGlobs(pattern string) (*globs, error) {
	if pattern == "" {
		return nil, nil
	}
	c := &globs{}
	pattern, c.others = strings.CutPrefix(pattern, "!")
	c.name = !strings.Contains(pattern, "/")
	pattern = strings.TrimPrefix(strings.TrimPrefix(pattern, "./"), "/")
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	plain := expand(pattern)
	if len(plain) > maxBraces {
		return nil, fmt.Errorf("glob: %s stands for more than %d patterns", quote(pattern), maxBraces)
	}
	for _, p := range plain {
		g, err := parseGlob(p)
		if err != nil {
			return nil, fmt.Errorf("glob: %s: %w", quote(pattern), err)
		}
		c.any = append(c.any, g)
	}
	return c, nil
}

func (c *globs) match(rel string) bool {
	if c == nil {
		return true
	}
	if c.name {
		rel = rel[strings.LastIndexByte(rel, '/')+1:]
	}
	for _, g := range c.any {
		if g.match(rel) {
			return !c.others
		}
	}
	return c.others
}

// expand writes a pattern out for every choice in its braces, to just over maxBraces patterns. Braces without an
// end, and those behind a backslash, are taken literally.
func expand(pattern string) []string {
	open, depth, parts := -1, 0, []int{}
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '{':
			if depth++; depth == 1 {
				open, parts = i, []int{i}
			}
		case c == ',' && depth == 1:
			parts = append(parts, i)
		case c == '}' && depth > 0:
			if depth--; depth > 0 {
				continue
			}
			var all []string
			for n, from := range parts {
				to := i
				if n+1 < len(parts) {
					to = parts[n+1]
				}
				if len(all) > maxBraces {
					break
				}
				all = append(all, expand(pattern[:open]+pattern[from+1:to]+pattern[i+1:])...)
			}
			return all
		}
	}
	return []string{pattern}
}
