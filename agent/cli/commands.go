package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"tricode/agent/config"
	"tricode/approval"
	"tricode/approval/ask"
	"tricode/providers"
)

// init sets a provider up with the person at the terminal.
func (c *commandLine) init(ctx context.Context) (int, error) {
	paths, err := config.Locate(c.Config, os.Getenv)
	if err != nil {
		return 0, &usageError{err.Error()}
	}
	s := setup{paths: paths, env: os.Getenv, out: folding{os.Stderr}, presets: presets[:], waiting: c.waiting}
	person, err := ask.Open(&c.terminal().options)
	if errors.Is(err, approval.ErrNobody) {
		return 0, runInit(ctx, nil, s)
	}
	if err != nil {
		return 0, err
	}
	defer person.Close()
	return statusDone, runInit(ctx, person, s)
}

// demo runs the script of the demonstration on a project of its own. The farewell comes last, however the run ended.
func (c *commandLine) demo(ctx context.Context) (int, error) {
	d, err := newDemonstration()
	if err != nil {
		return 0, err
	}
	defer func() {
		d.remove()
		if c.Output == "text" && !c.Quiet {
			fmt.Fprintln(folding{os.Stderr}, demoFarewell)
		}
	}()
	paths, err := config.Locate(c.Config, os.Getenv)
	if err != nil {
		return 0, &usageError{err.Error()}
	}
	c.WorkDir = d.dir
	return c.perform(ctx, &config.Config{Paths: paths}, job{model: d.model, provider: providers.Config{Name: "demo", Model: "script"}, task: demoTask})
}
