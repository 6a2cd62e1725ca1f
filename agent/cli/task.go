package cli

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strings"

	"tricode/agent"
	"tricode/agent/config"
	"tricode/agent/render"
	"tricode/providers"
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
	s, err := c.begin(ctx, cfg, j)
	if err != nil {
		return 0, err
	}
	defer s.world.close()
	c.preview(ctx, s.world)
	return s.do(ctx, j.task), nil
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
