package agent

import (
	"fmt"
	"io"
	"strings"

	"tricode/approval"
	"tricode/providers"
)

// Keeper takes a text that is too long for the model, as it comes, to where the model can read it. Writes do not fail; Close
// says in words where the text is, and which file has it if one has all of it.
type Keeper interface {
	io.Writer
	Close() (file, where string)
	Drop() // instead of Close: nobody wants it
}

func (a *Agent) keeper() Keeper {
	if a.Keep == nil {
		return lost{}
	}
	return a.Keep()
}

// lost keeps nothing.
type lost struct{}

func (lost) Write(p []byte) (int, error) { return len(p), nil }
func (lost) Close() (file, where string) { return "", "not kept" }
func (lost) Drop()                       {}

// speech is what the model says in one answer. All of it is passed on as it comes; more than a message can have of it is
// kept as a long result of a tool is.
type speech struct {
	agent *Agent
	size  int
	text  strings.Builder // while there is no more than a message can have
	last  []byte          // the end of it
	kept  Keeper          // otherwise
}

// hear takes a piece.
func (s *speech) hear(text string) error {
	s.size += len(text)
	s.last = append(s.last, text[max(0, len(text)-shortTail):]...)
	s.last = s.last[max(0, len(s.last)-shortTail):]
	if s.kept == nil && s.size > providers.MaxText {
		s.kept = s.agent.keeper()
		io.WriteString(s.kept, s.text.String())
		s.text.Reset()
	}
	if s.kept != nil {
		io.WriteString(s.kept, text)
	} else {
		s.text.WriteString(text)
	}
	return s.agent.emit(Text{Text: text})
}

// forget is that it was said in vain, or that the next answer begins anew.
func (s *speech) forget() {
	if s.kept != nil {
		s.kept.Drop()
	}
	*s = speech{agent: s.agent}
}

// end makes a message that can be kept in mind of one of which there is more.
func (s *speech) end(said *Said) error {
	if s.kept == nil {
		return nil
	}
	file, where := s.kept.Close()
	if s.agent.Keep != nil && file == "" { // what cannot be recorded is not said
		return &approval.RecordError{Err: fmt.Errorf("an answer of %d bytes is %s", s.size, where)}
	}
	said.File = file
	said.Message.Text = shortened(said.Message.Text, string(s.last), s.size, where)
	return nil
}
