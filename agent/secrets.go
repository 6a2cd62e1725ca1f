package agent

import (
	"encoding/json"
	"errors"
	"strings"

	"tricode/providers"
	"tricode/tools"
)

// Secrets hides secrets in what tools bring, before the model, the transcript or the screen gets it. Names stand for
// them, and what is written into a file has the secrets again.
type Secrets interface {
	// Hide does so; ours says that names in the text are its own.
	Hide(text string, ours bool) string
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

func (a *Agent) hide(text string, ours bool) string {
	if a.Secrets == nil {
		return text
	}
	return a.Secrets.Hide(text, ours)
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

// hideArguments is hide for arguments that a person changed: for each text in them, as its escapes would keep secrets of
// several lines from being seen.
func (a *Agent) hideArguments(arguments string) string {
	var all map[string]any
	if a.Secrets == nil || json.Unmarshal([]byte(arguments), &all) != nil {
		return a.hide(arguments, false)
	}
	for name, value := range all {
		if text, ok := value.(string); ok {
			all[name] = a.hide(text, false)
		}
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(all) != nil {
		return a.hide(arguments, false)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
