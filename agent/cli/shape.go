package cli

import (
	"errors"
	"path"
	"slices"
	"strings"

	"tricode/approval"
)

// subcommands are programs of which the first words say what they do: that many of them make the shape of a command.
var subcommands = map[string]int{
	"apt": 1, "brew": 1, "bundle": 1, "cargo": 1, "composer": 1, "docker": 1, "dotnet": 1, "gem": 1, "gh": 2, "git": 1, "go": 1,
	"gradle": 1, "helm": 1, "just": 1, "kubectl": 1, "make": 1, "mix": 1, "mvn": 1, "npm": 1, "npx": 1, "pip": 1, "pip3": 1,
	"pnpm": 1, "podman": 1, "poetry": 1, "systemctl": 1, "task": 1, "terraform": 1, "uv": 1, "yarn": 1,
}

// plainEffects are those of a command that may come with other words too. With any other it is allowed as it is written.
const plainEffects = approval.Read | approval.Write | approval.Exec | approval.ExecProject

var (
	errNoShape = errors.New("no rule can say this; only 1, 2 or another rule can")
	errConfirm = errors.New("what a command changed is asked about each time, whatever a rule says")
)

// shape finds the rules that allow an action and its like. Each choice is tried on the policy: a rule that would not be
// enough is not offered.
func (w *world) shape(a *approval.Action) ([]approval.Rule, error) {
	if a.Confirm {
		return nil, errConfirm
	}
	exact, paths := w.rulesFor(a)
	like := make([]approval.Rule, len(exact))
	for i, r := range exact {
		like[i] = w.widened(a, r)
		if spread(a, r) {
			exact[i].Pattern = ""
		}
	}
	choices := [][]approval.Rule{like, slices.Concat(like, paths), exact, slices.Concat(exact, paths)}
	if a.Text != "" {
		line := []approval.Rule{{Tool: a.Tool, Action: approval.Allow, Command: strings.TrimSpace(a.Text)}}
		choices = append(choices, line, slices.Concat(line, paths))
	}
	for _, rules := range choices {
		enough := func(rules []approval.Rule) bool { return w.allowedBy(rules, 0, a) }
		if says(rules) && enough(rules) {
			return fewest(rules, enough), nil
		}
	}
	return nil, errNoShape
}

// fewest leaves out the rules that the others make needless, the last ones first.
func fewest(rules []approval.Rule, enough func([]approval.Rule) bool) []approval.Rule {
	for i := len(rules) - 1; i >= 0 && len(rules) > 1; i-- {
		if others := slices.Delete(slices.Clone(rules), i, i+1); enough(others) {
			rules = others
		}
	}
	return rules
}

// says reports whether each rule speaks of something, and not of a whole tool.
func says(rules []approval.Rule) bool {
	return len(rules) > 0 && !slices.ContainsFunc(rules, func(r approval.Rule) bool { return r.String() == r.Tool })
}

// widened is a rule for what is like the one thing that a rule speaks of. It says nothing if that may be anything else.
func (w *world) widened(a *approval.Action, r approval.Rule) approval.Rule {
	for _, s := range a.Subjects {
		switch {
		case len(s.Args) > 0 && r.Pattern == patternFor(s.Args):
			harmless := s.Effects != 0 && s.Effects&^plainEffects == 0 && s.Why == ""
			if words := shapeOf(s); words != nil && harmless {
				r.Pattern = strings.Join(words, " ") + " *"
			} else if spread(a, r) {
				r.Pattern = ""
			}
			return r
		case s.Path != "" && r.Path == w.pathFor(s) && a.Text == "" && s.Effects.Only(approval.Write) && s.Rel != "":
			r.Path = siblings(a.Tool, r.Path)
			return r
		}
	}
	return r
}

// spread reports whether a rule covers more than the command that it was made for, which has words that it cannot spell.
func spread(a *approval.Action, r approval.Rule) bool {
	return r.Pattern != "" && !slices.ContainsFunc(a.Subjects, func(s approval.Subject) bool {
		return strings.Join(s.Args, " ") == r.Pattern
	})
}

// shapeOf are the words that make a command what it is; nil if a pattern cannot spell them.
func shapeOf(s approval.Subject) []string {
	n := 1 + subcommands[s.Args[0]]
	if s.Effects.Has(approval.ExecProject) { // the words that say what it runs
		for n < len(s.Args) && strings.HasPrefix(s.Args[n-1], "-") || n == 1 && len(s.Args) > 1 {
			n++
		}
	}
	words := s.Args[:min(n, len(s.Args))]
	if patternFor(words) != strings.Join(words, " ") {
		return nil
	}
	return words
}

// siblings are the files like one that is to be made. A file that is there is changed again and again, so it is its own shape.
func siblings(tool, name string) string {
	if tool != "create_file" && tool != "mkdir" {
		return name
	}
	all := "*"
	if ext := path.Ext(name); tool == "create_file" && !strings.HasPrefix(path.Base(name), ".") {
		all += ext
	}
	return path.Join(path.Dir(name), all)
}
