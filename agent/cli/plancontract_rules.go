package cli

import (
	"cmp"
	"slices"
	"strings"

	"tricode/agent"
	"tricode/approval"
)

// planSource is where the rules of a plan come from that a person agreed to.
const planSource = "the plan"

// needs finds what an action needs: the least set of rules that would allow it, where that is for rules to do.
func (w *world) needs(a *approval.Action) (need agent.Need, reason string, rules []approval.Rule) {
	open := *w
	open.policy.Default, open.policy.Planned = approval.Ask, false // a rule would come before these
	d := open.policy.Decide(a, nil)
	switch {
	case d.Verdict == approval.Deny:
		return agent.NeedsChange, d.Reason, nil
	case d.Verdict == approval.Allow:
		return agent.NeedsNothing, "", nil
	case a.Fault() != nil:
		return agent.NeedsPerson, a.Fault().Error(), nil
	case a.Personal(d.Effects):
		return agent.NeedsPerson, cmp.Or(d.Reason, "only a person can allow it"), nil
	}
	flags, paths := open.rulesFor(a)
	for _, all := range [][]approval.Rule{flags, slices.Concat(flags, paths)} {
		rules := exactly(a, all)
		enough := func(rules []approval.Rule) bool {
			granted, err := w.with(rules)
			return err == nil && granted.policy.Decide(a, nil).Verdict == approval.Allow
		}
		if len(rules) > 0 && enough(rules) {
			return agent.NeedsRule, "", fewest(rules, enough)
		}
	}
	return agent.NeedsPerson, cmp.Or(d.Reason, "no rule can speak of it alone"), nil
}

// exactly makes rules that allow an action speak of it and, as far as rules can say that, of nothing else; none where they
// cannot.
func exactly(a *approval.Action, all []approval.Rule) []approval.Rule {
	for i := range all {
		r := &all[i]
		r.Source = planSource
		switch {
		case a.Text != "" && strings.Contains(r.Pattern, "*"):
			return []approval.Rule{{Tool: a.Tool, Action: approval.Allow, Command: strings.TrimSpace(a.Text), Source: planSource}}
		case r.Pattern+r.Path+r.Host == "" && !strings.Contains(a.Tool, "__"):
			return nil // only of a tool of a server no more can be said
		}
	}
	return all
}

// spelled is a rule as a person reads it in a contract, where it could be taken for another one in words.
func spelled(r approval.Rule) string {
	switch again, err := approval.ParseRule(r.String(), r.Action); {
	case strings.Contains(r.Command, "*"):
		return r.String() + ", to the letter"
	case r.Path != "" && (err != nil || again.Path != r.Path): // of commands: they touch it
		return r.Tool + ", on the path " + r.Path
	}
	return r.String()
}

// with is the world with more allow rules, behind all others, so that deny and ask rules hold.
func (w *world) with(rules []approval.Rule) (*world, error) {
	v := *w
	v.rules = slices.Concat(w.rules, rules)
	compiled, _, err := approval.Compile(v.rules, v.settings.Usual(), v.policy.WorkDir, v.policy.Home)
	v.policy.Rules = compiled
	return &v, err
}

// grant adds the rules that a person agreed to for the rest of the run.
func (w *world) grant(rules []approval.Rule) error {
	v, err := w.with(rules)
	if err != nil {
		return err
	}
	w.rules, w.policy = v.rules, v.policy
	w.gate.Policy = w.policy
	return nil
}

// only is the world where nothing is allowed but to read, and what these rules say: no mode and no other rule allows
// more. What denies or asks stays.
func (w *world) only(rules []approval.Rule) (*world, error) {
	v := *w
	v.rules = slices.DeleteFunc(slices.Clone(w.rules), func(r approval.Rule) bool { return r.Action == approval.Allow })
	v.settings.Tools = map[string]approval.Verdict{}
	for name, verdict := range w.settings.Tools {
		if verdict == approval.Deny {
			v.settings.Tools[name] = verdict
		}
	}
	v.policy.SkipAll, v.policy.Planned = false, true
	if m := v.policy.Mode; m == approval.ModeBypass || m == approval.ModeAcceptEdits {
		v.policy.Mode = approval.ModeAsk
	}
	return v.with(rules)
}
