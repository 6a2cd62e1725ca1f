package ask

import (
	"context"
	"errors"
	"io"
	"strings"

	"tricode/approval"
	"tricode/approval/plain"
)

// Prompt asks for a line of text, with the keys that shells have: the arrows move in it and go through what was asked
// for before, the latest last. Lines that are pasted at once are one text. It returns ErrInterrupted after Ctrl-C, io.EOF
// after Ctrl-D and where the terminal is lost, approval.ErrNobody when nobody is there, and the cause of ctx when it is
// done. What was typed before it stood there counts, and in the background it waits, as in a shell: it is no question.
func (t *Terminal) Prompt(ctx context.Context, prompt string, before []string) (string, error) {
	t.tty.ahead()
	talk, err := t.tty.begin(ctx)
	for errors.Is(err, approval.ErrNobody) && t.tty.called() {
		talk, err = t.tty.begin(ctx)
	}
	if err != nil {
		return "", err
	}
	defer talk.end()
	prompt = plain.Line(prompt)
	text, err := talk.again(func() (string, error) {
		if t.options.Plain { // what is written anew with each key would be read out anew
			return talk.words(prompt)
		}
		return talk.edit(prompt, before)
	})
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil && !errors.Is(err, ErrInterrupted):
		return "", io.EOF
	}
	return strings.TrimSpace(text), err
}
