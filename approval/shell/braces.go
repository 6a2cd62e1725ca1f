package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxBraces bounds what the braces of one word may expand to.
const maxBraces = 256

// braces expands {a,b}; ok is false for what is a sequence or too much.
func braces(x *syntax.Word) (list []*syntax.Word, ok bool) {
	open := false
	for _, part := range x.Parts {
		if lit, ok := part.(*syntax.Lit); ok && strings.Contains(lit.Value, "{") {
			open = true
		}
	}
	if !open {
		return []*syntax.Word{x}, true
	}
	split := &syntax.Word{Parts: append([]syntax.WordPart(nil), x.Parts...)}
	if !syntax.SplitBraces(split) {
		return []*syntax.Word{x}, true
	}
	list = []*syntax.Word{{}}
	for _, part := range split.Parts {
		alternatives := []*syntax.Word{{Parts: []syntax.WordPart{part}}}
		if b, isBrace := part.(*syntax.BraceExp); isBrace {
			if alternatives, ok = braceElems(b); !ok {
				return nil, false
			}
		}
		if len(list)*len(alternatives) > maxBraces {
			return nil, false
		}
		list = product(list, alternatives)
	}
	return list, true
}

func braceElems(b *syntax.BraceExp) ([]*syntax.Word, bool) {
	if b.Sequence {
		return nil, false
	}
	var all []*syntax.Word
	for _, elem := range b.Elems {
		list, ok := braces(elem)
		if !ok || len(all)+len(list) > maxBraces {
			return nil, false
		}
		all = append(all, list...)
	}
	return all, true
}

func product(heads, tails []*syntax.Word) []*syntax.Word {
	var all []*syntax.Word
	for _, h := range heads {
		for _, t := range tails {
			all = append(all, &syntax.Word{Parts: append(h.Parts[:len(h.Parts):len(h.Parts)], t.Parts...)})
		}
	}
	return all
}
