package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is one field of a command after expansion.
type word struct {
	text  string // its value, or its source if that is not known
	known bool
	tame  bool    // not known, but surely one field that is no option: a number, a pipe's name
	one   bool    // not known, but surely one field
	many  bool    // not known, and any number of fields
	found bool    // a file name that a glob found
	idle  bool    // a glob that found nothing yet
	whole bool    // of a glob for all that a directory holds
	from  *lister // not known, but names that this lists; one of them, unless there may be many
	each  bool    // not known, but one of the files that find finds, or made of its name
}

func literal(s string) word { return word{text: s, known: true} }

// maxFields bounds what one word may expand to.
const maxFields = 1000

// maxBytes bounds the text that all expansions together may make.
const maxBytes = 1 << 20

// fields expands the words of a command.
func (w *walker) fields(list []*syntax.Word) []word {
	out := make([]word, 0, len(list))
	for _, x := range list {
		out = w.expand(out, x)
		w.bytes += len(out[max(len(out)-1, 0):]) // a word costs even where it says nothing
		if len(out) > 4*maxFields {
			return append(out[:1], word{text: w.slice(x)})
		}
	}
	return out
}

// expand appends the fields of one word.
func (w *walker) expand(out []word, x *syntax.Word) []word {
	if len(x.Parts) == 1 {
		if lit, ok := x.Parts[0].(*syntax.Lit); ok && !strings.ContainsAny(lit.Value, `\*?[{~`) {
			return append(out, literal(lit.Value))
		}
	}
	list, ok := braces(x)
	if !ok {
		w.inner(x)
		return append(out, word{text: w.slice(x)})
	}
	for _, x := range list {
		e := expansion{w: w, source: x}
		e.parts(x.Parts, false)
		n := len(out)
		if out = e.finish(out); len(out) == n+1 && !out[n].known {
			out[n].from, out[n].many = w.listed(x)
		}
	}
	return out
}

// single expands a word where a shell would neither split nor glob: an assignment, a case word, a here-string.
func (w *walker) single(x *syntax.Word) word {
	if x == nil {
		return literal("")
	}
	e := expansion{w: w, source: x, whole: true}
	e.parts(x.Parts, false)
	return e.end()
}

// slice is the source of a node.
func (w *walker) slice(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from < 0 || to > len(w.source) || from >= to {
		return "?"
	}
	return w.source[from:to]
}
