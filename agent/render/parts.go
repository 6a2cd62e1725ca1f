package render

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"tricode/agent"
	"tricode/approval/plain"
)

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

// plan shows a plan that has other steps than before: that one is done, its call has said.
func (t *Text) plan(e agent.PlanChanged) error {
	steps := make([]string, len(e.Steps))
	for i, s := range e.Steps {
		steps[i] = s.Text
	}
	if slices.Equal(steps, t.steps) {
		return nil
	}
	t.steps = steps
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
