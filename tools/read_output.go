package tools

import (
	"context"
	"fmt"
	"io"
	"time"

	"tricode/approval"
)

// ReadOutput returns the tool that reads what a session has printed since it was last read.
func ReadOutput(w World) Tool {
	type input struct {
		SessionID string `json:"session_id"`
		Timeout   int    `json:"timeout,omitempty" default:"1"`
	}
	return New("read_output", "Read what a session printed since.", func(_ context.Context, in input) (*approval.Action, error) {
		if in.Timeout < 0 || in.Timeout > maxTimeout {
			return nil, fmt.Errorf("timeout: %d is not between 0 and %d", in.Timeout, maxTimeout)
		}
		s, err := w.Sessions.find(in.SessionID)
		if err != nil {
			return nil, err
		}
		return approval.NewAction("read "+s.id, func(ctx context.Context, live io.Writer) (approval.Result, error) {
			return s.result(ctx, time.Duration(in.Timeout)*time.Second, live, "")
		}, approval.Subject{Effects: approval.Read, Session: s.id}), nil
	})
}
