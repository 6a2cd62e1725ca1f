package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"tricode/agent"
	"tricode/agent/config"
	"tricode/agent/redact"
	"tricode/agent/render"
	"tricode/approval"
	"tricode/providers"
	"tricode/tools"
)

// job is what is to be done, and by which model.
type job struct {
	model    agent.Model
	provider providers.Config // who serves the model, and what is known about it
	task     string
	plan     *config.Plan // what it may do; nil: what policy and person say
	earlier  *earlier     // the run that it goes on with; nil for none
}

// task runs the task of the command line.
func (c *commandLine) task(ctx context.Context) (int, error) {
	cfg, err := c.load()
	if err != nil {
		return 0, err
	}
	reviewed, err := c.reviewed()
	if err != nil {
		return 0, err
	}
	before, err := c.goesOn(ctx, &cfg)
	if err != nil {
		return 0, err
	}
	follows, text := c.follows(), ""
	if !follows {
		if text, err = readTask(ctx, c.Run.Task, os.Stdin, c.notice); err != nil {
			return 0, err
		}
	}
	client, chosen, err := c.client(ctx, &cfg)
	if err != nil {
		return 0, err
	}
	j := job{model: client, provider: chosen, task: text, plan: reviewed, earlier: before}
	if follows {
		return c.followUp(ctx, &cfg, j)
	}
	return c.perform(ctx, &cfg, j)
}

// perform runs a job. An error means that it could not even begin; how it ended is shown and in the status.
func (c *commandLine) perform(ctx context.Context, cfg *config.Config, j job) (status int, err error) {
	s, err := c.begin(cfg, j)
	if err != nil {
		return 0, err
	}
	defer s.world.close()
	c.preview(ctx, s.world)
	return s.do(ctx, j.task), nil
}

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
func (c *commandLine) begin(cfg *config.Config, j job) (s *session, err error) {
	w, err := c.open(cfg, j.earlier)
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
	s.openGate()
	s.agent = &agent.Agent{Model: j.model, Gate: w.gate, Tools: offered, Plan: s.plan, Emit: r.emit, Secrets: &c.secrets}
	s.agent.Keep = func() agent.Keeper { return tools.Keep(w.outputs) }
	return s, c.bound(s.agent, cfg, j.provider)
}

// openGate makes the gate, and lets the person speak at its questions.
func (s *session) openGate() {
	w := s.world
	w.gate = &approval.Gate{Policy: w.policy, Hooks: w.hooks, NobodyContinues: s.c.NoTerminal == "continue", Record: s.run.decided}
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

// run is what happens in a run: events come in, are counted, recorded and shown.
type run struct {
	started time.Time
	world   *world
	latest  *approval.Action // the latest that was decided about

	trace, traceAll bool // which decisions are printed, see tracing

	admitted bool   // what the system does not enforce was said
	spoken   string // the file of the latest message, if that is too long

	mu      sync.Mutex // events come one at a time, also those of steps of a command while it prints
	tally   agent.Tally
	secrets *redact.Redactor
	log     sink
	view    sink
}

// thinks is how soon a model may answer without a call: what starts for its commands starts later, until there was one.
func (r *run) thinks() time.Duration {
	if r.admitted {
		return 0
	}
	return 4 * time.Millisecond
}

// sink takes events: the transcript, the terminal.
type sink interface{ Emit(agent.Event) error }

// emit records an event before it is shown: what cannot be recorded does not happen.
func (r *run) emit(e agent.Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tally.Add(e)
	switch e := e.(type) {
	case agent.Turn:
		time.AfterFunc(r.thinks(), r.world.boxes.Warm)
	case agent.Said:
		r.spoken = e.File
	}
	if err := r.log.Emit(e); err != nil {
		return err
	}
	return r.view.Emit(e)
}

func (r *run) decided(a *approval.Action, d approval.Decision) error {
	r.latest = a
	if err := r.admit(a); err != nil {
		return err
	}
	if r.traceAll || r.trace && questioned(d) {
		fmt.Fprint(os.Stderr, trace(a, d))
	}
	return r.emit(agent.Decided{Call: a.Call, Tool: a.Tool, Summary: a.Summary, Time: time.Now().Format(time.RFC3339), Decision: d})
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

// guarded makes an error of a mistake of ours, so that the transcript is closed and whoever reads JSON is told.
func (r *run) guarded(do func() (providers.Message, error)) (answer providers.Message, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = &agent.CrashError{Tool: "the run", Cause: cause}
		}
	}()
	return do()
}

// end closes the run and returns its status.
func (r *run) end(answer string, err error) int {
	r.tally.Hidden = r.secrets.Count()
	e := agent.Ended{Status: statusOf(err), Tally: r.tally, Millis: time.Since(r.started).Milliseconds()}
	if err != nil {
		e.Reason, e.Hint = reasonFor(err), hintFor(err)
	}
	if denied := (*approval.Denied)(nil); errors.As(err, &denied) && denied.By == approval.ByNobody {
		e.Hint = onlyPerson // where a hook wants to ask
		if denied.Decision.Layer != approval.LayerHooks {
			e.Hint = r.world.least(r.latest)
		}
	}
	if err == nil || e.Status == statusPolicy {
		e.Answer, e.File = answer, r.spoken
	}
	logged := r.log.Emit(e.WithoutAnswer())
	if shown := r.view.Emit(e); e.Status == statusDone && (logged != nil || shown != nil) {
		return statusBroken
	}
	return e.Status
}

// view is what shows the run.
func (c *commandLine) view() sink {
	if c.Output != "text" {
		return render.JSON{Out: os.Stdout, Err: c.stream(os.Stderr), Stream: c.Output == "stream-json"}
	}
	verbosity := render.Normal
	switch {
	case c.Quiet:
		verbosity = render.Quiet
	case c.Verbose:
		verbosity = render.Verbose
	}
	return render.NewText(c.stream(os.Stdout), c.stream(os.Stderr), verbosity)
}

// systemPrompt is what the model is told first.
func (c *commandLine) systemPrompt(w *world) (string, error) {
	own, err := readPrompt(c.SystemPrompt)
	if err != nil || c.OverrideSystemPrompt {
		return own, err
	}
	texts := slices.DeleteFunc([]string{own, instructions(w.dir.Name(), w.policy.Home, c.notice)}, func(s string) bool { return s == "" })
	return agent.Prompt(agent.Setting{
		WorkDir: w.dir.Name(), OS: runtime.GOOS, Mode: w.policy.Mode.String(), PlanRequired: w.planRequired,
		Contract: c.planning(), Instructions: strings.Join(texts, "\n\n"),
	}), nil
}
