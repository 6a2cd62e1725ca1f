package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"tricode/agent"
	"tricode/agent/config"
	"tricode/approval/plain"
	"tricode/providers"
)

// providersCommand is what can be asked about providers.
type providersCommand struct {
	List struct{} `cmd:"" default:"1" help:"List them, where they are and where their keys come from (the default)."`
	Test struct {
		Name string `arg:"" optional:"" help:"The provider; the one that a run would use if none is named."`
	} `cmd:"" help:"Have the model use a tool, and show what it and its server support."`
}

// modelsCommand lists models.
type modelsCommand struct {
	Name string `arg:"" optional:"" help:"The provider; the one that a run would use if none is named."`
}

// listProviders lists the providers of the configuration. Nothing is asked of them.
func (c *commandLine) listProviders(out io.Writer) error {
	cfg, err := c.load()
	if err != nil {
		return err
	}
	if len(cfg.Providers) == 0 {
		return config.ErrNoProvider
	}
	chosen, _ := cfg.Choose(c.Provider, c.Model) // none is no mistake here
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	for _, name := range slices.Sorted(maps.Keys(cfg.Providers)) {
		p, mark := cfg.Providers[name], " "
		if name == chosen.Name {
			p, mark = chosen, "*"
		}
		where, err := p.Address()
		if err != nil {
			where = err.Error()
		}
		model := p.Model
		if model == "" {
			model = "(no model)"
		}
		fmt.Fprintf(w, "%s %s\t%s\t%s\t%s\n", mark, plain.Line(name), plain.Line(model), plain.Line(where), plain.Line(keyOf(p, os.Getenv)))
	}
	w.Flush()
	_, err = io.WriteString(folded(out), table.String())
	return err
}

// keyOf says where a key comes from, and never what it is. No program is run for that.
func keyOf(p providers.Config, env func(string) string) string {
	switch {
	case p.Key != "":
		return "key in the configuration"
	case p.KeyEnv != "" && strings.TrimSpace(env(p.KeyEnv)) != "":
		return "key in " + p.KeyEnv
	case p.Keyring != "" && len(p.KeyCommand) > 0:
		return "key in the keyring: " + p.Keyring
	case len(p.KeyCommand) > 0:
		return "key printed by " + p.KeyCommand[0]
	case p.KeyEnv != "":
		return p.KeyEnv + " is not set"
	}
	return "no key"
}

// listModels lists what models a provider offers, with what the configuration knows about them.
func (c *commandLine) listModels(ctx context.Context, out io.Writer) error {
	client, p, err := c.asked(ctx, c.Models.Name)
	if err != nil {
		return err
	}
	defer client.Close()
	limited, cancel := context.WithTimeoutCause(ctx, listTime, fmt.Errorf("%s: no answer within %v", p.Name, listTime))
	defer cancel()
	stop := c.waiting("waiting for " + p.Name)
	names, err := client.Models(limited)
	stop()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return &agent.ModelError{Err: err}
	}
	known := map[string]providers.Model{}
	for _, m := range p.Models {
		known[m.ID] = m
		if !slices.Contains(names, m.ID) {
			names = append(names, m.ID)
		}
	}
	width := 0
	for _, name := range names {
		width = max(width, len(name))
	}
	for _, name := range names {
		line := fmt.Sprintf("%-*s  %s", width, plain.Line(name), facts(known[name]))
		if _, err := fmt.Fprintln(folded(out), strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}

// facts are what is known about a model.
func facts(m providers.Model) string {
	var known []string
	if m.DisplayName != "" {
		known = append(known, plain.Line(m.DisplayName))
	}
	if m.ContextWindow > 0 {
		known = append(known, plain.Count(m.ContextWindow)+" tokens")
	}
	if m.Priced() {
		known = append(known, fmt.Sprintf("%s in, %s out for a million", agent.Dollars(m.InputPrice), agent.Dollars(m.OutputPrice)))
	}
	return strings.Join(known, ", ")
}

// asked makes the client of the provider that was named, or of the one that a run would use. Its model may be missing.
func (c *commandLine) asked(ctx context.Context, name string) (*providers.Client, providers.Config, error) {
	cfg, err := c.load()
	if err != nil {
		return nil, providers.Config{}, err
	}
	if name == "" {
		name = c.Provider
	}
	p, err := cfg.Choose(name, c.Model)
	var noModel *config.ModelError
	if err != nil && !errors.As(err, &noModel) {
		return nil, p, err
	}
	client, err := c.connect(ctx, p)
	return client, p, err
}

const forModel = "waiting for the model"

// errNoTools says that a model is of no use here.
var errNoTools = errors.New("the model called no tool, so it cannot do anything")

// testProvider has a model use a tool and says what was seen.
func (c *commandLine) testProvider(ctx context.Context, out io.Writer) error {
	client, p, err := c.asked(ctx, c.Providers.Test.Name)
	if err != nil {
		return err
	}
	defer client.Close()
	if p.Model == "" {
		return &usageError{fmt.Sprintf("provider %q has no model; --model NAME names one", p.Name)}
	}
	limited, cancel := context.WithTimeoutCause(ctx, answerTime, fmt.Errorf("%s: no answer within %v", p.Name, answerTime))
	defer cancel()
	start := time.Now()
	stop := c.waiting(forModel)
	seen, err := client.Probe(limited, func(r providers.Retry) error {
		stop()
		c.notice(r.String())
		stop = c.waiting(forModel)
		return nil
	})
	stop()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		err = &agent.ModelError{Err: err}
	}
	if err == nil || seen != (providers.Support{}) {
		err = errors.Join(writeSupport(out, p, seen, time.Since(start)), err)
	}
	if err == nil && !seen.Tools && !seen.Spoken {
		err = &agent.ModelError{Err: errNoTools}
	}
	return err
}

func writeSupport(out io.Writer, p providers.Config, seen providers.Support, took time.Duration) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\t%s\n", plain.Line(p.Name), plain.Line(p.Model))
	for _, line := range []struct {
		what string
		yes  bool
		no   string
	}{
		{"streaming", seen.Streaming, "not seen: the answers came in one piece"},
		{"tokens are counted", seen.Usage, "no: limits of tokens and costs are estimates"},
		{"tools", seen.Tools || seen.Spoken, "not seen"},
		{"several at once", seen.Parallel, "not seen"},
		{"goes on with results", seen.Results, "not seen"},
	} {
		text := line.no
		if line.yes {
			text = "yes"
			if line.what == "tools" && seen.Spoken {
				text = "yes, in words"
			}
		}
		fmt.Fprintf(w, "%s\t%s\n", line.what, text)
	}
	fmt.Fprintf(w, "took\t%v\n", took.Round(time.Millisecond))
	return w.Flush()
}
