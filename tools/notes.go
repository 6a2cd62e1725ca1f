package tools

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// notes are what a reading tool adds to what it read: what is left out, and how to get it.
type notes []string

// add adds a note if there is reason to.
func (n *notes) add(when bool, format string, args ...any) {
	if when {
		*n = append(*n, fmt.Sprintf(format, args...))
	}
}

// below returns the text with the notes on a line of their own below it.
func (n notes) below(text string) string {
	if n == nil {
		return text
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + "[" + strings.Join(n, "; ") + "]"
}

// plainName is a path on one line: quoted if it has anything in it that could pass for something else.
func plainName(name string) string {
	if strings.IndexFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) >= 0 {
		return strconv.Quote(name)
	}
	return name
}
