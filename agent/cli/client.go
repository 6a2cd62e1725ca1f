package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tricode/agent"
	"tricode/agent/config"
	"tricode/providers"
	"tricode/workdir/sandbox"
)

// load reads the person's own configuration, and adds what counts of the project's.
func (c *commandLine) load() (config.Config, error) {
	paths, err := config.Locate(c.Config, os.Getenv)
	if err != nil {
		return config.Config{}, &usageError{err.Error()}
	}
	cfg, err := config.Load(paths)
	for _, warning := range cfg.Warnings {
		c.notice("warning: " + warning)
	}
	if err == nil {
		cfg.Environ(os.Getenv, c.unwritten(&cfg)...)
		err = c.addProject(&cfg)
	}
	return cfg, err
}

// unwritten are the providers that need not be in the configuration if variables say enough: the one that is asked for,
// or those that tricode knows where there is no configuration.
func (c *commandLine) unwritten(cfg *config.Config) []providers.Config {
	var list []providers.Config
	for _, p := range presets {
		if p.name == c.Provider || c.Provider == "" && len(cfg.Providers) == 0 && p.baseURL != "" {
			list = append(list, providers.Config{Name: p.name, BaseURL: p.baseURL})
		}
	}
	if c.Provider != "" && len(list) == 0 {
		list = append(list, providers.Config{Name: c.Provider})
	}
	return list
}

// addProject adds what counts of the project's configuration and names what does not. A work directory that cannot be
// found is reported where it is opened.
func (c *commandLine) addProject(cfg *config.Config) error {
	dir, err := c.projectDir()
	if err != nil {
		return nil
	}
	p, err := cfg.ReadProject(dir)
	if p == nil || err != nil {
		return err
	}
	waiting := p.Counting(cfg.Permissions.Mode)
	cfg.AddProject(p)
	if len(waiting) == 0 || p.Trusted {
		return nil
	}
	without := "without trust"
	if p.Changed {
		without = "because it changed since you trusted it"
	}
	c.notice(fmt.Sprintf("%s: not used %s: %s (see tricode trust)", config.ProjectFile, without, strings.Join(waiting, ", ")))
	return nil
}

// projectDir is the work directory, absolute and with links followed.
func (c *commandLine) projectDir() (string, error) {
	dir, err := filepath.Abs(cmp.Or(c.WorkDir, "."))
	if err != nil {
		return "", err
	}
	dir, err = filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", cmp.Or(err, fmt.Errorf("work directory %s: not a directory", dir))
	}
	return filepath.ToSlash(dir), nil
}

// client makes the client of the provider that flags and configuration choose, and of those to go to while it is down.
func (c *commandLine) client(ctx context.Context, cfg *config.Config) (agent.Model, providers.Config, error) {
	chosen, err := cfg.Choose(c.Provider, c.Model)
	if err != nil {
		return nil, chosen, err
	}
	client, err := c.connect(ctx, chosen)
	if err != nil {
		return nil, chosen, err
	}
	if len(chosen.Fallback) == 0 {
		return client, chosen, nil
	}
	var others []providers.Link
	for _, name := range chosen.Fallback {
		other, err := cfg.Choose(name, "")
		if err != nil {
			return nil, chosen, err
		}
		others = append(others, providers.Link{Name: name, Open: func(ctx context.Context) (*providers.Client, error) {
			return c.connect(ctx, other)
		}})
	}
	return providers.NewChain(client, others...), chosen, nil
}

// connect makes the client of a provider.
func (c *commandLine) connect(ctx context.Context, p providers.Config) (*providers.Client, error) {
	if _, err := p.Address(); err != nil { // before a key is missed that a server at the right one may not need
		return nil, &usageError{err.Error()}
	}
	p, err := p.Resolve(ctx, os.LookupEnv, c.keyCommand)
	if err != nil {
		return nil, err
	}
	if missing := p.Missing(); missing != "" {
		c.notice(fmt.Sprintf("warning: environment variable %s is not set; %s is asked %s", missing, p.Name, insteadOf(p)))
	}
	c.secrets.Know(p.Secrets()...)
	p.StallTimeout = cmp.Or(providers.Duration(c.StallTimeout), p.StallTimeout)
	client, err := providers.New(p)
	if err != nil {
		return nil, &usageError{err.Error()}
	}
	client.UserAgent = "tricode/" + version()
	if err := c.openWire(); err != nil {
		return nil, err
	}
	if c.Debug.on {
		client.Debug(&c.wire)
	}
	return client, nil
}

// insteadOf says what a provider is asked with where the variable that should hold its key is not set.
func insteadOf(p providers.Config) string {
	if p.Key != "" {
		return "with the key that " + p.KeyCommand[0] + " prints"
	}
	return "without a key"
}

// keyCommand is runKeyCommand for a run, in which nobody else shall see what it prints: now or when it is asked again.
func (c *commandLine) keyCommand(ctx context.Context, args []string) (string, error) {
	out, err := runKeyCommand(ctx, args)
	c.secrets.Know(strings.TrimSpace(out))
	return out, err
}

// knowKeys tells what hides secrets of all keys that the configuration has or names, whoever is asked in this run.
func (c *commandLine) knowKeys(cfg *config.Config) {
	for _, p := range cfg.Providers {
		c.secrets.Know(p.Key)
		for _, name := range p.Variables() {
			c.secrets.Know(strings.TrimSpace(os.Getenv(name)))
		}
	}
}

// keyLimit bounds what a program that prints a key may print, and how long it may take.
const (
	keyLimit = 64 << 10
	keyTime  = time.Minute
)

// runKeyCommand runs the person's own program that prints a key, such as a password manager, which gets the whole
// environment.
func runKeyCommand(ctx context.Context, args []string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, keyTime, fmt.Errorf("%s took longer than %s", args[0], keyTime))
	defer cancel()
	out := &bounded{limit: keyLimit}
	box := &sandbox.Box{}
	defer box.Close()
	status, err := box.Run(ctx, sandbox.Cmd{Args: args, Env: os.Environ(), Stdout: out})
	switch {
	case err != nil:
		return "", err
	case status != 0:
		return "", fmt.Errorf("%s ended with status %d", args[0], status)
	}
	return out.String(), nil
}

// bounded keeps the beginning of what is written to it.
type bounded struct {
	bytes.Buffer
	limit int
}

func (b *bounded) Write(p []byte) (int, error) {
	b.Buffer.Write(p[:min(len(p), b.limit-b.Len())])
	return len(p), nil
}
