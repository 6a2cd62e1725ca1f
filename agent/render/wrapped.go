package render

import (
	"io"
	"strings"
	"unicode/utf8"

	"tricode/approval/plain"
)

// wrapped writes text as it comes to a terminal, and begins a new row between words and not in the middle of one. Code and
// tables are left to the terminal. A word is written when its end is known.
type wrapped struct {
	to      io.Writer
	columns func() int

	word   strings.Builder
	blanks int  // before it
	column int  // where the row ends so far
	indent int  // of further rows of this line
	begun  bool // the line has a word
	kept   bool // the line stays as it is
	fenced bool // it lies between fences, as code does
}

// maxWord bounds a word that is held, in bytes, and the blanks before it.
const maxWord = 1024

// Write takes safe text, in whole characters.
func (w *wrapped) Write(p []byte) (int, error) {
	var b strings.Builder
	for _, r := range string(p) {
		switch {
		case r == '\n':
			w.put(&b)
			b.WriteString(strings.Repeat(" ", w.blanks) + "\n")
			w.blanks, w.column, w.indent, w.begun, w.kept = 0, 0, 0, false, w.fenced
		case r == ' ':
			w.put(&b)
			if w.blanks++; w.blanks == maxWord {
				b.WriteString(strings.Repeat(" ", w.blanks))
				w.blanks, w.column = 0, w.column+w.blanks
			}
		case r >= utf8.RuneSelf && plain.Width(string(r)) > 1: // scripts without blanks are broken anywhere
			w.put(&b)
			w.word.WriteRune(r)
			w.put(&b)
		default:
			if w.word.WriteRune(r); w.kept && w.begun || w.word.Len() > maxWord {
				w.put(&b)
			}
		}
	}
	if _, err := io.WriteString(w.to, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// put writes the word that is held.
func (w *wrapped) put(b *strings.Builder) {
	if w.word.Len() == 0 {
		return
	}
	word := w.word.String()
	w.word.Reset()
	width, columns := plain.Width(word), w.columns()
	if !w.begun {
		w.begin(word, width)
	}
	if !w.kept && columns > 0 && w.column > w.indent && w.column+w.blanks+width > columns {
		indent := w.indent
		if ourWord(word) {
			indent = max(indent, 2)
		}
		b.WriteString("\n" + strings.Repeat(" ", indent))
		w.blanks, w.column = 0, indent
	}
	b.WriteString(strings.Repeat(" ", w.blanks) + word)
	w.column += w.blanks + width
	w.blanks = 0
	if columns > 0 && w.column > columns { // the terminal broke it
		w.column = (w.column-1)%columns + 1
	}
}

// begin looks at the first word of a line.
func (w *wrapped) begin(word string, width int) {
	w.begun, w.indent = true, min(w.blanks, 8)
	if strings.HasPrefix(word, "```") {
		w.fenced, w.kept = !w.fenced, true
	}
	switch {
	case w.blanks >= 4, strings.HasPrefix(word, "|"), strings.HasPrefix(word, "\t"):
		w.kept = true
	case word == "-", word == "*", word == "•", len(word) < 4 && strings.Trim(word, "0123456789") == ".":
		w.indent += width + 1
	}
}
