package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tricode/agent"
	"tricode/agent/config"
	"tricode/approval"
	"tricode/providers"
	"tricode/tools"
)

// planning reports whether the model makes a plan before anything else happens.
func (c *commandLine) planning() bool { return c.Plan || c.PlanOut != "" }

// checkPlan finds combinations of the flags for plans that make no sense.
func (c *commandLine) checkPlan() error {
	switch {
	case c.PlanIn != "" && c.planning():
		return &usageError{"--plan-in and --plan or --plan-out contradict each other"}
	case c.PlanIn != "" && c.Preview:
		return &usageError{"--plan-in and --preview contradict each other: one asks nothing, the other always"}
	case c.planning() && len(c.Tools) > 0 && !slices.Contains(c.Tools, "plan"):
		return &usageError{"a plan needs the tool plan; --tools leaves it out"}
	case c.PlanOut != "":
		if err := config.CheckPlanOut(c.PlanOut); err != nil {
			return &usageError{"--plan-out: " + err.Error()}
		}
	}
	return nil
}

// noPersonError says that there is nobody to agree to a plan.
type noPersonError struct{}

func (noPersonError) Error() string {
	return "a person has to agree to the plan and nobody is there to ask"
}

// negotiate has the model propose a plan, puts it to the person and has it carried out.
func (s *session) negotiate(ctx context.Context, task string) (providers.Message, error) {
	w := s.world
	if s.c.PlanOut == "" && w.terminal.opened() != nil { // before it costs anything
		return providers.Message{}, noPersonError{}
	}
	mode := w.policy.Mode
	w.policy.Mode = approval.ModePlan
	w.gate.Policy, s.agent.Plan = w.policy, nil // open steps are what is wanted
	answer, err := s.converse(ctx, task)
	if err != nil {
		return answer, err
	}
	if len(s.plan.Steps()) == 0 {
		return answer, &agent.ModelError{Err: errors.New("the model proposed no plan")}
	}
	if w.policy.Mode == approval.ModePlan { // or the person left it at a question
		w.policy.Mode = mode
	}
	w.gate.Policy, s.agent.Plan = w.policy, s.plan
	if s.c.PlanOut != "" {
		return answer, s.writePlan(ctx, task)
	}
	told, err := s.agree(ctx, task)
	if err != nil {
		return answer, err
	}
	return s.run.guarded(func() (providers.Message, error) { return s.agent.Continue(ctx, told) })
}

// agree asks the person and returns what the model is told then.
func (s *session) agree(ctx context.Context, task string) (told string, err error) {
	w := s.world
	for {
		c, rules := s.contract(ctx, w, task)
		choice, err := w.terminal.contract(ctx, c.Sections())
		switch {
		case errors.Is(err, approval.ErrNobody):
			return "", noPersonError{}
		case err != nil:
			return "", err
		}
		switch choice {
		case approval.Once:
			c.Answer, told = "ask", "The person agreed to the plan and is asked about each call. Carry it out."
		case approval.Always:
			c.Answer, told = "grant", "The person agreed to the plan and allowed what it needs. Carry it out."
			if err := w.grant(rules); err != nil {
				return "", err
			}
		case approval.Again:
			continue
		default:
			c.Answer = "stop"
		}
		if err := s.run.emit(c); err != nil {
			return "", &approval.RecordError{Err: err}
		}
		if c.Answer == "stop" {
			return "", &approval.Denied{Tool: "plan", Summary: "the plan", By: approval.ByPerson, End: true}
		}
		return told, nil
	}
}

// contract is the plan with the least that it needs in a world, and that as rules.
func (s *session) contract(ctx context.Context, w *world, task string) (agent.Contract, []approval.Rule) {
	c := agent.Contract{Task: task, Steps: []agent.ContractStep{}, Rules: []string{}}
	var rules []approval.Rule
	var promised promises
	for i, planned := range s.plan.Steps() {
		step := agent.ContractStep{Text: planned.Text, Calls: []agent.ContractCall{}}
		for _, call := range planned.Calls {
			one, needed := s.plannedCall(ctx, w, call, &promised)
			step.Calls = append(step.Calls, one)
			for _, r := range needed {
				if r.Reason = fmt.Sprintf("step %d", i+1); !slices.Contains(c.Rules, spelled(r)) {
					rules, c.Rules = append(rules, r), append(c.Rules, spelled(r))
				}
			}
		}
		c.Steps = append(c.Steps, step)
	}
	return c, rules
}

// reviewed reads the plan of --plan-in, nil if there is none. Its task is the one to do if no other is given.
func (c *commandLine) reviewed() (*config.Plan, error) {
	if c.PlanIn == "" {
		return nil, nil
	}
	p, err := config.ReadPlan(c.PlanIn)
	if err == nil && c.Run.Task == nil && p.Task != "" {
		c.Run.Task = &p.Task
	}
	return &p, err
}

// follow takes over the plan of the run that is gone on with, and makes the policy that of a plan that was reviewed. Nobody
// is asked then: what holds on one machine holds on all.
func (s *session) follow() error {
	if e := s.job.earlier; e != nil && e.steps != nil && !s.c.planning() {
		s.plan.Begin(e.steps)
	}
	if s.job.plan == nil {
		return nil
	}
	w := s.world
	strict, err := w.only(s.job.plan.Rules)
	if err != nil {
		return &usageError{err.Error()}
	}
	w.rules, w.settings, w.policy = strict.rules, strict.settings, strict.policy
	w.reviewed = s.c.PlanIn
	var steps []tools.Step
	for _, text := range s.job.plan.Steps {
		steps = append(steps, tools.Step{Text: text})
	}
	if steps != nil {
		s.plan.Begin(steps)
	}
	return nil
}

// withPlan is the task with the plan to follow, if there is one.
func (s *session) withPlan(task string) string {
	if s.job.plan == nil {
		return task
	}
	return fmt.Sprintf("%s\n\nYour plan, which was reviewed; what it does not need is denied:\n%s", task, s.plan)
}
