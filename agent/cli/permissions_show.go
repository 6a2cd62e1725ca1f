package cli

import (
	"fmt"
	"slices"
	"strings"

	"tricode/agent/config"
	"tricode/approval"
	"tricode/approval/plain"
)

// policyText is the policy that holds here, and where each part of it comes from, safe to print.
func (c *commandLine) policyText(j *world) string {
	p := &j.settings
	var b strings.Builder
	line := func(format string, args ...any) { b.WriteString(plain.Line(fmt.Sprintf(format, args...)) + "\n") }
	line("mode: %s (%s)", j.policy.Mode, j.modeBy)
	line("default: %s (%s)", j.policy.Default, sourceOr(p, "the default", "default"))
	line("work directory: %s", j.policy.WorkDir)
	for _, dir := range p.AdditionalDirectories {
		line("additional directory: %s (%s)", dir, sourceOr(p, "", "additional_directories."+dir, "additional_directories"))
	}
	for _, glob := range p.Protected {
		line("protected: %s (%s)", glob, sourceOr(p, "", "protected."+glob, "protected"))
	}
	if n := p.MaxUntrackedDeletes; n > 0 {
		line("untracked files that one call may delete: %d (%s)", n, sourceOr(p, "", "max_untracked_deletes"))
	}
	c.writeSandbox(line, &j.confined)
	if j.policy.Tools != nil {
		line("tools: %s (--tools)", strings.Join(j.policy.Tools, ", "))
	}
	if c.DangerouslySkipPermissions {
		line("nothing is asked (--dangerously-skip-permissions)")
	}
	if c.BypassWorkDirectoryLimit {
		line("the work directory is no limit (--bypass-work-directory-limit)")
	}
	usual := p.Usual()
	denies := func(r approval.Rule) bool { return r.Action == approval.Deny }
	writeRules(line, "deny rules, before all others:", slices.Concat(j.rules, usual), denies)
	writeRules(line, "ask and allow rules, the first that matches counts:", j.rules, func(r approval.Rule) bool { return !denies(r) })
	writeRules(line, "tools, where no rule matches:", usual, func(r approval.Rule) bool { return !denies(r) })
	for _, h := range j.asked {
		tools := "all tools"
		if len(h.Tools) > 0 {
			tools = strings.Join(h.Tools, ", ")
		}
		line("hook, %s of %s: %s (%s)", h.Event, tools, strings.Join(h.Command, " "), h.Source)
	}
	return b.String()
}

func writeRules(line func(string, ...any), title string, rules []approval.Rule, which func(approval.Rule) bool) {
	for _, r := range rules {
		if !which(r) {
			continue
		}
		if title != "" {
			line("%s", title)
			title = ""
		}
		text := fmt.Sprintf("  %-5s %s (%s)", r.Action, r, r.Source)
		if r.Reason != "" {
			text += ": " + r.Reason
		}
		line("%s", text)
	}
}

// modeSource says what chose the mode.
func (c *commandLine) modeSource(p *config.Permissions) string {
	switch {
	case c.PermissionMode != "":
		return "--permission-mode"
	case c.DangerouslySkipPermissions:
		return "--dangerously-skip-permissions"
	case c.BypassPermission:
		return "--bypass-permission"
	}
	return sourceOr(p, "the default", "mode", "profile", "default_mode")
}

// sourceOr is where one of the keys is written.
func sourceOr(p *config.Permissions, otherwise string, keys ...string) string {
	for _, key := range keys {
		if source := p.Sources[key]; source != "" {
			return source
		}
	}
	return otherwise
}
