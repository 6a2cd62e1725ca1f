package cli

import (
	"fmt"
	"math"

	"github.com/alecthomas/kong"

	"tricode/agent"
	"tricode/agent/config"
	"tricode/providers"
)

// defaultTurns bounds a run where nobody said how long it may be.
const defaultTurns = 200

// checkLimits finds limits that were given and are none: what 0 means, nobody could know.
func (c *commandLine) checkLimits(path []*kong.Path) error {
	limits := map[string]bool{
		"max-turns": c.MaxTurns > 0, "max-tokens": c.MaxTokens > 0, "max-cost": c.MaxCost > 0 && !math.IsInf(c.MaxCost, 0),
		"max-time": c.MaxTime > 0, "stall-timeout": c.StallTimeout > 0,
	}
	for _, p := range path {
		if p.Flag == nil {
			continue
		}
		if limits, ok := limits[p.Flag.Name]; ok && !limits {
			return &usageError{fmt.Sprintf("--%s must be more than 0", p.Flag.Name)}
		}
	}
	return nil
}

// bound tells the agent how much it may take, and what is known about the model for that.
func (c *commandLine) bound(a *agent.Agent, cfg *config.Config, p providers.Config) error {
	flags := agent.Limits{Turns: c.MaxTurns, Tokens: c.MaxTokens, Cost: c.MaxCost, Time: c.MaxTime}
	a.Limits = flags.Or(cfg.Agent.Limits).Or(agent.Limits{Turns: defaultTurns})
	a.Window, a.Reserve = p.Chosen().ContextWindow, p.MaxTokens

	known := map[string]providers.Config{p.Name: p} // who may answer
	for _, name := range p.Fallback {
		if by, err := cfg.Choose(name, ""); err == nil {
			known[name] = by
		}
	}
	a.Price = func(m providers.Message) float64 {
		by := known[m.Provider]
		by.Model = m.Model
		return by.Chosen().Cost(m.Usage)
	}
	if a.Limits.Cost == 0 {
		return nil
	}
	for _, by := range known {
		if !by.Chosen().Priced() {
			return &usageError{fmt.Sprintf("a limit of costs needs the prices of model %q: input_price and output_price in [[providers.%s.models]]",
				by.Model, by.Name)}
		}
	}
	return nil
}
