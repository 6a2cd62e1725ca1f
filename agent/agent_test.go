package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"tricode/approval"
	"tricode/providers"
	"tricode/tools"
)

// model says the listed messages in turn and remembers what it was told.
type model struct {
	says []providers.Message
	told [][]providers.Message
}

func (m *model) Complete(ctx context.Context, req providers.Request, onText func(string) error) (providers.Message, error) {
	m.told = append(m.told, req.Messages)
	if len(m.says) < len(m.told) {
		return providers.Message{}, errors.New("nothing more to say")
	}
	says := m.says[len(m.told)-1]
	says.Role = providers.Assistant
	return says, onText(says.Text)
}

func text(s string) providers.Message { return providers.Message{Text: s} }

// calls makes a message with calls of the named tools, with the ids c1, c2 ...
func calls(names ...string) providers.Message {
	var m providers.Message
	for i, name := range names {
		m.Calls = append(m.Calls, providers.Call{ID: fmt.Sprintf("c%d", i+1), Name: name, Arguments: "{}"})
	}
	return m
}

// tool makes a tool that does what do says when the gate lets it.
func tool(name string, effects approval.Effects, do approval.Effect) tools.Tool {
	return tools.Tool{Name: name, Plan: func(context.Context, json.RawMessage) (*approval.Action, error) {
		a := approval.NewAction(name, do, approval.Subject{Effects: effects, Path: "/work/f", Rel: "f"})
		a.Tool = name
		return a, nil
	}}
}

func says(result string) approval.Effect {
	return func(context.Context, io.Writer) (approval.Result, error) { return approval.Result{Text: result}, nil }
}

func fails(err error) approval.Effect {
	return func(context.Context, io.Writer) (approval.Result, error) { return approval.Result{}, err }
}

// run runs a model against tools in mode bypass and returns what was said of each call, and how the run ended.
func run(t *testing.T, m *model, gate *approval.Gate, list ...tools.Tool) (map[string]string, error) {
	t.Helper()
	told := map[string]string{}
	a := &Agent{Model: m, Gate: gate, Tools: list, Emit: func(e Event) error {
		if said, ok := e.(Said); ok && said.Message.Role == providers.ToolRole {
			told[said.Message.CallID] += said.Message.Text
		}
		return nil
	}, Limits: Limits{Turns: 10}}
	_, err := a.Run(t.Context(), []providers.Message{{Role: providers.User, Text: "task"}})
	return told, err
}

func bypass() *approval.Gate {
	return &approval.Gate{Policy: approval.Policy{Mode: approval.ModeBypass, WorkDir: "/work"}}
}

func TestEveryCallIsAnswered(t *testing.T) {
	stale := 0
	keepsChanging := func(context.Context, io.Writer) (approval.Result, error) {
		stale++
		return approval.Result{}, approval.ErrStale
	}
	list := []tools.Tool{
		tool("good", approval.Write, says("made")), tool("bad", approval.Write, fails(errors.New("disk full"))),
		tool("stale", approval.Write, keepsChanging), tool("forbidden", approval.Network, says("never")),
		tool("crash", approval.Write, func(context.Context, io.Writer) (approval.Result, error) { panic("oops") }),
		{Name: "picky", Plan: func(context.Context, json.RawMessage) (*approval.Action, error) {
			return nil, errors.New("path: missing")
		}},
	}
	gate := bypass()
	gate.Policy.Tools = []string{"good", "bad", "stale", "crash", "picky", "nosuch"}
	m := &model{says: []providers.Message{calls("good", "bad", "nosuch", "picky", "forbidden", "stale", "unoffered"), text("done")}}
	told, err := run(t, m, gate, list...)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		"c1": "made", "c2": "error: disk full", "c3": "there is no tool \"nosuch\"\nthe tools are good, bad", "c4": "error: path: missing",
		"c5": "denied: forbidden is not on the list", "c6": "error: what it is about kept changing",
		"c7": "denied: unoffered is not on the list of tools of this run",
	} {
		if !strings.Contains(told[id], want) {
			t.Errorf("call %s was answered %q, want %q in it", id, told[id], want)
		}
	}
	if stale != maxReplans {
		t.Errorf("a stale call was tried %d times, want %d", stale, maxReplans)
	}
	if n := len(m.told[1]); n != 1+1+7 {
		t.Errorf("the second request has %d messages, want task, calls and seven answers", n)
	}
}

// redraws changes each call once, as a person with an editor does, and then performs it.
type redraws struct{ inputs []string }

func (g *redraws) Do(_ context.Context, a *approval.Action, _ io.Writer) (approval.Result, error) {
	g.inputs = append(g.inputs, a.Input)
	if !a.Edited {
		return approval.Result{}, &approval.Redraft{Input: `{"content":"line\nsk-secret <x>"}`}
	}
	return approval.Result{Text: "done"}, nil
}

// oneSecret hides one secret, of two lines.
type oneSecret struct{ Secrets }

func (oneSecret) Hide(text string, _ bool) string {
	return strings.ReplaceAll(text, "line\nsk-secret", "[secret-1]")
}
func (oneSecret) Restore(arguments string) (string, error) { return arguments, nil }
func (oneSecret) Recall(string)                            {}

