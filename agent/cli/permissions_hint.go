package cli

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"tricode/approval"
)

// onlyPerson says that no rule would have helped.
const onlyPerson = "only a person at a terminal can allow this"

// least is the least that would have allowed an action that the policy asked about, ready to paste, or says that only
// a person can. Rules were tried on the policy before they are named.
func (w *world) least(a *approval.Action) string {
	if w.reviewed != "" {
		return "nobody is asked under --plan-in; what asks is for a person to do"
	}
	flags, paths := w.rulesFor(a)
	line := []approval.Rule{{Tool: a.Tool, Action: approval.Allow, Command: strings.TrimSpace(a.Text)}}
	if a.Text == "" {
		line = nil
	}
	for _, rules := range [][]approval.Rule{flags, slices.Concat(flags, paths), line, slices.Concat(line, paths), {{Tool: a.Tool, Action: approval.Allow}}} {
		enough := func(rules []approval.Rule) bool { return w.allowedBy(slices.Clone(rules), a) }
		if _, ok := pasted(rules); ok && enough(rules) {
			text, _ := pasted(fewest(rules, enough))
			return text + " would have allowed it"
		}
	}
	p := w.policy
	p.Mode = approval.ModeBypass
	if p.Decide(a, nil).Verdict == approval.Allow {
		return "no rule can allow this; --bypass-permission would have allowed it, and nearly everything else"
	}
	return onlyPerson
}

// allowedBy reports whether the policy would allow an action if it had these rules on its command line too.
func (w *world) allowedBy(rules []approval.Rule, a *approval.Action) bool {
	p := w.policy
	var err error
	p.Rules, _, err = approval.Compile(append(rules, w.rules...), w.settings.Tools, p.WorkDir, p.Home)
	return err == nil && p.Decide(a, nil).Verdict == approval.Allow
}

// rulesFor are the rules for what is asked about: those that a flag can say, and those for paths that commands name.
func (w *world) rulesFor(a *approval.Action) (flags, paths []approval.Rule) {
	for i, s := range a.Subjects {
		one := *a
		one.Subjects = a.Subjects[i : i+1]
		if w.policy.Decide(&one, nil).Verdict != approval.Ask {
			continue
		}
		r := approval.Rule{Tool: a.Tool, Action: approval.Allow}
		switch {
		case len(s.Args) > 0:
			r.Pattern = patternFor(s.Args)
		case s.Path != "":
			r.Path = w.pathFor(s)
		default:
			r.Host = s.Host
		}
		list := &flags
		if a.Text != "" && r.Path != "" {
			list = &paths
		}
		if !slices.ContainsFunc(*list, func(o approval.Rule) bool { return o.String() == r.String() }) {
			*list = append(*list, r)
		}
	}
	return flags, paths
}

// patternFor covers a command as it was written, but for what follows a word that a pattern cannot spell.
func patternFor(args []string) string {
	for i, w := range args {
		if w == "" || strings.ContainsAny(w, " \t\n*?[]{}()\\'\"") {
			return strings.Join(args[:i], " ") + " *"
		}
	}
	return strings.Join(args, " ")
}

// pathFor is a glob that matches the path of a subject alone.
func (w *world) pathFor(s approval.Subject) string {
	if s.Rel != "" && s.Path == path.Join(w.policy.WorkDir, s.Rel) {
		return approval.EscapeGlob(s.Rel)
	}
	return approval.EscapeGlob(s.Path)
}

// pasted is how rules are written: as flags if those can say them, otherwise for the configuration.
func pasted(rules []approval.Rule) (string, bool) {
	var flags, tables []string
	for _, r := range rules {
		spec := r.String()
		if again, err := approval.ParseRule(spec, r.Action); err == nil && again.String() == spec && r.Command == "" && (r.Path == "" || again.Path == r.Path) && len(splitRules(spec)) == 1 {
			flags = append(flags, "--allow '"+strings.ReplaceAll(spec, "'", `'\''`)+"'")
		}
		table := fmt.Sprintf("tool = %q, ", r.Tool)
		for _, m := range [...]struct{ key, value string }{{"command", r.Command}, {"pattern", r.Pattern}, {"path", r.Path}, {"host", r.Host}} {
			if m.value != "" {
				table += fmt.Sprintf("%s = %q, ", m.key, m.value)
			}
		}
		tables = append(tables, "{ "+table+`action = "allow" }`)
	}
	if len(flags) == len(rules) {
		return strings.Join(flags, " "), len(rules) > 0
	}
	return "rules = [" + strings.Join(tables, ", ") + "] under [permissions]", true
}
