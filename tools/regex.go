package tools

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"time"
	"unicode/utf8"
)

// Matching takes time in proportion to the text and to the size of the expression, some 25 ns for each byte and
// instruction at worst, and cannot be interrupted; between two matches it can.
const (
	maxExpr      = 1000       // bytes
	maxSearch    = 50_000_000 // bytes times instructions
	patchTimeout = 5 * time.Second
)

// pattern is a regular expression that can go on after a match.
type pattern struct {
	first *regexp.Regexp
	next  *regexp.Regexp // from one character before: "^" and "\b" look at it; the match is its first group
	size  int            // in instructions
}

func compile(expr string) (*pattern, error) {
	if len(expr) > maxExpr {
		return nil, fmt.Errorf("a regexp has at most %d bytes", maxExpr)
	}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, err
	}
	p := &pattern{size: len(prog.Inst)}
	if p.first, err = regexp.Compile("(?m:" + expr + ")"); err != nil {
		return nil, err
	}
	p.next, err = regexp.Compile(`\A(?s:.)(?s:.*?)((?m:` + expr + "))")
	return p, err
}

// all returns the first matches in text, at most limit, none overlapping another.
func (p *pattern) all(ctx context.Context, text string, limit int) ([]match, error) {
	if len(text) > maxSearch/p.size {
		return nil, fmt.Errorf("%s are too much to search with this regexp; name lines", byteCount(int64(len(text))))
	}
	var found []match
	for at, last := 0, -1; len(found) < limit; {
		m, ok := p.after(text, at)
		if !ok {
			break
		}
		empty := m.start == m.end
		if !empty || m.start != last { // as FindAll, no empty match right after another
			found = append(found, m)
		}
		at, last = m.end, m.end
		if empty {
			_, width := utf8.DecodeRuneInString(text[at:])
			if at += width; width == 0 {
				break
			}
		}
		if ctx.Err() != nil {
			return nil, errors.New("searching with this regexp takes too long")
		}
	}
	return found, nil
}

// after is the first match that begins at position at or after it.
func (p *pattern) after(text string, at int) (match, bool) {
	if at == 0 {
		loc := p.first.FindStringIndex(text)
		if loc == nil {
			return match{}, false
		}
		return match{loc[0], loc[1]}, true
	}
	_, width := utf8.DecodeLastRuneInString(text[:at])
	from := at - width
	loc := p.next.FindStringSubmatchIndex(text[from:])
	if loc == nil {
		return match{}, false
	}
	return match{from + loc[2], from + loc[3]}, true
}
