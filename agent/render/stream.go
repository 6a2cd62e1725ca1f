package render

import (
	"io"
	"strings"

	"github.com/fatih/color"

	"tricode/approval/plain"
)

// Stream is an output and what is known about it.
type Stream struct {
	io.Writer
	Terminal bool
	Color    bool
	Redraws  bool // rows may be drawn on it and taken away again

	Columns func() int // of a terminal; nil otherwise
}

// columns is how wide a terminal is now, 0 for what is none.
func (s Stream) columns() int {
	if s.Columns == nil {
		return 0
	}
	return s.Columns()
}

// Write writes to the output. A terminal that is gone takes everything: its loss ends the run by a signal, or at the
// next question, and not as a broken output would.
func (s Stream) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	if s.Terminal {
		return len(p), nil
	}
	return n, err
}

// WriteString is Write without a copy, where the output can do that.
func (s Stream) WriteString(text string) (int, error) {
	n, err := io.WriteString(s.Writer, text)
	if s.Terminal {
		return len(text), nil
	}
	return n, err
}

func style(s Stream, a color.Attribute) *color.Color {
	c := color.New(a)
	if s.Color {
		c.EnableColor()
	} else {
		c.DisableColor()
	}
	return c
}

// Complain prints a line that says what is wrong and, if there is a hint, one that says what to type, which stays in one
// piece, or more of them where it has more.
func Complain(to Stream, reason, hint string) error {
	if reason == "" {
		return nil
	}
	text := plain.Fold("tricode: "+plain.Line(reason), to.columns()) + "\n"
	if hint != "" {
		for line := range strings.SplitSeq("tricode: hint: "+hint, "\n") {
			text += plain.Line(line) + "\n"
		}
	}
	_, err := io.WriteString(to, text)
	return err
}

// writeLine writes a text, which may be large, and ends its last line.
func writeLine(w io.Writer, text string) error {
	if text == "" {
		return nil
	}
	_, err := io.WriteString(w, text)
	if err == nil && !strings.HasSuffix(text, "\n") {
		_, err = io.WriteString(w, "\n")
	}
	return err
}
