package agent

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tricode/approval"
	"tricode/providers"
	"tricode/tools"
)

func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		limits Limits
		want   string
	}{
		{Limits{Tokens: 250}, "the limit of 250 tokens is reached"},
		{Limits{Cost: 0.025}, "the limit of $0.0250 is reached"},
		{Limits{Time: 20 * time.Millisecond}, "the limit of 20ms is reached"},
	} {
		m := &model{says: []providers.Message{calls("t"), calls("t", "t"), calls("t"), calls("t"), calls("t")}}
		for i := range m.says {
			m.says[i].Usage = providers.Usage{Input: 90, Output: 10}
		}
		answered, called := 0, 0
		a := &Agent{
			Model: m, Gate: bypass(), Limits: tt.limits, Price: func(m providers.Message) float64 { return float64(m.Usage.Input+m.Usage.Output) / 10_000 },
			Tools: []tools.Tool{tool("t", approval.Read, func(ctx context.Context, _ io.Writer) (approval.Result, error) {
				if tt.limits.Time > 0 && len(m.told) == 3 {
					<-ctx.Done()
				}
				return approval.Result{Text: "x"}, nil
			})},
			Emit: func(e Event) error {
				if said, ok := e.(Said); ok {
					called += len(said.Message.Calls)
					if said.Message.Role == providers.ToolRole {
						answered++
					}
				}
				return nil
			},
		}
		synctest.Test(t, func(t *testing.T) {
			_, err := a.Run(t.Context(), nil)
			if !is[*LimitError](err) || err.Error() != tt.want || len(m.told) != 3 || called != 4 || answered != 4 {
				t.Errorf("%+v: %v after %d turns, %d of %d calls answered", tt.limits, err, len(m.told), answered, called)
			}
		})
	}
}

// What the server does not count is estimated, so that a limit of tokens ends the run all the same.
func TestLimitWithoutUsage(t *testing.T) {
	m := &small{window: 1 << 20, price: 4, turns: 100}
	a := &Agent{Model: m, Gate: bypass(), Limits: Limits{Tokens: 5000}, Tools: []tools.Tool{tool("t", approval.Read, says(strings.Repeat("x", 900)))}}
	if _, err := a.Run(t.Context(), []providers.Message{{Role: providers.User, Text: "task"}}); !is[*LimitError](err) {
		t.Errorf("Run = %v after %d turns", err, m.asked)
	}
}

func TestDollars(t *testing.T) {
	for amount, want := range map[float64]string{0: "$0.00", 0.00312: "$0.0031", 0.25: "$0.25", 12.5: "$12.50"} {
		if got := Dollars(amount); got != want {
			t.Errorf("Dollars(%v) = %q, want %q", amount, got, want)
		}
	}
}
