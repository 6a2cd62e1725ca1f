package providers

import (
	"context"
	"encoding/json"
	"strconv"
)

// Support is what a model and its server were seen to do. What was not seen may still be there: a model does not do
// all that it can each time.
type Support struct {
	Streaming bool // answers come in pieces
	Usage     bool // tokens are counted
	Tools     bool // tools are called by the protocol
	Spoken    bool // tools are called in words, see Model.SupportsTools
	Parallel  bool // several in one answer
	Results   bool // it goes on when it is told what came of them
}

// addTool is what a probe offers.
const addTool = `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]}`

const addTask = "Call the tool add twice in one and the same message: with a=2 and b=3, and with a=4 and b=5. Then tell me both sums."

// Probe has the model use a tool and says what was seen of it; that takes two requests. With an error it says what
// was seen until then.
func (c *Client) Probe(ctx context.Context, onRetry func(Retry) error) (Support, error) {
	var s Support
	req := Request{
		Messages: []Message{{Role: User, Text: addTask}},
		Tools:    []Tool{{Name: "add", Description: "Adds two numbers.", Schema: json.RawMessage(addTool)}},
		OnRetry:  onRetry,
	}
	m, err := s.see(ctx, c, req)
	if err != nil || len(m.Calls) == 0 {
		return s, err
	}
	s.Spoken = c.encoder.spokenTo()
	s.Tools, s.Parallel = !s.Spoken, len(m.Calls) > 1
	req.Messages = append(req.Messages, m)
	for _, call := range m.Calls {
		req.Messages = append(req.Messages, Message{Role: ToolRole, CallID: call.ID, Text: sum(call.Arguments)})
	}
	_, err = s.see(ctx, c, req)
	s.Results = err == nil
	return s, err
}

// see makes one request.
func (s *Support) see(ctx context.Context, c *Client, req Request) (Message, error) {
	var m Message
	err := c.retry(ctx, req.OnRetry, func() (void bool, err error) {
		var a answer
		m, err = c.attempt(ctx, req, &a)
		s.Streaming = s.Streaming || a.events > 1
		return false, err
	})
	s.Usage = s.Usage || m.Usage != Usage{}
	return m, err
}

// sum is what the tool says.
func sum(arguments string) string {
	var in struct{ A, B int }
	if err := json.Unmarshal([]byte(arguments), &in); err != nil {
		return "error: " + err.Error()
	}
	return strconv.Itoa(in.A + in.B)
}
