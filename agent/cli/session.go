package cli

import (
	"context"
	"time"

	"tricode/agent"
	"tricode/agent/config"
	"tricode/approval"
	"tricode/providers"
	"tricode/tools"
)

// session is a run with all that it needs, from the first task to the end.
type session struct {
	c      *commandLine
	world  *world
	run    *run
	agent  *agent.Agent
	plan   *tools.Plan
	job    job
	system string // what the model is told first
	begun  bool   // something was said
}

// begin makes a session.
func (c *commandLine) begin(ctx context.Context, cfg *config.Config, j job) (s *session, err error) {
	w, err := c.open(ctx, cfg, j.earlier)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	s = &session{c: c, world: w, plan: &tools.Plan{Contract: c.planning()}, job: j}
	if err := s.follow(); err != nil {
		return nil, err
	}
	if s.system, err = c.systemPrompt(w); err != nil {
		return nil, err
	}
	offered, err := w.tools(s.plan)
	if err != nil {
		return nil, err
	}
	c.knowKeys(cfg)
	r := &run{started: time.Now(), world: w, log: w.log, view: c.view(), tally: agent.NewTally(), secrets: &c.secrets}
	if r.trace, r.traceAll, err = tracing(); err != nil {
		return nil, err
	}
	s.run = r
	s.openGate(ctx)
	s.agent = &agent.Agent{Model: j.model, Gate: w.gate, Tools: offered, Plan: s.plan, Emit: r.emit, Secrets: &c.secrets}
	s.agent.Keep = func() agent.Keeper { return tools.Keep(w.outputs) }
	return s, c.bound(s.agent, cfg, j.provider)
}

// openGate makes the gate, and lets the person speak at its questions.
func (s *session) openGate(ctx context.Context) {
	w := s.world
	w.gate = &approval.Gate{Policy: w.policy, Hooks: w.hooks, NobodyContinues: s.c.NoTerminal == "continue"}
	w.gate.Record = func(a *approval.Action, d approval.Decision) error { return s.run.decided(ctx, a, d) }
	if w.reviewed == "" {
		w.gate.Asker = w.terminal
	}
	if w.planRequired {
		w.gate.Before = s.plan.Require
	}
	said := &dialogue{c: s.c, world: w, gate: w.gate, plan: s.plan, tally: &s.run.tally}
	w.terminal.options.Command, w.terminal.options.Shape = said.command, said.shape
}

// do has a task done and returns the status.
func (s *session) do(ctx context.Context, task string) int {
	w, r := s.world, s.run
	err := r.emit(agent.Started{
		Session: w.session, Time: r.started.Format(time.RFC3339), Version: version(), Provider: s.job.provider.Name, Model: s.job.provider.Model,
		WorkDir: w.dir.Name(), Mode: w.policy.Mode.String(), Task: task, Resumes: s.job.earlier.sessions(),
	})
	var answer providers.Message
	switch {
	case err != nil:
	case s.begun:
		answer, err = r.guarded(func() (providers.Message, error) { return s.agent.Next(ctx, task) })
	case s.c.planning():
		answer, err = s.negotiate(ctx, task)
	default:
		answer, err = s.converse(ctx, s.withPlan(task))
	}
	s.begun = true
	if err == nil && s.c.Strict && r.tally.Denied > 0 {
		err = &strictError{r.tally.Denied}
	}
	return r.end(answer.Text, err)
}

// converse opens the conversation, with what was said in an earlier run, and lets the agent go on with it.
func (s *session) converse(ctx context.Context, task string) (providers.Message, error) {
	history := []providers.Message{{Role: providers.System, Text: s.system}}
	if s.job.earlier != nil {
		history = append(history, s.job.earlier.talk...)
	}
	history = append(history, providers.Message{Role: providers.User, Text: task})
	for i, m := range history {
		record := s.run.emit
		if i > 0 && i < len(history)-1 { // was shown in its time
			record = s.run.log.Emit
		}
		if err := record(agent.Said{Message: m}); err != nil {
			return providers.Message{}, &approval.RecordError{Err: err}
		}
	}
	return s.run.guarded(func() (providers.Message, error) { return s.agent.Run(ctx, history) })
}
