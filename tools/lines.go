package tools

import (
	"bufio"
	"bytes"
	"io"
)

// Bounds of a line, in bytes.
const (
	mostOfLine  = 300     // shown
	mostPerLine = 1 << 20 // searched in one piece
)

// lineFinder finds the lines of a file that match. Very long lines are searched in pieces.
type lineFinder struct {
	re *expression
	r  *bufio.Reader
}

// newLineFinder makes pieces so small that matching one, which cannot be interrupted, takes about a second at most.
func newLineFinder(re *expression) lineFinder {
	return lineFinder{re: re, r: bufio.NewReaderSize(nil, min(mostPerLine, maxSearch/re.size))}
}

// possible reports whether data can have a match, without looking at its lines.
func (l *lineFinder) possible(data []byte) bool {
	prefix, _ := l.re.LiteralPrefix()
	return bytes.Contains(data, []byte(prefix)) && binaryKind(data[:min(len(data), binaryHead)]) == ""
}

// find calls fn for every line that matches, with its number and where the match is. Files that are not text have none.
func (l *lineFinder) find(f io.Reader, fn func(n int, line []byte, at []int) error) error {
	l.r.Reset(f)
	head, err := l.r.Peek(binaryHead)
	if err != nil && err != io.EOF || binaryKind(head) != "" {
		return notEnd(err)
	}
	if bytes.HasPrefix(head, []byte(mark)) {
		_, _ = l.r.Discard(len(mark)) // it was seen
	}
	found := 0 // the last line with a match
	for n := 1; ; {
		line, err := l.r.ReadSlice('\n')
		if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
			return err
		}
		text := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if len(line) > 0 && found < n && l.re.Match(text) {
			found = n
			if err := fn(n, text, l.re.FindIndex(text)); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err == nil {
			n++
		}
	}
}

func notEnd(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// around is a line, or the part of a long one that a match is in.
func around(line []byte, at []int) string {
	if len(line) <= mostOfLine {
		return string(bytes.ToValidUTF8(line, []byte("\ufffd")))
	}
	from := max(0, min(at[0]-mostOfLine/3, len(line)-mostOfLine))
	from = runeStart(line, from)
	to := runeStart(line, min(from+mostOfLine, len(line)))
	text := string(bytes.ToValidUTF8(line[from:to], []byte("\ufffd")))
	if from > 0 {
		text = "..." + text
	}
	if to < len(line) {
		text += "..."
	}
	return text
}
