package cli

import (
	"fmt"
	"slices"
	"strings"

	"tricode/agent"
	"tricode/approval"
	"tricode/tools"
)

// dialogue is what a person can say at the question beside an answer: see what is decided by, and change it for the
// rest of this run. Nothing of it is stored.
type dialogue struct {
	c     *commandLine
	world *world
	gate  *approval.Gate
	plan  *tools.Plan
	tally *agent.Tally
}

// command answers a line that begins with a slash, and reports whether it changed the policy.
func (d *dialogue) command(line string) (reply string, changed bool) {
	words := strings.Fields(line)
	var about string
	if len(words) > 1 {
		about = words[1]
	}
	switch n := len(words); {
	case words[0] == "/plan":
		return d.plan.String(), false
	case words[0] != "/permissions":
		return unknownCommand(words[0], []string{"/permissions", "/plan"}, "?"), false
	case n == 1:
		return d.c.policyText(d.world), false
	case about == "denials" && n == 2:
		return d.denials(), false
	case about == "profile" && n == 3:
		return d.profile(words[2])
	case about == "rule" && n > 3:
		return d.rule(strings.Join(words[2:n-1], " "), words[n-1])
	}
	return "behind /permissions stands profile MODE, rule RULE allow|ask|deny, or denials", false
}

// unknownCommand says that a line with a slash is none that is known.
func unknownCommand(word string, known []string, help string) string {
	if near := approval.Nearest(word, known); near != "" {
		return fmt.Sprintf("%s is nothing that can be typed here; did you mean %s?", word, near)
	}
	return fmt.Sprintf("%s is nothing that can be typed here; %s lists what is", word, help)
}

func (d *dialogue) denials() string {
	if len(d.tally.Denials) == 0 {
		return "Nothing was denied so far."
	}
	var b strings.Builder
	for _, denial := range d.tally.Denials {
		b.WriteString(denialLine(denial))
	}
	return b.String()
}

// profile changes the mode. Bypass is for the command line only: at a question it would be too easily said.
func (d *dialogue) profile(name string) (string, bool) {
	mode, err := approval.ParseMode(name)
	switch {
	case err != nil:
		return err.Error(), false
	case mode == approval.ModeBypass:
		return "bypass can be chosen on the command line only: --bypass-permission", false
	}
	d.world.policy.Mode, d.world.modeBy = mode, sessionSource
	d.gate.Policy = d.world.policy
	return fmt.Sprintf("The mode is %s for the rest of this run.", mode), true
}

// sessionSource is where a rule or a mode comes from that was said at the question.
const sessionSource = "this session"

// rule adds a rule before all others. What names no tool is a pattern for commands.
func (d *dialogue) rule(spec, action string) (string, bool) {
	verdict, err := approval.ParseVerdict(action)
	if err != nil {
		return err.Error(), false
	}
	if tool, _, _ := strings.Cut(spec, "("); approval.CheckTool(strings.TrimSpace(tool)) != nil && !strings.Contains(spec, "(") {
		spec = "run_command(" + spec + ")"
	}
	added, err := approval.ParseRule(spec, verdict)
	if err != nil {
		return err.Error(), false
	}
	if err := d.add(added); err != nil {
		return err.Error(), false
	}
	return fmt.Sprintf("%s %s, for the rest of this run.", verdict, added), true
}

// add puts rules before all others.
func (d *dialogue) add(rules ...approval.Rule) error {
	for i := range rules {
		rules[i].Source = sessionSource
	}
	w := d.world
	all := slices.Concat(rules, w.rules)
	compiled, _, err := approval.Compile(all, w.settings.Usual(), w.policy.WorkDir, w.policy.Home)
	if err != nil {
		return err
	}
	w.rules, w.policy.Rules = all, compiled
	d.gate.Policy = w.policy
	return nil
}

// shape is what "s" would allow, for a person, and how to make it count.
func (d *dialogue) shape(a *approval.Action) (lines []string, take func() error, err error) {
	rules, err := d.world.shape(a)
	for _, r := range rules {
		line := spelled(r)
		if r.Command != "" {
			line = r.Tool + ", exactly: " + r.Command
		}
		lines = append(lines, line)
	}
	return lines, func() error { return d.add(rules...) }, err
}
