// Package render shows the events of a run: as text for people, or as JSON for programs. The final answer goes to
// standard output, everything else to standard error.
package render

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/fatih/color"

	"tricode/agent"
	"tricode/approval"
	"tricode/approval/plain"
	"tricode/providers"
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

// Verbosity is how much of a run is shown.
type Verbosity int

// The verbosities. The zero value shows each call as a line.
const (
	Normal  Verbosity = iota
	Quiet             // only the answer and errors
	Verbose           // results and decisions too
)

// Text shows a run to a person.
type Text struct {
	out, err  Stream
	verbosity Verbosity
	dim, red  *color.Color
	live      *plain.Writer // where text goes while it arrives; nil: held until it is known whether it is the answer
	open      bool          // the line on live is not finished
	waiting   waiting
	cleared   bool // rows were just taken away
}

// NewText shows text on two streams.
func NewText(out, err Stream, v Verbosity) *Text {
	t := &Text{out: out, err: err, verbosity: v, dim: style(err, color.Faint), red: style(err, color.FgRed)}
	switch {
	case out.Terminal:
		t.live = plain.NewWriter(&wrapped{to: out, columns: out.columns})
	case err.Terminal && v != Quiet:
		t.live = plain.NewWriter(&wrapped{to: err, columns: err.columns})
	}
	t.waiting.out, t.waiting.paint = err, func(s string) string { return t.dim.Sprint(s) }
	if v == Quiet {
		t.waiting.out.Redraws = false
	}
	return t
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

// Emit shows one event.
func (t *Text) Emit(e agent.Event) error {
	if output, ok := e.(agent.Output); ok {
		t.waiting.write(output.Text)
		return nil
	}
	t.cleared = t.waiting.hide()
	t.await(e)
	if err := t.show(e); err != nil {
		return err
	}
	t.waiting.show()
	return nil
}

const forModel = "waiting for the model"

// await finds what is waited for after an event. Where a person may be asked, that is nothing.
func (t *Text) await(e agent.Event) {
	switch e := e.(type) {
	case agent.Turn:
		t.waiting.wait(forModel)
	case agent.Retry:
		t.waiting.pause(time.Duration(e.Millis)*time.Millisecond, forModel)
	case agent.Decided:
		if e.Decision.Verdict == approval.Allow {
			t.waiting.wait("running")
		}
	case agent.Text, agent.Said, agent.Proposed, agent.Done, agent.Ended:
		t.waiting.wait("")
	}
}

func (t *Text) show(e agent.Event) error {
	switch e := e.(type) {
	case agent.Text:
		return t.text(e.Text)
	case agent.Said:
		return t.said(e)
	case agent.Proposed:
		t.waiting.fold()
		return t.line(t.dim, "• ", e.Summary)
	case agent.Decided:
		if t.verbosity == Verbose {
			return t.line(t.dim, "  ", fmt.Sprintf("%s by layer %d, %s: %s", e.Decision.Verdict, int(e.Decision.Layer), e.Decision.Layer, e.Decision.Reason))
		}
	case agent.Done:
		return t.done(e)
	case agent.PlanChanged:
		return t.plan(e)
	case agent.Contract:
		return t.contract(e)
	case agent.Notice:
		return t.line(t.dim, "", e.Text)
	case agent.Retry:
		return t.line(t.dim, "", e.Text)
	case agent.Compacted:
		return t.compacted(e)
	case agent.Ended:
		return t.ended(e)
	}
	return nil
}

func (t *Text) text(s string) error {
	if t.live == nil || s == "" {
		return nil
	}
	t.open = !strings.HasSuffix(s, "\n")
	_, err := io.WriteString(t.live, s)
	return err
}

// said closes the text of a turn. Text that came with calls is not the answer: where it was held it is shown now.
func (t *Text) said(e agent.Said) error {
	m := e.Message
	if m.Role != providers.Assistant {
		return nil
	}
	if err := t.finishTurn(m); err != nil || t.verbosity != Verbose {
		return err
	}
	taken := tokens(m.Usage)
	if taken != "" && e.Cost > 0 {
		taken += ", " + agent.Dollars(e.Cost)
	}
	if taken == "" {
		return nil
	}
	return t.line(t.dim, "  ", taken)
}

func (t *Text) finishTurn(m providers.Message) error {
	if t.live == nil && len(m.Calls) > 0 && m.Text != "" && t.verbosity != Quiet {
		_, err := fmt.Fprintln(t.err, plain.Text(m.Text))
		return err
	}
	return t.finishLine()
}

// finishLine ends a line of streamed text, so that what follows starts at the left.
func (t *Text) finishLine() error {
	if !t.open {
		return nil
	}
	t.open = false
	if _, err := io.WriteString(t.live, "\n"); err != nil {
		return err
	}
	return t.live.Flush()
}

// line prints one line of untrusted text to standard error, in as many rows as it takes.
func (t *Text) line(c *color.Color, prefix, text string) error {
	if t.verbosity == Quiet {
		return nil
	}
	if err := t.finishLine(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(t.err, c.Sprint(plain.Fold(prefix+plain.Line(text), t.err.columns())))
	return err
}

// done shows how a call ended: the end of what it printed, and what went wrong. Why it ended the run comes later.
func (t *Text) done(e agent.Done) error {
	if t.verbosity == Verbose && !e.Ends {
		return t.block(strings.Split(strings.TrimSuffix(untabbed(e.Result), "\n"), "\n"))
	}
	if err := t.block(t.waiting.fold()); err != nil {
		return err
	}
	wrong := e.Note
	if e.Failed {
		wrong, _, _ = strings.Cut(e.Result, "\n")
	}
	if wrong == "" || e.Ends {
		return nil
	}
	return t.line(t.red, "  ", wrong)
}

func (t *Text) block(lines []string) error {
	for _, l := range lines {
		if err := t.line(t.dim, "  ", l); err != nil {
			return err
		}
	}
	return nil
}

// compacted shows what the model noted about the turns that it will not see again.
func (t *Text) compacted(e agent.Compacted) error {
	if err := t.line(t.dim, "", fmt.Sprintf("%s left out, about %s before, %s now; what the model was told instead:",
		count(e.Dropped, "older message"), count(e.Before, "token"), plain.Count(e.After))); err != nil {
		return err
	}
	return t.block(strings.Split(untabbed(e.Message.Text), "\n"))
}

func (t *Text) plan(e agent.PlanChanged) error {
	for i, s := range e.Steps {
		mark := "[ ]"
		if s.Done {
			mark = "[x]"
		}
		if err := t.line(t.dim, "  "+mark+" ", fmt.Sprintf("%d. %s", i+1, s.Text)); err != nil {
			return err
		}
	}
	return nil
}

// interrupted is the status of a run that ^C ended, as shells have it.
const interrupted = 130

// contract shows a plan that nobody was asked about; a person has it on the screen already.
func (t *Text) contract(c agent.Contract) error {
	if c.Answer != "written" {
		return nil
	}
	for _, s := range c.Sections() {
		if err := t.line(t.dim, "", s.Title+":"); err != nil {
			return err
		}
		if err := t.block(s.Lines); err != nil {
			return err
		}
	}
	return nil
}

func (t *Text) ended(e agent.Ended) error {
	if err := t.finishLine(); err != nil {
		return err
	}
	if e.Status == interrupted && t.err.Terminal && !t.cleared { // which has just shown a ^C
		if _, err := io.WriteString(t.err, "\n"); err != nil {
			return err
		}
	}
	if !t.out.Terminal {
		if err := t.answer(e); err != nil {
			return err
		}
	}
	if err := Complain(t.err, e.Reason, e.Hint); err != nil {
		return err
	}
	for _, l := range summary(e) {
		if err := t.line(t.dim, "", l); err != nil {
			return err
		}
	}
	return nil
}

// Complain prints a line that says what is wrong and, if there is a hint, one that says what to type, which stays in one
// piece.
func Complain(to Stream, reason, hint string) error {
	if reason == "" {
		return nil
	}
	text := plain.Fold("tricode: "+plain.Line(reason), to.columns()) + "\n"
	if hint != "" {
		text += "tricode: hint: " + plain.Line(hint) + "\n"
	}
	_, err := io.WriteString(to, text)
	return err
}

// answer writes the answer, all of it.
func (t *Text) answer(e agent.Ended) error {
	if e.File == "" {
		return writeLine(t.out, e.Answer)
	}
	f, err := os.Open(e.File)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := io.Copy(t.out, f); err != nil || strings.HasSuffix(e.Answer, "\n") {
		return err
	}
	_, err = io.WriteString(t.out, "\n")
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
