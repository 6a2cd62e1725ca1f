// Package render shows the events of a run: as text for people, or as JSON for programs. The final answer goes to
// standard output, everything else to standard error.
package render

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fatih/color"

	"tricode/agent"
	"tricode/approval"
	"tricode/approval/plain"
	"tricode/providers"
)

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
	steps     []string // of the plan, as it was shown
	cleared   bool     // rows were just taken away
}

// NewText shows text on two streams.
func NewText(out, err Stream, v Verbosity) *Text {
	t := &Text{out: out, err: err, verbosity: v, dim: style(err, color.Faint), red: style(err, color.FgRed)}
	switch {
	case out.Terminal:
		t.live = plain.NewWriter(&quoted{to: &wrapped{to: out, columns: out.columns}})
	case err.Terminal && v != Quiet:
		t.live = plain.NewWriter(&quoted{to: &wrapped{to: err, columns: err.columns}})
	}
	t.waiting.out, t.waiting.paint = err, func(s string) string { return t.dim.Sprint(s) }
	if v == Quiet {
		t.waiting.out.Redraws = false
	}
	return t
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
