package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxBraces bounds what the braces of one word may expand to.
const maxBraces = 256

// braces expands {a,b}; ok is false for what is a sequence or too much.
func braces(x *syntax.Word) (list []*syntax.Word, ok bool) {
	split := splitBraces(x)
	if split == nil {
		return []*syntax.Word{x}, true
	}
	for i, part := range split.Parts[1:] {
		p, ok := split.Parts[i].(*syntax.ParamExp)
		if _, brace := part.(*syntax.BraceExp); brace && ok && p.Short { // bash makes $xa of $x{a,b}
			return nil, false
		}
	}
	return alternatives(split)
}

// splitBraces splits the braces of a word, nil if it has none.
func splitBraces(x *syntax.Word) *syntax.Word {
	open := slices.ContainsFunc(x.Parts, func(part syntax.WordPart) bool {
		lit, ok := part.(*syntax.Lit)
		return ok && strings.Contains(lit.Value, "{")
	})
	if split := (&syntax.Word{Parts: slices.Clone(x.Parts)}); open && syntax.SplitBraces(split) {
		return split
	}
	return nil
}

// braced reports whether a declaration gives its variable one value after the other: declare x={a,b}.
func braced(x *syntax.Word) bool { return x != nil && splitBraces(x) != nil }

// alternatives expands a word whose braces are split, those within each other too.
func alternatives(x *syntax.Word) (list []*syntax.Word, ok bool) {
	list = []*syntax.Word{{}}
	for _, part := range x.Parts {
		tails := []*syntax.Word{{Parts: []syntax.WordPart{part}}}
		if b, isBrace := part.(*syntax.BraceExp); isBrace {
			if tails, ok = braceElems(b); !ok {
				return nil, false
			}
		}
		if len(list)*len(tails) > maxBraces {
			return nil, false
		}
		list = product(list, tails)
	}
	return list, true
}

func braceElems(b *syntax.BraceExp) ([]*syntax.Word, bool) {
	if b.Sequence {
		return nil, false
	}
	var all []*syntax.Word
	for _, elem := range b.Elems {
		list, ok := alternatives(elem)
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
