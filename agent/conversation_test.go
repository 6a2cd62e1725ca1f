package agent

import (
	"context"
	"strings"
	"testing"

	"tricode/approval"
	"tricode/providers"
	"tricode/tools"
)

// sized is a model whose server says how many tokens it takes.
type sized struct {
	small
	says  int
	asked int
}

func (m *sized) Window(context.Context, int) int { m.asked++; return m.says }

// A server that cuts off what is too long without a word is asked how much it takes, where nobody said so.
func TestWindowIsAskedFor(t *testing.T) {
	for _, tt := range []struct{ told, says, want int }{{0, 4000, 4000}, {0, 0, defaultWindow}, {5000, 4000, 5000}, {0, 200_000, 200_000}} {
		m := &sized{small: small{window: 1 << 30, price: 4, turns: 12, reports: true}, says: tt.says}
		notices := ""
		a := &Agent{
			Model: m, Gate: bypass(), Window: tt.told, Tools: []tools.Tool{tool("t", approval.Read, says(strings.Repeat("x ", 700)))},
			Emit: func(e Event) error {
				if n, ok := e.(Notice); ok {
					notices += n.Text + "\n"
				}
				return nil
			},
		}
		if _, err := a.Run(t.Context(), []providers.Message{{Role: providers.User, Text: "the task"}}); err != nil {
			t.Fatal(err)
		}
		if a.talk.window != tt.want || tt.told > 0 && m.asked > 0 || tt.says > 0 && m.asked > 1 {
			t.Errorf("told %d, server says %d: window %d after it was asked %d times, want %d", tt.told, tt.says, a.talk.window, m.asked, tt.want)
		}
		if strings.Contains(notices, "takes only 4000 tokens") != (tt.want == 4000) {
			t.Errorf("told %d, server says %d: %s", tt.told, tt.says, notices)
		}
	}
}

// What one model takes says nothing about the next one, to which a run goes while the first is down.
func TestWindowOfAnotherModel(t *testing.T) {
	c := &conversation{window: 4000}
	for _, tt := range []struct {
		by     string
		window int
	}{{"a", 4000}, {"a", 4000}, {"b", defaultWindow}} {
		if c.taken(providers.Message{Provider: tt.by, Model: "m"}); c.window != tt.window || c.assumed != (tt.window == defaultWindow) {
			t.Errorf("after an answer of %s: window %d, assumed %v", tt.by, c.window, c.assumed)
		}
	}
}

// A person who says more before the model answered, as after a run that failed, says it in one message.
func TestSpeakingTwice(t *testing.T) {
	m := &small{window: 100_000, price: 4}
	a := &Agent{Model: m, Gate: bypass()}
	history := []providers.Message{{Role: providers.System, Text: "rules"}, {Role: providers.User, Text: "do it"}, {Role: providers.User, Text: "go on"}}
	if _, err := a.Run(t.Context(), history); err != nil {
		t.Fatal(err)
	}
	if got := m.bodies[0]; len(got) != 2 || got[1].Text != "do it\n\ngo on" || history[1].Text != "do it" {
		t.Errorf("the model was told %+v", got)
	}
}
