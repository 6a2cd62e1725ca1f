package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"tricode/approval"
)

// Step is one step of a plan.
type Step struct {
	Text  string     `json:"text"`
	Done  bool       `json:"done"`
	Calls []StepCall `json:"calls,omitempty"` // those that it needs; only of a plan that is a contract
}

// StepCall is a call that a step needs, as the model would make it.
type StepCall struct {
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args,omitempty"` // a JSON object; nothing is the empty one
}

// Plan is what the model wants to do, in steps. The zero Plan has not been decided about; the nil Plan is the same
// and stays so.
type Plan struct {
	Contract bool // the model is to say which calls each step needs

	steps   []Step
	version int // grows with every change; 0: nothing was decided
}

// Decided reports whether the model made a plan or said that it needs none.
func (p *Plan) Decided() bool { return p != nil && p.version > 0 }

// Require is an error as long as nothing was decided, for the gate to ask before it lets anything happen.
func (p *Plan) Require(*approval.Action) error {
	if p.Decided() {
		return nil
	}
	return errors.New("a plan is required first: call plan with create, or with skip if the task is trivial")
}

// Version grows with every change.
func (p *Plan) Version() int { return p.version }

// Steps are the steps as they are now.
func (p *Plan) Steps() []Step { return slices.Clone(p.steps) }

// Open counts the steps that are not done.
func (p *Plan) Open() int {
	if p == nil {
		return 0
	}
	n := 0
	for _, s := range p.steps {
		if !s.Done {
			n++
		}
	}
	return n
}

// Begin takes over the steps of a plan that was made before, as far as they are done.
func (p *Plan) Begin(steps []Step) {
	p.steps = slices.Clone(steps)
	p.version++
}

// replace takes new steps; those with the same words stay done.
func (p *Plan) replace(steps []Step) {
	done := map[string]bool{}
	for _, s := range p.steps {
		done[s.Text] = s.Done
	}
	p.steps = nil
	for _, s := range steps {
		s.Done = done[s.Text]
		p.steps = append(p.steps, s)
	}
	p.version++
}

func (p *Plan) check(n int) {
	p.steps[n-1].Done = true
	p.version++
}

// String is the plan as the model is told it.
func (p *Plan) String() string {
	if len(p.steps) == 0 {
		return "no plan"
	}
	var b strings.Builder
	for i, s := range p.steps {
		mark := ' '
		if s.Done {
			mark = 'x'
		}
		fmt.Fprintf(&b, "%d. [%c] %s\n", i+1, mark, s.Text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// maxSteps bounds a plan in steps, maxCalls in the calls of all of them.
const (
	maxSteps = 50
	maxCalls = 100
)

// NewPlan returns the tool with which the model keeps p.
func NewPlan(p *Plan) Tool {
	if p != nil && p.Contract {
		return newContract(p)
	}
	type input struct {
		Action string   `json:"action" enum:"create,update,check,skip"`
		Steps  []string `json:"steps,omitempty"`
		Step   int      `json:"step,omitempty"`
	}
	return New("plan", "Plan the task in steps, or skip that if it is trivial.",
		func(_ context.Context, in input) (*approval.Action, error) {
			steps := make([]Step, len(in.Steps))
			for i, text := range in.Steps {
				steps[i].Text = text
			}
			return p.planned(in.Action, steps, in.Step)
		})
}

// newContract is NewPlan for a plan whose steps say which calls they need: more for a model to read, so it is offered
// only where it is asked for.
func newContract(p *Plan) Tool {
	type call struct {
		Tool string          `json:"tool"`
		Args json.RawMessage `json:"args,omitempty"`
	}
	type step struct {
		Text  string `json:"text"`
		Calls []call `json:"calls,omitempty" doc:"every call of this step that does more than read, with its exact arguments"`
	}
	type input struct {
		Action string `json:"action" enum:"create,update,check,skip"`
		Steps  []step `json:"steps,omitempty"`
		Step   int    `json:"step,omitempty"`
	}
	return New("plan", "Plan the task in steps, with the calls they need.",
		func(_ context.Context, in input) (*approval.Action, error) {
			steps := make([]Step, len(in.Steps))
			calls := 0
			for i, s := range in.Steps {
				steps[i].Text = s.Text
				for _, c := range s.Calls {
					steps[i].Calls = append(steps[i].Calls, StepCall(c))
				}
				if calls += len(s.Calls); calls > maxCalls {
					return nil, fmt.Errorf("steps: more than %d calls", maxCalls)
				}
			}
			return p.planned(in.Action, steps, in.Step)
		})
}

// planned is the action of a call of the plan tool.
func (p *Plan) planned(action string, steps []Step, step int) (*approval.Action, error) {
	change, err := p.change(action, steps, step)
	if err != nil {
		return nil, err
	}
	return approval.NewAction(p.summary(action, len(steps), step), func(context.Context, io.Writer) (approval.Result, error) {
		change()
		return approval.Result{Text: p.String()}, nil
	}, approval.Subject{Effects: approval.Read}), nil
}

// summary is one line about a change.
func (p *Plan) summary(action string, steps, step int) string {
	words := fmt.Sprintf("%d steps", steps)
	if steps == 1 {
		words = "1 step"
	}
	switch action {
	case "create":
		return "plan: " + words
	case "update":
		return "plan changed: " + words
	case "check":
		return fmt.Sprintf("step %d of %d done: %s", step, len(p.steps), p.steps[step-1].Text)
	}
	return "no plan needed"
}

// change checks the arguments and returns what they do to the plan.
func (p *Plan) change(action string, steps []Step, step int) (func(), error) {
	switch action {
	case "create", "update":
		if len(steps) == 0 {
			return nil, errors.New("steps: missing; name at least one step, or skip planning")
		}
		if len(steps) > maxSteps {
			return nil, fmt.Errorf("steps: %d are too many; %d at most", len(steps), maxSteps)
		}
		return func() { p.replace(steps) }, nil
	case "check":
		if step < 1 || step > len(p.steps) {
			return nil, fmt.Errorf("step: %d is not one of the plan's %d steps", step, len(p.steps))
		}
		return func() { p.check(step) }, nil
	default:
		return func() { p.replace(nil) }, nil
	}
}
