package tools

import (
	"context"
	"io"
	"reflect"
	"slices"

	"tricode/approval"
	"tricode/approval/shell"
)

// SendInput returns the tool that types into a session.
func SendInput(w World) Tool {
	type input struct {
		SessionID string `json:"session_id"`
		InputText string `json:"input_text" doc:"Enter is added"`
	}
	return New("send_input", "Type into a session.",
		func(ctx context.Context, in input) (*approval.Action, error) {
			summary := "send " + in.SessionID + " " + oneLine(in.InputText)
			s, err := w.Sessions.find(in.SessionID)
			if err != nil {
				return approval.Impossible(summary, err, unknownSession(in.SessionID)), nil
			}
			keys := typed(in.InputText)
			shown := s.judge(ctx, w, keys)
			a := approval.NewAction(summary, func(ctx context.Context, live io.Writer) (approval.Result, error) {
				if !reflect.DeepEqual(s.judge(ctx, w, keys), shown) {
					return approval.Result{}, approval.ErrStale
				}
				before := spotsOf(w.Dir, shown)
				if err := s.send(keys); err != nil {
					return approval.Result{}, err
				}
				r, err := s.result(ctx, answerWithin, live, "")
				r.Changed = changedSince(before)
				return r, err
			}, shown...)
			a.Preview.Sections = append(sections(ctx, w, shown), approval.Section{Title: "Session", Lines: []string{s.name}})
			a.Draft = lineDraft("input.sh", "input_text", &in, &in.InputText)
			return a, nil
		})
}

// unknownSession is what an input or a closing is about that goes nowhere; no rule can take it for harmless.
func unknownSession(id string) approval.Subject {
	return approval.Subject{Effects: approval.Exec | approval.ExecOpaque, Session: id}
}

// typed is a text as it is typed: with Enter behind it, unless its last character is a key of that kind.
func typed(text string) string {
	if text != "" && control(text[len(text)-1]) {
		return text
	}
	return text + "\n"
}

func control(c byte) bool { return c < ' ' || c == 0x7f }

// interrupting are the keys that a terminal turns into signals or the end of input: ^C ^D ^Z ^\.
const interrupting = "\x03\x04\x1a\x1c"

// judge says what keys would do in the session. To a shell they are a command line that goes on from all that it was told
// before; but they are never only reading, because what a shell has become cannot be known for sure.
func (s *session) judge(ctx context.Context, w World, keys string) []approval.Subject {
	gate := approval.Subject{Effects: approval.Exec, Session: s.id}
	opaque := func(why string) []approval.Subject {
		gate.Effects |= approval.ExecOpaque
		gate.Why = why
		return []approval.Subject{gate}
	}
	switch {
	case s.input == forProgram, len(keys) == 1 && slices.Contains([]byte(interrupting), keys[0]):
		return []approval.Subject{gate}
	case s.input == forUnknown:
		return opaque("what runs in the session may take it for a command")
	case !s.terminal.Foreground():
		return opaque("it goes to a program that the shell has started")
	}
	s.mu.Lock()
	said := s.said
	s.mu.Unlock()
	before, all := analyse(ctx, w, said), analyse(ctx, w, said+keys)
	if !goesOn(before, all) {
		return opaque("what was sent before makes it unclear what it does")
	}
	return append(all.Subjects[len(before.Subjects):], gate)
}

// goesOn reports whether one analysis begins with the other, of which everything is known. Programs and files may have changed since the shell
// was told about them; then nothing can be said.
func goesOn(before, all shell.Analysis) bool {
	for i, s := range before.Subjects {
		if s.Effects == 0 || s.Effects.Has(approval.ExecOpaque) || i >= len(all.Subjects) || !reflect.DeepEqual(s, all.Subjects[i]) {
			return false
		}
	}
	return true
}

// send types keys.
func (s *session) send(keys string) error {
	s.used()
	n, err := s.terminal.Type([]byte(keys), typeWithin)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.input == forShell && len(s.said) <= shell.MaxText { // more of it is not analysed
		s.said += keys[:n]
	}
	return err
}