// The model is told what a person made of its call, without the secrets in it.
func TestEditedCall(t *testing.T) {
	var planned []string
	anything := tools.Tool{Name: "f", Plan: func(_ context.Context, args json.RawMessage) (*approval.Action, error) {
		planned = append(planned, string(args))
		return approval.NewAction("f", nil), nil
	}}
	g := &redraws{}
	var told string
	a := &Agent{Model: &model{says: []providers.Message{calls("f"), text("done")}}, Gate: g, Tools: []tools.Tool{anything}, Secrets: oneSecret{},
		Emit: func(e Event) error {
			if said, ok := e.(Said); ok && said.Message.Role == providers.ToolRole {
				told = said.Message.Text
			}
			return nil
		}}
	if _, err := a.Run(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	const hidden = `{"content":"[secret-1] <x>"}`
	if want := "done\n(a person changed this call at the question; its arguments were " + hidden + ")"; told != want {
		t.Errorf("told %q; want %q", told, want)
	}
	if want := []string{"{}", `{"content":"line\nsk-secret <x>"}`}; !slices.Equal(planned, want) {
		t.Errorf("planned %q; want %q", planned, want)
	}
	if want := []string{"{}", hidden}; !slices.Equal(g.inputs, want) {
		t.Errorf("shown to others: %q; want %q", g.inputs, want)
	}
}

func TestWhatEndsARunLeavesNoCallUnanswered(t *testing.T) {
	interrupted := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	tests := []struct {
		name string
		gate *approval.Gate
		tool tools.Tool
		is   func(error) bool
	}{
		{"a denial", &approval.Gate{}, tool("t", approval.Write, says("")), is[*approval.Denied]},
		{"a crash", bypass(), tool("t", approval.Write, func(context.Context, io.Writer) (approval.Result, error) { panic("oops") }), is[*CrashError]},
		{"a log that breaks", recordless(), tool("t", approval.Write, says("")), is[*approval.RecordError]},
		{"an interrupt", bypass(), tool("t", approval.Write, func(context.Context, io.Writer) (approval.Result, error) {
			cancel(interrupted)
			return approval.Result{}, ctx.Err()
		}), func(err error) bool { return err == interrupted }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var answered []string
			m := &model{says: []providers.Message{calls("t", "t", "t"), text("done")}}
			a := &Agent{Model: m, Gate: tt.gate, Tools: []tools.Tool{tt.tool}, Emit: func(e Event) error {
				if said, ok := e.(Said); ok && said.Message.Role == providers.ToolRole {
					answered = append(answered, said.Message.CallID)
				}
				return nil
			}}
			_, err := a.Run(ctx, nil)
			if !tt.is(err) {
				t.Errorf("the run ended with %v", err)
			}
			if got := strings.Join(answered, " "); got != "c1 c2 c3" {
				t.Errorf("answered calls %q, want all three", got)
			}
			if len(m.told) != 1 {
				t.Errorf("the model was asked %d times, want once", len(m.told))
			}
		})
	}
}

func is[E error](err error) bool {
	var want E
	return errors.As(err, &want)
}

func recordless() *approval.Gate {
	g := bypass()
	g.Record = func(*approval.Action, approval.Decision) error { return errors.New("disk full") }
	return g
}

func TestLimitOfTurns(t *testing.T) {
	m := &model{says: []providers.Message{calls("t"), calls("t"), calls("t")}}
	a := &Agent{Model: m, Gate: bypass(), Tools: []tools.Tool{tool("t", approval.Read, says("x"))}, Limits: Limits{Turns: 2}}
	if _, err := a.Run(t.Context(), nil); !is[*LimitError](err) || len(m.told) != 2 {
		t.Errorf("Run = %v after %d turns, want the limit after 2", err, len(m.told))
	}
}

func TestOpenStepsAreRemindedOfOnce(t *testing.T) {
	plan := &tools.Plan{}
	m := &model{says: []providers.Message{
		{Calls: []providers.Call{{ID: "p", Name: "plan", Arguments: `{"action":"create","steps":["look","act"]}`}}}, text("done"), text("really done"),
	}}
	var shown int
	a := &Agent{Model: m, Gate: &approval.Gate{}, Tools: []tools.Tool{tools.NewPlan(plan)}, Plan: plan, Emit: func(e Event) error {
		if _, ok := e.(PlanChanged); ok {
			shown++
		}
		return nil
	}}
	answer, err := a.Run(t.Context(), nil)
	if err != nil || answer.Text != "really done" || shown != 1 {
		t.Fatalf("Run = %q, %v, plan shown %d times", answer.Text, err, shown)
	}
	last := m.told[2][len(m.told[2])-1]
	if last.Role != providers.User || !strings.Contains(last.Text, "Your plan still has 2 steps to do") {
		t.Errorf("the model was told %+v, want a reminder", last)
	}
}

// The plan is on the screen before what follows it is asked about.
func TestPlanIsShownBeforeTheNextCall(t *testing.T) {
	plan := &tools.Plan{}
	first := calls("plan", "good")
	first.Calls[0].Arguments = `{"action":"create","steps":["look"]}`
	var order []string
	a := &Agent{
		Model: &model{says: []providers.Message{first, text("done"), text("done")}}, Gate: bypass(), Plan: plan,
		Tools: []tools.Tool{tools.NewPlan(plan), tool("good", approval.Write, says("made"))},
		Emit: func(e Event) error {
			switch e := e.(type) {
			case Proposed:
				order = append(order, e.Tool)
			case PlanChanged:
				order = append(order, "the plan")
			}
			return nil
		},
	}
	if _, err := a.Run(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(order, ", "); got != "plan, the plan, good" {
		t.Errorf("shown: %s", got)
	}
}

func TestEncodePutsTheKindFirst(t *testing.T) {
	got, err := Encode(Turn{N: 3})
	if want := `{"type":"turn","v":1,"n":3}` + "\n"; string(got) != want || err != nil {
		t.Errorf("Encode = %q, %v; want %q", got, err, want)
	}
}
