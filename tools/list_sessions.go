package tools

import (
	"context"
	"io"

	"tricode/approval"
)

// ListSessions returns the tool that names the sessions there are.
func ListSessions(w World) Tool {
	return New("list_sessions", "", func(context.Context, struct{}) (*approval.Action, error) {
		return approval.NewAction("list sessions", func(context.Context, io.Writer) (approval.Result, error) {
			return approval.Result{Text: w.Sessions.list()}, nil
		}, approval.Subject{Effects: approval.Read}), nil
	})
}
