package tools

import (
	"context"
	"io"
	"strings"

	"tricode/approval"
)

// CloseSession returns the tool that ends a session.
func CloseSession(w World) Tool {
	type input struct {
		SessionID string `json:"session_id"`
	}
	return New("close_session", "", func(_ context.Context, in input) (*approval.Action, error) {
		summary := "close " + in.SessionID
		s, err := w.Sessions.find(in.SessionID)
		if err != nil {
			return approval.Impossible(summary, err, unknownSession(in.SessionID)), nil
		}
		a := approval.NewAction(summary, func(context.Context, io.Writer) (approval.Result, error) {
			w.Sessions.remove(s)
			<-s.drained
			text, note := s.take(), strings.Join(s.hasMade(w.Boxes), "; ")
			if note != "" {
				text = withNote(text, note)
			}
			return approval.Result{Text: text, Note: note}, nil
		}, approval.Subject{Effects: approval.Exec, Session: s.id})
		a.Preview.Sections = []approval.Section{{Title: "Session", Lines: []string{s.String()}}}
		return a, nil
	})
}
