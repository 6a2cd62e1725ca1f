package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tricode/agent/config"
	"tricode/approval"
	"tricode/tools"
)

// decideBy puts together what decides in a world.
func (c *commandLine) decideBy(w *world, cfg *config.Config) error {
	mode, err := c.mode(cfg)
	if err != nil {
		return err
	}
	dir := w.dir.Name()
	typed, err := c.typedRules()
	if err != nil {
		return err
	}
	w.settings, w.rules = cfg.Permissions, append(typed, cfg.Permissions.Rules...)
	rules, warnings, err := approval.Compile(w.rules, w.settings.Usual(), dir, cfg.Paths.Home)
	if err != nil {
		return &usageError{err.Error()}
	}
	if c.DangerouslySkipPermissions && c.PlanIn == "" {
		c.notice("warning: --dangerously-skip-permissions: nothing is asked")
	}
	w.file, w.warnings, w.modeBy = cfg.Paths.String(), warnings, c.modeSource(&w.settings)
	w.policy = approval.Policy{
		Mode:         mode,
		Tools:        c.Tools,
		WorkDir:      dir,
		Home:         cfg.Paths.Home,
		Own:          own(cfg.Paths),
		Private:      own(cfg.Paths),
		Protected:    w.settings.Protected,
		Default:      w.settings.Default,
		MaxUntracked: w.settings.MaxUntrackedDeletes,
		SkipAll:      c.DangerouslySkipPermissions,
		Unlimited:    c.BypassWorkDirectoryLimit,
		Rules:        rules,
	}
	return nil
}

// own lists tricode's own files, as they were found and with links followed: the configuration of this run, which may lie
// anywhere, and what other runs would read.
func own(p config.Paths) []string {
	paths := []string{p.File, p.State}
	if p.Dir != "" {
		paths = append(paths, p.Dir)
	}
	for _, path := range slices.Clone(paths) {
		if real, err := filepath.EvalSymlinks(path); err == nil && real != path {
			paths = append(paths, real)
		}
	}
	return paths
}

// mode is the mode that flags and configuration choose.
func (c *commandLine) mode(cfg *config.Config) (approval.Mode, error) {
	bypass := c.BypassPermission || c.DangerouslySkipPermissions
	if c.PermissionMode == "" {
		if bypass {
			return approval.ModeBypass, nil
		}
		return cfg.Permissions.Mode, nil
	}
	mode, err := approval.ParseMode(c.PermissionMode)
	switch {
	case err != nil:
		return 0, &usageError{"--permission-mode: " + err.Error()}
	case bypass && mode != approval.ModeBypass:
		return 0, &usageError{fmt.Sprintf("--permission-mode %s and bypassing permissions contradict each other", c.PermissionMode)}
	}
	return mode, nil
}

// tools are the tools that the model is told of: all, or those that --tools names.
func (w *world) tools(plan *tools.Plan) ([]tools.Tool, error) {
	all := w.allTools(plan)
	if w.policy.Tools == nil {
		return all, nil
	}
	var offered []tools.Tool
	for _, name := range w.policy.Tools {
		i := slices.IndexFunc(all, func(t tools.Tool) bool { return t.Name == name })
		if i < 0 {
			return nil, &usageError{fmt.Sprintf("--tools: there is no tool %q; there are %s", name, names(all))}
		}
		offered = append(offered, all[i])
	}
	return offered, nil
}

// recheck decides about a step of a command when it happens.
func (w *world) recheck(r *approval.Recheck, part *approval.Action) error {
	return w.gate.Recheck(r, part)
}

func (w *world) allTools(plan *tools.Plan) []tools.Tool {
	return tools.All(tools.World{
		Dir: w.dir, Outputs: w.outputs, Redact: w.redact, Box: w.box, Sessions: w.sessions, Plan: plan, Home: w.policy.Home,
		Boxes: w.boxes, Recheck: w.recheck, Concern: w.policy.Rules.Concern,
		Hides: w.policy.Hides, Guards: w.policy.Guards, History: &tools.History{},
	})
}

func names(all []tools.Tool) string {
	var list []string
	for _, t := range all {
		list = append(list, t.Name)
	}
	return strings.Join(list, ", ")
}
