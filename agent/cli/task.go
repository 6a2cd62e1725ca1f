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
}

// task runs the task of the command line.
func (c *commandLine) task(ctx context.Context) (int, error) {
	cfg, err := c.load()
	if err != nil {
		return 0, err
	}
	text, err := readTask(ctx, c.Run.Task, os.Stdin, c.notice)
	if err != nil {
		return 0, err
	}
	client, chosen, err := c.client(ctx, &cfg)
	if err != nil {
		return 0, err
	}
	return c.perform(ctx, &cfg, job{model: client, provider: chosen, task: text})
}

// perform runs a job. An error means that it could not even begin; how it ended is shown and in the status.
func (c *commandLine) perform(ctx context.Context, cfg *config.Config, j job) (status int, err error) {
	w, err := c.open(cfg)
	if err != nil {
		return 0, err
	}
	defer w.close()
	system, err := c.systemPrompt(w)
	if err != nil {
		return 0, err
	}
	plan := &tools.Plan{}
	offered, err := w.tools(plan)
	if err != nil {
		return 0, err
	}
	c.knowKeys(cfg)
	r := &run{started: time.Now(), world: w, log: w.log, view: c.view(), tally: agent.NewTally(), secrets: &c.secrets}
	if r.trace, r.traceAll, err = tracing(); err != nil {
		return 0, err
	}
	w.gate = &approval.Gate{Policy: w.policy, Hooks: w.hooks, Asker: w.terminal, NobodyContinues: c.NoTerminal == "continue", Record: r.decided}
	if w.planRequired {
		w.gate.Before = plan.Require
	}
	w.terminal.options.Command = (&dialogue{c: c, world: w, gate: w.gate, plan: plan, tally: &r.tally}).command
	a := &agent.Agent{Model: j.model, Gate: w.gate, Tools: offered, Plan: plan, Emit: r.emit, Secrets: &c.secrets}
	if err := c.bound(a, cfg, j.provider); err != nil {
		return 0, err
	}
	a.Keep = func(text string) string { return tools.Keep(w.outputs, text) }
	err = r.emit(agent.Started{
		Session: w.session, Time: r.started.Format(time.RFC3339), Version: version(), Provider: j.provider.Name, Model: j.provider.Model,
		WorkDir: w.dir.Name(), Mode: w.policy.Mode.String(), Task: j.task,
	})
	var answer providers.Message
	if err == nil {
		answer, err = r.converse(ctx, a, system, j.task)
	}
	if err == nil && c.Strict && r.tally.Denied > 0 {
		err = &strictError{r.tally.Denied}
	}
	return r.end(answer.Text, err), nil
}

// run is what happens in a run: events come in, are counted, recorded and shown.
type run struct {
	started time.Time
	world   *world
	latest  *approval.Action // the latest that was decided about

	trace, traceAll bool // which decisions are printed, see tracing

	admitted bool // what the system does not enforce was said

	mu      sync.Mutex // events come one at a time, also those of steps of a command while it prints
	tally   agent.Tally
	secrets *redact.Redactor
	log     sink
	view    sink
}

// thinks is how soon a model may answer without a call: what starts for its commands starts later.
const thinks = 4 * time.Millisecond

// sink takes events: the transcript, the terminal.
type sink interface{ Emit(agent.Event) error }

// emit records an event before it is shown: what cannot be recorded does not happen.
func (r *run) emit(e agent.Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tally.Add(e)
	if _, asks := e.(agent.Turn); asks {
		time.AfterFunc(thinks, r.world.boxes.Warm)
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

// converse opens the conversation and lets the agent go on with it. A mistake of ours ends the run like any other error, so
// that the transcript is closed and whoever reads JSON is told.
func (r *run) converse(ctx context.Context, a *agent.Agent, system, task string) (answer providers.Message, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = &agent.CrashError{Tool: "the run", Cause: cause}
		}
	}()
	history := []providers.Message{{Role: providers.System, Text: system}, {Role: providers.User, Text: task}}
	for _, m := range history {
		if err := r.emit(agent.Said{Message: m}); err != nil {
			return providers.Message{}, &approval.RecordError{Err: err}
		}
	}
	return a.Run(ctx, history)
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
		e.Answer = answer
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
		return render.JSON{Out: os.Stdout, Err: os.Stderr, Stream: c.Output == "stream-json"}
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
		Instructions: strings.Join(texts, "\n\n"),
	}), nil
}
