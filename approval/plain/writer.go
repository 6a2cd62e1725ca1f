package plain

import (
	"io"
	"unicode/utf8"
)

// Writer makes a stream safe, wherever it is cut into pieces: the text of a model, the output of a command. Line
// feeds and tabs stay, a carriage return begins a new line. What it holds back between two writes, a few bytes at
// most, comes with the next one or with Flush.
type Writer struct {
	w    io.Writer
	e    escaper
	part []byte // the beginning of a rune
	buf  []byte
}

// NewWriter returns a Writer that passes safe text on to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w, e: escaper{kind: stream}} }

// maxPiece bounds the buffer, whatever the size of a write.
const maxPiece = 16 << 10

// Write passes on the safe form of p.
func (w *Writer) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		n := min(len(rest), maxPiece)
		if err := w.piece(rest[:n]); err != nil {
			return len(p) - len(rest), err
		}
		rest = rest[n:]
	}
	return len(p), nil
}

func (w *Writer) piece(p []byte) error {
	if len(w.part) == 0 && w.e.held == 0 && w.e.prev != '\r' && clean(p, stream) == len(p) {
		w.e.prev, w.e.marks = rune(p[len(p)-1]), 0
		_, err := w.w.Write(p)
		return err
	}
	if len(w.part) > 0 {
		p = append(w.part, p...)
	}
	whole := complete(p)
	w.buf = w.e.add(w.buf[:0], p[:whole])
	w.part = append([]byte(nil), p[whole:]...)
	return w.flush()
}

// Flush passes on what was held back; call it at the end of the stream.
func (w *Writer) Flush() error {
	w.buf = w.e.end(w.e.add(w.buf[:0], w.part))
	w.part = nil
	return w.flush()
}

func (w *Writer) flush() error {
	if len(w.buf) == 0 {
		return nil
	}
	_, err := w.w.Write(w.buf)
	return err
}

// complete is the length of p without a rune that is cut off at its end.
func complete(p []byte) int {
	for i := len(p) - 1; i >= 0 && i >= len(p)-utf8.UTFMax; i-- {
		if utf8.RuneStart(p[i]) {
			if utf8.FullRune(p[i:]) {
				break
			}
			return i
		}
	}
	return len(p)
}
