//go:build !windows

package ask

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"tricode/approval/plain"
)

// editor is a text that is typed, and what of it is on the screen. It is one of our own because those of libraries count
// characters where a terminal counts columns: in a line with wide ones the cursor goes astray.
type editor struct {
	prompt        string
	columns, rows int // of the terminal
	text          []rune
	at            int // the cursor is before this one
	row           int // on which row of what is painted the cursor stands

	past []string // what was typed before, the latest last
	back int      // how far back in it the text is from; 0: it is a new one
	own  []rune   // the new one, meanwhile
}

// insert puts what was typed or pasted at the cursor.
func (e *editor) insert(r rune) {
	if len(e.text) < maxText {
		e.text = append(e.text, 0)
		copy(e.text[e.at+1:], e.text[e.at:])
		e.text[e.at] = r
		e.at++
	}
}

// key does what a key says, by the byte or the sequence that the terminal sends.
func (e *editor) key(k string) {
	switch k {
	case "\x01", "\x1b[H":
		e.at = 0
	case "\x05", "\x1b[F":
		e.at = len(e.text)
	case "\x02", "\x1b[D":
		e.at = e.left()
	case "\x06", "\x1b[C":
		e.at = e.right()
	case "\x1b[1;3D":
		e.at = e.word()
	case "\x1b[1;3C":
		for ; e.at < len(e.text) && !letter(e.text[e.at]); e.at++ {
		}
		for ; e.at < len(e.text) && letter(e.text[e.at]); e.at++ {
		}
	case "\x08", "\x7f":
		e.cut(e.left(), e.at)
	case "\x04", "\x1b[3~":
		e.cut(e.at, e.right())
	case "\x0b":
		e.cut(e.at, len(e.text))
	case "\x15":
		e.cut(0, e.at)
	case "\x17":
		e.cut(e.word(), e.at)
	case "\x10", "\x1b[A":
		e.recall(e.back + 1)
	case "\x0e", "\x1b[B":
		e.recall(e.back - 1)
	}
}

func (e *editor) cut(from, to int) {
	e.text = append(e.text[:from], e.text[to:]...)
	e.at = from
}

// left is where the character before the cursor begins, with what combines with it.
func (e *editor) left() int {
	at := max(e.at-1, 0)
	for at > 0 && unicode.IsMark(e.text[at]) {
		at--
	}
	return at
}

// right is where the character at the cursor ends.
func (e *editor) right() int {
	at := min(e.at+1, len(e.text))
	for at < len(e.text) && unicode.IsMark(e.text[at]) {
		at++
	}
	return at
}

// word is where the word before the cursor begins.
func (e *editor) word() int {
	at := e.at
	for at > 0 && !letter(e.text[at-1]) {
		at--
	}
	for at > 0 && letter(e.text[at-1]) {
		at--
	}
	return at
}

func letter(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}

// recall takes the text that was typed so many before this one.
func (e *editor) recall(back int) {
	if back < 0 || back > len(e.past) {
		return
	}
	if e.back == 0 {
		e.own = e.text
	}
	if e.back = back; back == 0 {
		e.text = e.own
	} else {
		e.text = typeable(e.past[len(e.past)-back])
	}
	e.at = len(e.text)
}

// fit takes over the size of the terminal. With another number of columns what is painted is in other rows.
func (e *editor) fit(columns, rows int) {
	changed := e.columns > 0 && columns != e.columns
	if e.columns, e.rows = columns, rows; changed {
		_, e.row, _ = e.draw(&strings.Builder{})
	}
}

// paint writes the text anew, over what was painted before, and leaves the cursor where it belongs.
func (e *editor) paint(to io.Writer) {
	var b strings.Builder
	e.up(&b, e.row)
	row, atRow, atColumn := e.draw(&b)
	b.WriteString("\x1b[J")
	e.up(&b, row-atRow)
	if atColumn > 0 {
		fmt.Fprintf(&b, "\x1b[%dC", atColumn)
	}
	e.row = atRow
	io.WriteString(to, b.String())
}

// draw writes prompt and text, and returns the row that it ends in and where the cursor belongs. Of a text that is longer
// than the screen the part around the cursor is shown.
func (e *editor) draw(b *strings.Builder) (row, atRow, atColumn int) {
	from, end := e.window()
	head := e.prompt
	if from > 0 {
		head += "…"
	}
	column := 0
	put := func(s string) {
		width := plain.Width(s)
		if column+width > e.columns {
			row, column = row+1, 0
			b.WriteString("\x1b[K") // what stood there
		}
		b.WriteString(s)
		if column += width; column == e.columns { // the terminal goes on only with the next character
			b.WriteString(" \r")
			row, column = row+1, 0
		}
	}
	for _, r := range head {
		put(string(r))
	}
	atRow, atColumn = row, column
	for i := from; i < end; i++ {
		put(shown(e.text[i]))
		if i+1 == e.at {
			atRow, atColumn = row, column
		}
	}
	if end < len(e.text) {
		put("…")
	}
	return row, atRow, atColumn
}

// up goes to the left end of the row that is so many above.
func (e *editor) up(b *strings.Builder, rows int) {
	b.WriteByte('\r')
	if rows > 0 {
		fmt.Fprintf(b, "\x1b[%dA", rows)
	}
}

// window is the part of the text for which there is room whatever is in it.
func (e *editor) window() (from, end int) {
	room := max(e.columns*(e.rows-2)/2-len(e.prompt), 16)
	if len(e.text) <= room {
		return 0, len(e.text)
	}
	from = max(e.at-room/2, 0)
	return from, min(from+room, len(e.text))
}

// shown is how a character stands on the screen: a line end, which only a paste has, as a sign.
func shown(r rune) string {
	if r == '\n' {
		return "↵"
	}
	return string(r)
}
