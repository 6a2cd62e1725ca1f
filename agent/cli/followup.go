package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/term"

	"tricode/agent"
	"tricode/agent/config"
	"tricode/agent/transcript"
	"tricode/approval/ask"
	"tricode/approval/plain"
	"tricode/providers"
)

// follows reports whether tasks are to be typed one after the other: none was given, and a person is there to type.
func (c *commandLine) follows() bool {
	return c.Run.Task == nil && c.Output == "text" && !c.planning() && c.PlanIn == "" &&
		term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stderr.Fd()))
}

// followUp is one conversation in which one task follows the other.
type followUp struct {
	*session
	cfg    *config.Config
	before []string    // what was typed
	total  agent.Tally // of all tasks
	tasks  int
}

// followUp asks for tasks until the person leaves, and returns the status.
func (c *commandLine) followUp(ctx context.Context, cfg *config.Config, j job) (int, error) {
	s, err := c.begin(ctx, cfg, j)
	if err != nil {
		return 0, err
	}
	defer s.world.close()
	f := &followUp{session: s, cfg: cfg, before: recalled(cfg.Paths.State, s.world.dir.Name())}
	// main ends the run at the first ^C; here it ends the task
	signal.Reset(os.Interrupt)
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	f.welcome()
	return f.loop(ctx, interrupts)
}

// mostRecalled is how many tasks of earlier runs can be brought back.
const mostRecalled = 50

// recalled are the tasks that earlier runs in a work directory began with, the latest last, each once.
func recalled(state, dir string) []string {
	var tasks []string
	for _, s := range transcript.List(filepath.Join(state, "sessions"), dir, mostRecalled) {
		if s.Task != "" && !slices.Contains(tasks, s.Task) {
			tasks = append(tasks, s.Task)
		}
	}
	slices.Reverse(tasks)
	return tasks
}

func (f *followUp) welcome() {
	f.c.notice(fmt.Sprintf("%s of %s, mode %s, in %s", f.job.provider.Model, f.job.provider.Name, f.world.policy.Mode, f.world.dir.Name()))
	if e := f.job.earlier; e != nil {
		f.c.notice("going on with: " + plain.Cut(e.task, 60))
		if open := f.plan.Open(); open > 0 {
			f.c.notice(fmt.Sprintf("steps of its plan that are open: %d; /plan shows it", open))
		}
	}
	f.c.notice("type a task; /help lists what else can be typed, Ctrl-D leaves")
}

// prompt stands before what is typed.
const prompt = "> "

func (f *followUp) loop(ctx context.Context, interrupts <-chan os.Signal) (int, error) {
	leaving := false
	for {
		line, err := f.world.terminal.prompt(ctx, prompt, f.before)
		switch {
		case ctx.Err() != nil:
			return 0, context.Cause(ctx)
		case errors.Is(err, ask.ErrInterrupted) && !leaving:
			leaving = true
			f.c.notice("^C again or Ctrl-D leaves")
			continue
		case errors.Is(err, ask.ErrInterrupted), errors.Is(err, io.EOF):
			return statusDone, nil
		case err != nil:
			return 0, err
		}
		if leaving = false; line == "" {
			continue
		}
		f.before = append(f.before, line)
		if isCommand(line) {
			if f.command(ctx, line) {
				return statusDone, nil
			}
			continue
		}
		status := f.interruptible(ctx, interrupts, line)
		if status == statusDenied || status == statusBroken || ctx.Err() != nil {
			return status, nil
		}
	}
}

// interruptible does one task. ^C ends it; a second one does not wait for that.
func (f *followUp) interruptible(ctx context.Context, interrupts <-chan os.Signal, task string) int {
	ctx, cancel := context.WithCancelCause(ctx)
	for len(interrupts) > 0 { // one that came between two tasks is for neither
		<-interrupts
	}
	done := make(chan struct{})
	defer cancel(nil)
	defer close(done)
	go func() {
		select {
		case s := <-interrupts:
			cancel(Interrupted(s))
		case <-done:
			return
		}
		if Again(interrupts, done) {
			os.Exit(statusInterrupted)
		}
	}()
	f.run.started, f.run.tally = time.Now(), agent.NewTally()
	status := f.do(ctx, task)
	f.tasks++
	t := &f.run.tally
	f.total.Turns += t.Turns
	f.total.Cost += t.Cost
	f.total.Usage = providers.Usage{
		Input: f.total.Usage.Input + t.Usage.Input, Output: f.total.Usage.Output + t.Usage.Output, Cached: f.total.Usage.Cached + t.Usage.Cached,
	}
	return status
}
