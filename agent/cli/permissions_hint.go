package cli

import (
	"path"
	"slices"
	"strings"
	"unicode"

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
	typed := w.typed()
	for _, rules := range [][]approval.Rule{flags, slices.Concat(flags, paths), line, slices.Concat(line, paths), {{Tool: a.Tool, Action: approval.Allow}}} {
		first := 0
		if _, ok := asFlags(rules); !ok {
			first = typed
		}
		enough := func(rules []approval.Rule) bool { return w.allowedBy(rules, first, a) }
		if len(rules) == 0 || !enough(rules) {
			continue
		}
		rules = fewest(rules, enough)
		switch text, ok := asFlags(rules); {
		case !ok:
			return w.forFile(rules)
		case w.allowedBy(rules, typed, a):
			return text + " would have allowed it"
		default:
			return text + " would have allowed it, in front of the other flags"
		}
	}
	p := w.policy
	p.Mode = approval.ModeBypass
	if p.Decide(a, nil).Verdict == approval.Allow {
		return "no rule can allow this; --bypass-permission would have allowed it, and nearly everything else"
	}
	return onlyPerson
}

// typed is how many rules come from the command line; they are the first.
func (w *world) typed() int {
	n := slices.IndexFunc(w.rules, func(r approval.Rule) bool { return !strings.HasPrefix(r.Source, "--") })
	if n < 0 {
		return len(w.rules)
	}
	return n
}

// allowedBy reports whether the policy would allow an action if it had these rules too, behind the first n.
func (w *world) allowedBy(rules []approval.Rule, n int, a *approval.Action) bool {
	p := w.policy
	var err error
	p.Rules, _, err = approval.Compile(slices.Concat(w.rules[:n], rules, w.rules[n:]), w.settings.Usual(), p.WorkDir, p.Home)
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

// asFlags are rules as they are typed, if flags can say them.
func asFlags(rules []approval.Rule) (string, bool) {
	var flags []string
	for _, r := range rules {
		spec := r.String()
		again, err := approval.ParseRule(spec, r.Action)
		if err != nil || again.String() != spec || r.Command != "" || r.Path != "" && again.Path != r.Path || len(splitRules(spec)) != 1 || strings.ContainsFunc(spec, unicode.IsControl) {
			return "", false
		}
		flags = append(flags, "--allow '"+strings.ReplaceAll(spec, "'", `'\''`)+"'")
	}
	return strings.Join(flags, " "), len(flags) > 0
}

// forFile says how rules are written in the person's own configuration: as one value, or where that has rules already as tables
// that can follow them.
func (w *world) forFile(rules []approval.Rule) string {
	var tables, values strings.Builder
	for i, r := range rules {
		r.Source = ""
		table := r.TOML()
		tables.WriteString("\n" + strings.TrimSuffix(table, "\n"))
		if i > 0 {
			values.WriteString(", ")
		}
		keys := strings.Split(strings.TrimSuffix(table, "\n"), "\n")[1:] // behind the header
		values.WriteString("{ " + strings.Join(keys, ", ") + " }")
	}
	if slices.ContainsFunc(w.rules, func(r approval.Rule) bool { return strings.HasPrefix(r.Source, w.file+":") }) {
		return "at the end of " + w.file + " this would have allowed it:" + tables.String()
	}
	return "rules = [" + values.String() + "] under [permissions] would have allowed it"
}
