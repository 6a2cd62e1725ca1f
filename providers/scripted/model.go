package scripted

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"tricode/providers"
)

// Model is a script that is being played. It is safe for concurrent use, but turns have one order only.
type Model struct {
	script script
	name   string

	mu   sync.Mutex
	used int // turns
}

// Complete plays the next turn, as a providers.Client would.
func (m *Model) Complete(ctx context.Context, req providers.Request, onText func(string) error) (providers.Message, error) {
	t, err := m.next(req)
	if err != nil {
		return providers.Message{}, err
	}
	if err := sleep(ctx, time.Duration(t.Delay)); err != nil {
		return providers.Message{}, err
	}
	if t.fails() {
		return providers.Message{}, &providers.Error{Provider: "scripted", Status: t.status(), Message: t.Error + t.Body,
			RetryAfter: time.Duration(t.RetryAfter)}
	}
	for _, piece := range t.pieces() {
		if onText != nil {
			if err := onText(piece); err != nil {
				return providers.Message{}, err
			}
		}
		if err := sleep(ctx, time.Duration(t.Pace)); err != nil {
			return providers.Message{}, err
		}
	}
	if t.Cut {
		return providers.Message{}, &providers.Error{Provider: "scripted", Message: "the answer was cut off", MidStream: true}
	}
	return t.message(), nil
}

// Unused returns an error if there are turns that were not played.
func (m *Model) Unused() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used < len(m.script.Turns) {
		return fmt.Errorf("%s was not played", m.script.Turns[m.used].where)
	}
	return nil
}

// next takes a turn and checks what the model is told for it.
func (m *Model) next(req providers.Request) (*turn, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	told := since(req.Messages)
	n := m.used
	if m.script.Repeat && len(m.script.Turns) > 0 {
		n %= len(m.script.Turns)
	}
	if n >= len(m.script.Turns) {
		return nil, fmt.Errorf("%s has %d turns and no more; the model was told:\n%s", m.name, n, text(told))
	}
	m.used++
	t := &m.script.Turns[n]
	err := answered(req.Messages, told)
	if err == nil {
		err = t.Expect.check(req.Tools, text(told))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.where, err)
	}
	return t, nil
}

// since returns the messages after the last one of the model.
func since(messages []providers.Message) []providers.Message {
	n := len(messages)
	for n > 0 && messages[n-1].Role != providers.Assistant {
		n--
	}
	return messages[n:]
}

func text(messages []providers.Message) string {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "%s: %s\n", m.Role, m.Text)
	}
	return b.String()
}

// answered checks that each call of the model's last message has exactly one answer, as real servers want it.
func answered(messages, told []providers.Message) error {
	if len(told) == len(messages) {
		return nil
	}
	open := map[string]int{}
	for _, c := range messages[len(messages)-len(told)-1].Calls {
		open[c.ID]++
	}
	for _, m := range told {
		if m.Role == providers.ToolRole {
			open[m.CallID]--
		}
	}
	for id, n := range open {
		switch {
		case n > 0:
			return fmt.Errorf("call %s was not answered", id)
		case n < 0:
			return fmt.Errorf("an answer for %q, which was not called", id)
		}
	}
	return nil
}

func (e *expect) check(tools []providers.Tool, told string) error {
	for _, want := range e.Contains {
		if !strings.Contains(told, want) {
			return fmt.Errorf("expected the model to be told %q; it was told:\n%s", want, told)
		}
	}
	for _, bad := range e.Excludes {
		if strings.Contains(told, bad) {
			return fmt.Errorf("expected the model not to be told %q; it was told:\n%s", bad, told)
		}
	}
	if e.Tools == nil {
		return nil
	}
	var offered []string
	for _, t := range tools {
		offered = append(offered, t.Name)
	}
	if !slices.Equal(slices.Sorted(slices.Values(offered)), slices.Sorted(slices.Values(*e.Tools))) {
		return fmt.Errorf("expected the tools %v; offered were %v", *e.Tools, offered)
	}
	return nil
}

func (t *turn) fails() bool { return t.Error != "" || t.Body != "" }

func (t *turn) status() int {
	switch {
	case t.Status != 0:
		return t.Status
	case t.Body != "":
		return http.StatusOK
	}
	return http.StatusInternalServerError
}

// pieces is the text as it is streamed: in words if that takes time, otherwise at once.
func (t *turn) pieces() []string {
	switch {
	case t.Text == "":
		return nil
	case t.Pace > 0:
		return strings.SplitAfter(t.Text, " ")
	}
	return []string{t.Text}
}

func (t *turn) message() providers.Message {
	m := providers.Message{Role: providers.Assistant, Text: t.Text, Finish: t.Finish,
		Usage: providers.Usage{Input: t.Input, Output: t.Output}}
	for _, c := range t.Calls {
		m.Calls = append(m.Calls, providers.Call{ID: c.ID, Name: c.Tool, Arguments: c.text})
	}
	return m
}

func sleep(ctx context.Context, d time.Duration) error {
	if d > 0 {
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
