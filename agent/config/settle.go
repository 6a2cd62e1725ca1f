package config

import (
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tricode/agent"
	"tricode/approval"
	"tricode/providers"
)

// bypassFlag is how that mode is chosen, and the only way.
const bypassFlag = "--bypass-permission"

// settle fills the configuration from the document, and finds values that make no sense.
func (d *document) settle(cfg *Config) error {
	cfg.Provider, cfg.Model, cfg.Notify = d.file.Provider, d.file.Model, d.file.Terminal.Notify
	if len(d.file.Providers) > 0 {
		cfg.Providers = make(map[string]providers.Config, len(d.file.Providers))
	}
	for _, name := range slices.Sorted(maps.Keys(d.file.Providers)) {
		p := d.file.Providers[name]
		if err := d.provider(name, &p, cfg.Paths); err != nil {
			return err
		}
		cfg.Providers[name] = p
	}
	if err := d.permissions(&cfg.Permissions); err != nil {
		return err
	}
	var err error
	if cfg.Permissions.Protected, err = d.protected(cfg.Paths.Home); err != nil {
		return err
	}
	const extra = "permissions.additional_directories"
	if cfg.Permissions.AdditionalDirectories, err = d.paths(extra, d.file.Permissions.AdditionalDirectories, cfg.Paths); err != nil {
		return err
	}
	if err := d.sandbox(&cfg.Sandbox, cfg.Paths); err != nil {
		return err
	}
	if err := d.rulebook(&cfg.Permissions); err != nil {
		return err
	}
	if cfg.Hooks, err = d.hooks(filepath.Dir(cfg.Paths.File)); err != nil {
		return err
	}
	return d.agent(&cfg.Agent)
}

func (d *document) permissions(p *Permissions) error {
	var err error
	if p.Mode, err = d.mode(); err != nil {
		return err
	}
	if p.Default, err = d.verdict(); err != nil {
		return err
	}
	p.MaxUntrackedDeletes = d.file.Permissions.MaxUntrackedDeletes
	return d.atLeastOne("permissions.max_untracked_deletes", p.MaxUntrackedDeletes)
}

// mode is the mode under any of its names.
func (d *document) mode() (mode approval.Mode, err error) {
	in, seen := d.file.Permissions, ""
	for _, n := range []struct{ key, value string }{
		{"permissions.mode", in.Mode}, {"permissions.profile", in.Profile}, {"permissions.default_mode", in.DefaultMode},
	} {
		if _, ok := d.places[n.key]; !ok {
			continue
		}
		m, err := approval.ParseMode(n.value)
		switch {
		case err != nil:
			return 0, d.wrongValue(n.key, "%s is not one of ask, accept_edits, plan, read_only", quote(n.value))
		case m == approval.ModeBypass:
			return 0, d.wrongValue(n.key, "%q can be chosen on the command line only: %s", n.value, bypassFlag)
		case seen != "" && m != mode:
			return 0, d.wrongValue(n.key, "%q contradicts %s, which is another name of it", n.value, seen)
		}
		mode, seen = m, last(n.key)
	}
	if d.file.TrustMode {
		return 0, d.wrongValue("trust_mode", "can be chosen on the command line only: %s", bypassFlag)
	}
	if in.TrustMode {
		return 0, d.wrongValue("permissions.trust_mode", "can be chosen on the command line only: %s", bypassFlag)
	}
	return mode, nil
}

// verdict is the answer where nothing else decides.
func (d *document) verdict() (approval.Verdict, error) {
	const key = "permissions.default"
	if _, ok := d.places[key]; !ok {
		return approval.Ask, nil
	}
	switch value := d.file.Permissions.Default; value {
	case "ask":
		return approval.Ask, nil
	case "deny":
		return approval.Deny, nil
	case "allow":
		return 0, d.wrongValue(key, "%q can be chosen on the command line only: %s", value, bypassFlag)
	default:
		return 0, d.wrongValue(key, "%s is not one of ask, deny", quote(value))
	}
}

// protected are the globs of protected paths, those below the home directory as absolute ones.
func (d *document) protected(home string) ([]string, error) {
	var globs []string
	for _, glob := range d.file.Permissions.Protected {
		if err := approval.CheckGlob(glob); err != nil {
			return nil, d.wrong(d.places["permissions.protected"].value, "protected: "+err.Error())
		}
		if rest, ok := strings.CutPrefix(glob, "~/"); ok && home != "" {
			glob = filepath.ToSlash(home) + "/" + rest
		}
		globs = append(globs, glob)
	}
	return globs, nil
}

// paths are those of a list, absolute. Relative ones are meant from where the file is.
func (d *document) paths(key string, list []string, p Paths) ([]string, error) {
	var all []string
	for _, name := range list {
		rest, home := strings.CutPrefix(name, "~")
		switch {
		case name == "":
			return nil, d.wrongValue(key, "has an empty path in it")
		case strings.ContainsRune(name, 0):
			return nil, d.wrongValue(key, "has a path with a NUL in it")
		case home && (rest == "" || rest[0] == '/') && p.Home != "":
			name = filepath.Join(p.Home, filepath.FromSlash(rest))
		case !filepath.IsAbs(name):
			name = filepath.Join(filepath.Dir(p.File), filepath.FromSlash(name))
		}
		all = append(all, filepath.Clean(name))
	}
	return all, nil
}

func (d *document) agent(a *Agent) error {
	const key = "agent.plan"
	in := d.file.Agent
	if _, ok := d.places[key]; ok && in.Plan != "optional" && in.Plan != "required" {
		return d.wrongValue(key, "%s is not one of optional, required", quote(in.Plan))
	}
	a.PlanRequired = in.Plan == "required"
	a.Limits = agent.Limits{Turns: in.MaxTurns, Tokens: in.MaxTokens, Cost: in.MaxCost, Time: time.Duration(in.MaxTime)}
	if err := d.atLeastOne("agent.max_turns", in.MaxTurns); err != nil {
		return err
	}
	if err := d.atLeastOne("agent.max_tokens", in.MaxTokens); err != nil {
		return err
	}
	if _, ok := d.places["agent.max_cost"]; ok && !(in.MaxCost > 0 && in.MaxCost < math.MaxInt32) {
		return d.wrongValue("agent.max_cost", "must be an amount of US dollars, more than 0")
	}
	return nil
}

// atLeastOne checks a number that counts something, as 0 stands for one that was not given.
func (d *document) atLeastOne(key string, n int) error {
	if _, ok := d.places[key]; ok && (n < 1 || n > math.MaxInt32) {
		return d.wrongValue(key, "must be between 1 and %d", math.MaxInt32)
	}
	return nil
}
