package cli

import (
	"context"
	"fmt"

	"tricode/agent"
	"tricode/agent/config"
	"tricode/approval"
	"tricode/approval/plain"
)

// writePlan writes the plan with what it needs where nothing else is allowed.
func (s *session) writePlan(ctx context.Context, task string) error {
	strict, err := s.world.only(nil)
	if err != nil {
		return err
	}
	c, rules := s.contract(ctx, strict, task)
	c.Answer = "written"
	if err := s.run.emit(c); err != nil {
		return &approval.RecordError{Err: err}
	}
	p := config.Plan{Task: task, Rules: rules, Comment: remarks(c)}
	for _, step := range c.Steps {
		p.Steps = append(p.Steps, step.Text)
	}
	if err := p.Write(s.c.PlanOut); err != nil {
		return err
	}
	s.c.notice(fmt.Sprintf("the plan is in %s; --plan-in %[1]s carries it out", s.c.PlanOut))
	return nil
}

// remarks are what whoever reviews a plan should know beside its rules: what of it is denied, and names in it that could be
// taken for others.
func remarks(c agent.Contract) []string {
	var denied, odd []string
	for i, step := range c.Steps {
		for _, call := range step.Calls {
			if call.Needs == agent.NeedsPerson || call.Needs == agent.NeedsChange {
				denied = append(denied, fmt.Sprintf("  step %d: %s", i+1, call.Summary))
			} else if note := plain.Lookalike(call.Summary); note != "" {
				odd = append(odd, fmt.Sprintf("  step %d: %s", i+1, note))
			}
		}
	}
	if denied != nil {
		denied = append([]string{"Its steps would also do this, which is denied:"}, denied...)
	}
	if odd != nil {
		odd = append([]string{"Look closely:"}, odd...)
	}
	return append(denied, odd...)
}
