package config

import (
	"cmp"
	"maps"
	"slices"

	"tricode/approval"
)

// AddProject adds what counts of a project's configuration: what makes the rules stricter, and with trust the rest.
func (c *Config) AddProject(p *Project) {
	own, all := &c.Permissions, &p.Settings.Permissions
	own.Protected = append(own.Protected, all.Protected...)
	own.citeItems(*all, "protected", all.Protected)
	if !p.Trusted {
		own.Rules = append(strict(*all, own.Default), own.Rules...)
		return
	}
	own.adopt(p)
	c.Model = cmp.Or(p.Settings.Model, c.Model)
	c.Agent.PlanRequired = c.Agent.PlanRequired || p.Settings.Agent.PlanRequired
	c.Agent.Limits = c.Agent.Limits.And(p.Settings.Agent.Limits)
	c.Programs = p.Programs
	for _, h := range p.Settings.Hooks {
		h.Project = true
		c.Hooks = append(c.Hooks, h)
	}
}

// adopt adds the permissions of a trusted project. What is one value counts where it is the stricter one, what the
// person denies to a tool stays denied.
func (own *Permissions) adopt(p *Project) {
	all := p.Settings.Permissions
	if p.SaysMode() && p.Stricter(own.Mode) {
		own.Mode = all.Mode
		own.cite(all, "mode", "profile", "default_mode")
	}
	if all.Default == approval.Deny {
		own.Default = approval.Deny
		own.cite(all, "default")
	}
	if n := all.MaxUntrackedDeletes; n > 0 && n < cmp.Or(own.MaxUntrackedDeletes, approval.DefaultMaxUntracked) {
		own.MaxUntrackedDeletes = n
		own.cite(all, "max_untracked_deletes")
	}
	own.AdditionalDirectories = append(own.AdditionalDirectories, all.AdditionalDirectories...)
	own.citeItems(all, "additional_directories", all.AdditionalDirectories)
	own.Rules = append(slices.Clip(all.Rules), own.Rules...)
	own.Tests = append(slices.Clip(all.Tests), own.Tests...)
	tools := maps.Clone(own.Tools)
	for name, v := range all.Tools {
		if old, ok := tools[name]; ok && old == approval.Deny {
			continue
		}
		if tools == nil {
			tools = map[string]approval.Verdict{}
		}
		tools[name] = v
		own.cite(all, join("tools", name))
	}
	own.Tools = tools
}

// cite takes over where settings are written, for keys that mean the same.
func (own *Permissions) cite(from Permissions, keys ...string) {
	sources := maps.Clone(own.Sources)
	if sources == nil {
		sources = map[string]string{}
	}
	for _, key := range keys {
		delete(sources, key)
		if source := from.Sources[key]; source != "" {
			sources[key] = source
		}
	}
	own.Sources = sources
}

// citeItems takes over where the items of a list are written, under the key of the list and the item.
func (own *Permissions) citeItems(from Permissions, key string, items []string) {
	sources := maps.Clone(own.Sources)
	if sources == nil && len(items) > 0 {
		sources = map[string]string{}
	}
	for _, item := range items {
		sources[key+"."+item] = from.Sources[key]
	}
	own.Sources = sources
}

// strict are the rules of a project that count without trust: those that deny or ask. Where the default is to deny,
// a question would be less strict.
func strict(p Permissions, otherwise approval.Verdict) []approval.Rule {
	var rules []approval.Rule
	for _, r := range p.Rules {
		if r.Action == approval.Ask && otherwise == approval.Deny {
			r.Action = approval.Deny
		}
		if r.Action != approval.Allow {
			rules = append(rules, r)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Tools)) {
		if p.Tools[name] == approval.Deny {
			rules = append(rules, approval.Rule{Tool: name, Action: approval.Deny, Source: p.Sources[join("tools", name)]})
		}
	}
	return rules
}

// SaysMode reports whether the project chooses a mode, by any of its names.
func (p *Project) SaysMode() bool { return slices.ContainsFunc(p.Waiting, isMode) }

// Counting are the keys that count with trust, beside a mode of the person's own.
func (p *Project) Counting(beside approval.Mode) []string {
	if p.Stricter(beside) {
		return p.Waiting
	}
	return slices.DeleteFunc(slices.Clone(p.Waiting), isMode)
}

func isMode(key string) bool {
	return key == "permissions.mode" || key == "permissions.profile" || key == "permissions.default_mode"
}

// Stricter reports whether the project's mode lets less happen than another.
func (p *Project) Stricter(than approval.Mode) bool {
	return strictness[p.Settings.Permissions.Mode] > strictness[than]
}

// strictness orders the modes by what they let happen.
var strictness = [...]int{
	approval.ModeBypass: 0, approval.ModeAcceptEdits: 1, approval.ModeAsk: 2, approval.ModePlan: 3, approval.ModeReadOnly: 4,
}
