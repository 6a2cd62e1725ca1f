package tools

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"unicode/utf8"
)

// Bounds of what read_file shows unless it is told otherwise, and of what it can be told.
const (
	defaultBytes = 64 << 10
	defaultLines = 2000
	defaultWidth = 2000    // bytes of a line
	mostBytes    = 1 << 20 // max_bytes at most
	mostScanned  = 1 << 30 // bytes of a file that are looked at, for its lines and its sum
	binaryHead   = 8000    // bytes at the beginning that tell text from binary by a NUL, as git does
)

// window is the part of a file that is wanted.
type window struct {
	first, last int // lines from 1; a last of 0 is the end
	lines       int // lines at most
	bytes       int // bytes at most; the first line is cut rather than left out
	width       int // bytes of a line at most
}

// viewer reads a file of any size in little memory and keeps what is wanted of it.
type viewer struct {
	window
	text  []byte
	shown int // the last line in text
	full  bool
	cut   int // lines that are not shown whole
	bad   int // bytes that are not shown as they are

	kind string // what it is if it is no text
	size int64  // bytes read
	more bool   // the file goes on behind mostScanned
	sum  string // SHA-256, if it was wanted and all of the file was read

	bom  bool
	line int  // lines, one without an end included
	crlf int  // lines that end in CR LF
	open bool // the last line has no end

	head []byte // of the line that is being read
	long int    // bytes of that line so far
}

// read looks at all of the file.
func (v *viewer) read(ctx context.Context, f io.Reader, sum bool) error {
	limited := &io.LimitedReader{R: watched{ctx, f}, N: mostScanned + 1}
	in, hash := io.Reader(limited), sha256.New()
	if sum {
		in = io.TeeReader(in, hash)
	}
	r := bufio.NewReaderSize(in, 64<<10)
	head, err := r.Peek(binaryHead)
	if err != nil && err != io.EOF {
		return err
	}
	v.kind = binaryKind(head)
	if v.bom = bytes.HasPrefix(head, []byte(mark)); v.bom {
		n, _ := r.Discard(len(mark))
		v.size = int64(n)
	}
	for {
		part, err := r.ReadSlice('\n')
		v.take(part)
		if err == io.EOF {
			break
		}
		if err != nil && err != bufio.ErrBufferFull {
			return err
		}
	}
	v.open = v.long > 0
	v.endLine(0)
	v.more = limited.N == 0
	if sum && !v.more {
		v.sum = fmt.Sprintf("%x", hash.Sum(nil))
	}
	return nil
}

// mark is the byte order mark of UTF-8.
const mark = "\ufeff"

// binaryKind says what a file that begins like this is, "" for text.
func binaryKind(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")):
		return "UTF-16 text"
	case bytes.IndexByte(head, 0) >= 0:
		return "binary file"
	}
	return ""
}

// take adds a part of a line.
func (v *viewer) take(part []byte) {
	v.size += int64(len(part))
	if v.long == 0 && len(part) > 0 {
		v.line++
	}
	v.long += len(part)
	body, ended := bytes.CutSuffix(part, []byte("\n"))
	body, crlf := bytes.CutSuffix(body, []byte("\r"))
	if !ended && crlf { // not the end yet
		body, crlf = part, false
	}
	room := v.limit() + utf8.UTFMax - len(v.head)
	v.head = append(v.head, body[:max(0, min(len(body), room))]...)
	if crlf {
		v.crlf++
	}
	if ended {
		v.endLine(len(part) - len(body))
	}
}

// limit is how many bytes of a line are shown.
func (v *viewer) limit() int { return min(v.width, v.bytes) }

// endLine takes the line that was read into the text if it is wanted; end is the length of what ended it.
func (v *viewer) endLine(end int) {
	line, long := v.head, v.long-end
	wanted := v.long > 0 && v.kind == "" && v.line >= v.first && (v.last == 0 || v.line <= v.last)
	v.head, v.long = v.head[:0], 0
	if !wanted || v.full {
		return
	}
	var tail string
	if long > v.limit() {
		line = line[:runeStart(line, v.limit())]
		tail = fmt.Sprintf("[+%d bytes]", long-len(line))
	}
	if v.full = v.line-v.first >= v.lines || len(v.text) > 0 && len(v.text)+len(line) > v.bytes; v.full {
		return
	}
	if tail != "" {
		v.cut++
	}
	v.shown = v.line
	v.text = append(append(v.appendText(v.text, line), tail...), "\n"[:min(end, 1)]...)
}

// appendText adds a line with whatever is not text replaced.
func (v *viewer) appendText(b, line []byte) []byte {
	if utf8.Valid(line) && bytes.IndexByte(line, 0) < 0 {
		return append(b, line...)
	}
	for len(line) > 0 {
		r, n := utf8.DecodeRune(line)
		if r == 0 || r == utf8.RuneError && n == 1 {
			v.bad++
			r = utf8.RuneError
		}
		b, line = utf8.AppendRune(b, r), line[n:]
	}
	return b
}

// runeStart is the beginning of the character that reaches over b[n], or n.
func runeStart(b []byte, n int) int {
	for i := n; i > max(0, n-utf8.UTFMax) && i < len(b); i-- {
		if utf8.RuneStart(b[i]) {
			return i
		}
	}
	return n
}

// facts are the size, the number of lines and the sum.
func (v *viewer) facts() string {
	if v.more {
		return fmt.Sprintf("more than %d bytes, %d lines in these, sha256 not computed", mostScanned, v.line)
	}
	return fmt.Sprintf("%d bytes, %d lines, sha256 %s", v.size, v.line, v.sum)
}

// notes say what is not shown, or not as it is in the file.
func (v *viewer) notes() notes {
	var n notes
	if v.kind != "" {
		n.add(true, "%s, %d bytes: not shown", v.kind, v.size)
		return n
	}
	total := fmt.Sprint(v.line)
	if v.more {
		total = "at least " + total
	}
	n.add(v.size == 0, "the file is empty")
	n.add(v.shown > 0 && (v.first > 1 || v.shown < v.line || v.more), "lines %d-%d of %s", v.first, v.shown, total)
	n.add(v.full, "go on with start_line %d", v.shown+1)
	n.add(v.cut > 0, "lines longer than %d bytes are cut", v.limit())
	n.add(v.cut > 0 && v.limit() < mostBytes, "max_bytes shows more of a line, up to %d", mostBytes)
	n.add(v.bad > 0, "%d bytes that are not UTF-8 text are shown as %c", v.bad, utf8.RuneError)
	n.add(v.bom, "the file begins with a byte order mark")
	n.add(v.crlf > 0 && v.crlf < v.line, "%d of %s lines end in CR LF", v.crlf, total)
	n.add(v.crlf > 0 && v.crlf == v.line, "lines end in CR LF")
	n.add(v.open && v.shown == v.line, "no newline at the end of the file")
	return n
}

// watched is a reader that ends with ctx.
type watched struct {
	ctx context.Context
	io.Reader
}

func (w watched) Read(b []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	return w.Reader.Read(b)
}
