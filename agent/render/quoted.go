package render

import (
	"bytes"
	"io"
	"slices"
	"strings"
)

// quoted puts a mark before lines of a model that begin as those of tricode do: a question that it made up must not look
// like one that is asked. The beginning of a line is held until it is known whose it is like.
type quoted struct {
	to   io.Writer
	held []byte
	past bool // the beginning of this line was looked at
}

// quote is the mark, which a screen reader has a word for.
const quote = "| "

// own is how lines of a question and of complaints begin, with one blank for many.
var own = []string{"========", "⚠️ DESTRUCTIVE", "⚠ DESTRUCTIVE", "DESTRUCTIVE OPERATION", "Your choice [", "tricode:"}

// Write takes safe text.
func (q *quoted) Write(p []byte) (int, error) {
	text := p
	if q.held != nil {
		text, q.held = append(q.held, p...), nil
	}
	var marked []byte // what is before text, if there is a mark in it
	for at := 0; ; {
		if !q.past && at < len(text) {
			is, known := ours(text[at:])
			if !known {
				q.held, text = bytes.Clone(text[at:]), text[:at]
				break
			}
			if q.past = true; is {
				marked, text, at = append(append(marked, text[:at]...), quote...), text[at:], 0
			}
		}
		end := bytes.IndexByte(text[at:], '\n') + 1
		if end == 0 {
			break
		}
		at, q.past = at+end, false
	}
	if marked != nil {
		text = append(marked, text...)
	}
	if _, err := q.to.Write(text); err != nil {
		return 0, err
	}
	return len(p), nil
}

// ours reports whether a line begins as one of tricode does; it is not known while more of the line could make it one.
func ours(text []byte) (is, known bool) {
	head := bytes.TrimLeft(text[:min(len(text), maxWord)], " ")
	if len(head) > 0 && !slices.ContainsFunc(own, func(o string) bool { return o[0] == head[0] }) {
		return false, true // as most lines
	}
	line, _, ended := bytes.Cut(head, []byte{'\n'})
	begins := strings.Join(strings.Fields(string(line)), " ")
	if bytes.HasSuffix(line, []byte{' '}) {
		begins += " "
	}
	open := false
	for _, o := range own {
		if strings.HasPrefix(begins, o) {
			return true, true
		}
		open = open || strings.HasPrefix(o, begins)
	}
	return false, ended || !open || len(text) >= maxWord
}

// ourWord reports whether a line of tricode may begin with a word.
func ourWord(word string) bool {
	return slices.ContainsFunc(own, func(o string) bool {
		first, _, _ := strings.Cut(o, " ")
		return strings.HasPrefix(word, first)
	})
}
