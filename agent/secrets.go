package agent

import (
	"errors"
	"io"

	"tricode/providers"
	"tricode/tools"
)

// Secrets hides secrets in what tools bring, before the model, the transcript or the screen gets it. Names stand for
// them, and what is written into a file has the secrets again.
type Secrets interface {
	Hide(text string) string
	// Live hides them in what is written piece by piece; Close gives out what was held back.
	Live(to io.Writer) io.WriteCloser
	// Restore puts the secrets back into the arguments of a call, where names of them stand.
	Restore(arguments string) (string, error)
	// Recall is told of texts of an earlier run, with names whose secrets are not known any more.
	Recall(text string)
}

// recall tells of names in a conversation that is gone on with.
func (a *Agent) recall(history []providers.Message) {
	for _, m := range history {
		if a.Secrets != nil && m.Role == providers.ToolRole {
			a.Secrets.Recall(m.Text)
		}
	}
}

func (a *Agent) hide(text string) string {
	if a.Secrets == nil {
		return text
	}
	return a.Secrets.Hide(text)
}

// errHidden is the answer to a call that would give a name of a secret, or the secret, to something else than a file.
var errHidden = errors.New("the arguments have the name of a secret in them that was hidden from you. " +
	"create_file and edit_file write the secret itself in its place; nothing else can be given it")

// restored are the arguments of a call with the secrets that a file shall have.
func (a *Agent) restored(t tools.Tool, arguments string) (string, error) {
	if a.Secrets == nil {
		return arguments, nil
	}
	restored, err := a.Secrets.Restore(arguments)
	if err == nil && restored != arguments && !t.Writes {
		err = errHidden
	}
	return restored, err
}

// live is where a program's output goes while it is produced.
func (a *Agent) live(call string) io.WriteCloser {
	out := &liveOutput{a, call}
	if a.Secrets == nil {
		return out
	}
	return a.Secrets.Live(out)
}

// liveOutput turns what an effect prints into events.
type liveOutput struct {
	agent *Agent
	call  string
}

func (o *liveOutput) Write(p []byte) (int, error) {
	return len(p), o.agent.emit(Output{Call: o.call, Text: p})
}

// Close does nothing.
func (o *liveOutput) Close() error { return nil }
