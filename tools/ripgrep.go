package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode"

	"tricode/workdir/sandbox"
)

// ripgrep returns a function that tells which of the given files can have a match, or nil if ripgrep cannot help. It is told
// the files one by one and asked for a pattern that matches at least wherever the model's does; what really
// matches is found here. So nothing of the answer depends on whether it is there, on its version, on how it reads
// ignore files or on what its expressions mean.
func ripgrep(w World, re *syntax.Regexp) func(ctx context.Context, files []string) (map[string]bool, error) {
	if w.Box == nil {
		return nil
	}
	program, err := w.Box.LookPath("rg")
	if err != nil {
		return nil
	}
	if p, err := w.Dir.Resolve(program); err == nil && p.Rel != "" { // whoever wrote the project wrote it too
		return nil
	}
	var b strings.Builder
	if !widen(&b, re) {
		return nil
	}
	pattern := b.String()
	return func(ctx context.Context, files []string) (map[string]bool, error) {
		out := &nameSet{known: map[string]bool{}}
		for _, f := range files {
			out.known[f] = false
		}
		status, err := w.Box.Run(ctx, sandbox.Cmd{
			Args: append([]string{program, "--no-config", "--no-ignore", "--no-messages", "--text", "--encoding=none",
				"--files-with-matches", "--null", "--color=never", "--regexp=" + pattern, "--"}, files...),
			Limits: w.Boxes.glance(),
			Stdout: out,
		})
		if err == nil && status > 1 {
			err = fmt.Errorf("rg: status %d", status)
		}
		return out.known, err
	}
}

// nameSet marks the known ones among the names that are written to it, each with a NUL after it.
type nameSet struct {
	known map[string]bool
	rest  []byte
}

func (n *nameSet) Write(b []byte) (int, error) {
	n.rest = append(n.rest, b...)
	for {
		name, rest, ok := bytes.Cut(n.rest, []byte{0})
		if !ok {
			break
		}
		if _, ok := n.known[string(name)]; ok {
			n.known[string(name)] = true
		}
		n.rest = rest
	}
	if len(n.rest) > mostPattern+maxName {
		return 0, errors.New("a name is too long")
	}
	return len(b), nil
}

// widen writes a pattern for ripgrep that matches in every line in which re does, and perhaps in others. Everything
// becomes sets of characters and bytes, and what has no width is left out: its meaning, letter case and Unicode are where
// the two languages differ. It reports false if there is no such pattern.
func widen(b *strings.Builder, re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpNoMatch:
		return false
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			widenRune(b, r, re.Flags&syntax.FoldCase != 0)
		}
	case syntax.OpCharClass:
		widenClass(b, re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		widenClass(b, []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune})
	case syntax.OpCapture, syntax.OpConcat, syntax.OpAlternate:
		return widenAll(b, re, "")
	case syntax.OpStar:
		return widenAll(b, re, "*")
	case syntax.OpPlus:
		return widenAll(b, re, "+")
	case syntax.OpQuest:
		return widenAll(b, re, "?")
	case syntax.OpRepeat:
		if re.Max < 0 {
			return widenAll(b, re, fmt.Sprintf("{%d,}", re.Min))
		}
		return widenAll(b, re, fmt.Sprintf("{%d,%d}", re.Min, re.Max))
	}
	return true
}

func widenAll(b *strings.Builder, re *syntax.Regexp, repeat string) bool {
	b.WriteString("(?:")
	for i, sub := range re.Sub {
		if i > 0 && re.Op == syntax.OpAlternate {
			b.WriteByte('|')
		}
		if !widen(b, sub) {
			return false
		}
	}
	b.WriteString(")" + repeat)
	return true
}

func widenRune(b *strings.Builder, r rune, fold bool) {
	set := []rune{r, r}
	if fold {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			set = append(set, f, f)
		}
	}
	if len(set) == 2 && r != unicode.ReplacementChar {
		fmt.Fprintf(b, `\x{%x}`, r)
		return
	}
	widenClass(b, set)
}

// widenClass writes a set of characters, given as pairs of bounds. For Go a byte that is not UTF-8 is a U+FFFD.
func widenClass(b *strings.Builder, set []rune) {
	b.WriteString("(?:[")
	bytes := false
	for i := 0; i < len(set); i += 2 {
		low, high := set[i], set[i+1]
		bytes = bytes || low <= unicode.ReplacementChar && unicode.ReplacementChar <= high
		if low < 0xd800 {
			fmt.Fprintf(b, `\x{%x}-\x{%x}`, low, min(high, 0xd7ff))
		}
		if high > 0xdfff {
			fmt.Fprintf(b, `\x{%x}-\x{%x}`, max(low, 0xe000), high)
		}
	}
	b.WriteString("]")
	if bytes {
		b.WriteString(`|(?-u:[\x80-\xff])`)
	}
	b.WriteString(")")
}
