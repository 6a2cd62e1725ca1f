// Package plain makes untrusted text safe to print. What a terminal would act on, hide or reorder becomes a visible
// escape, \x1b or \u{202e}; nothing is dropped silently. Backslashes stay as they are, so that paths and patterns
// can be read; the price is that text may spell an escape that is none.
package plain

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Line returns s as one line: everything that is unsafe becomes an escape, line ends and tabs too. A line that went
// through it stays as it is when it does so again.
func Line(s string) string { return escape(s, line) }

// Text is Line for text of several lines: line feeds and tabs stay, carriage returns become \r.
func Text(s string) string { return escape(s, text) }

func escape(s string, k kind) string {
	n := clean(s, k)
	if n == len(s) {
		return s
	}
	e := escaper{kind: k}
	if n > 0 {
		e.prev = rune(s[n-1])
	}
	dst := append(make([]byte, 0, len(s)+len(s)/4+16), s[:n]...)
	return string(e.end(e.add(dst, []byte(s[n:]))))
}

// tabWidth is the most columns that a tab moves.
const tabWidth = 8

// maxCluster is more bytes than any real character of several runes has. What is longer is a flood that pretends to
// be one character, and is taken rune by rune.
const maxCluster = 64

// Width is how many columns safe text takes at most: wide characters take two, a tab eight.
func Width(s string) int {
	width, state := 0, -1
	for s != "" {
		var columns int
		_, s, columns, state = next(s, state)
		width += columns
	}
	return width
}

// Split divides safe text where it would become wider than the given number of columns. The head has one
// character at least, so that splitting again and again comes to an end.
func Split(s string, columns int) (head, rest string) {
	width, end, state := 0, 0, -1
	for end < len(s) {
		cluster, _, w, st := next(s[end:], state)
		if width += w; width > columns && end > 0 {
			break
		}
		end, state = end+len(cluster), st
	}
	return s[:end], s[end:]
}

// next takes the first character off s and says how many columns it takes.
func next(s string, state int) (cluster, rest string, columns, newState int) {
	if c := s[0]; state == -1 && len(s) > 1 && printable(c) && printable(s[1]) {
		return s[:1], s[1:], 1, -1
	}
	cluster, _, columns, newState = uniseg.FirstGraphemeClusterInString(s[:min(len(s), maxCluster+utf8.UTFMax)], state)
	switch {
	case cluster == "\t":
		columns = tabWidth
	case len(cluster) > maxCluster:
		_, n := utf8.DecodeRuneInString(s)
		cluster, newState = s[:n], -1
	}
	return cluster, s[len(cluster):], columns, newState
}

func printable(c byte) bool { return ' ' <= c && c < 0x7f }

// Cut is Line(s) in at most so many columns. Where something does not fit, a count of the characters that are not
// shown ends the line; it is there even if it takes more columns by itself.
func Cut(s string, columns int) string {
	s = Line(s)
	if len(s) <= columns || Width(s) <= columns {
		return s
	}
	total := len([]rune(s))
	room := max(columns-Width(more(total)), 0)
	head, _ := Split(s, room)
	if room == 0 {
		head = ""
	}
	return head + more(total-len([]rune(head)))
}

func more(n int) string { return fmt.Sprintf("… (%s more)", Count(n)) }

// Count writes a number with a comma between thousands: 4,310.
func Count(n int) string {
	if n < 0 {
		return "-" + Count(-n)
	}
	s := strconv.Itoa(n)
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}
