package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"tricode/approval"
)

// Step is one step of a plan.
type Step struct {
	Text string `json:"text"`
	Done bool   `json:"done"`
}

// Plan is what the model wants to do, in steps. The zero Plan has not been decided about; the nil Plan is the same
// and stays so.
type Plan struct {
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

// replace takes new steps; those with the same words stay done.
func (p *Plan) replace(texts []string) {
	done := map[string]bool{}
	for _, s := range p.steps {
		done[s.Text] = s.Done
	}
	p.steps = nil
	for _, text := range texts {
		p.steps = append(p.steps, Step{Text: text, Done: done[text]})
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

// maxSteps bounds a plan, in steps.
const maxSteps = 50

// NewPlan returns the tool with which the model keeps p.
func NewPlan(p *Plan) Tool {
	type input struct {
		Action string   `json:"action" enum:"create,update,check,skip"`
		Steps  []string `json:"steps,omitempty"`
		Step   int      `json:"step,omitempty"`
	}
	return New("plan", "Plan the task in steps, or skip that if it is trivial.",
		func(_ context.Context, in input) (*approval.Action, error) {
			change, err := p.change(in.Action, in.Steps, in.Step)
			if err != nil {
				return nil, err
			}
			return approval.NewAction("plan "+in.Action, func(context.Context, io.Writer) (approval.Result, error) {
				change()
				return approval.Result{Text: p.String()}, nil
			}, approval.Subject{Effects: approval.Read}), nil
		})
}

// change checks the arguments and returns what they do to the plan.
func (p *Plan) change(action string, steps []string, step int) (func(), error) {
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
