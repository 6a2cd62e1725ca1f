package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"tricode/approval"
)

// ruleFlags are the rules that one flag gave.
type ruleFlags []ruleFlag

// ruleFlag is one rule as it was typed. left is how many words of the command line came after it, which orders rules
// of different flags.
type ruleFlag struct {
	spec string
	left int
}

// Decode implements kong.MapperValue.
func (r *ruleFlags) Decode(ctx *kong.DecodeContext) error {
	var value string
	if err := ctx.Scan.PopValueInto("rule", &value); err != nil {
		return err
	}
	for _, spec := range splitRules(value) {
		*r = append(*r, ruleFlag{spec, ctx.Scan.Len()})
	}
	return nil
}

// splitRules splits a list of rules, which other agents take in one argument, at its commas outside parentheses.
func splitRules(list string) []string {
	var specs []string
	depth, start := 0, 0
	for i, c := range list {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				specs = append(specs, list[start:i])
				start = i + 1
			}
		}
	}
	return append(specs, list[start:])
}

// typedRules are the rules of the command line, in its order.
func (c *commandLine) typedRules() ([]approval.Rule, error) {
	type typed struct {
		ruleFlag
		action approval.Verdict
		flag   string
	}
	var all []typed
	for _, f := range []struct {
		flags  ruleFlags
		action approval.Verdict
		name   string
	}{{c.Deny, approval.Deny, "--deny"}, {c.Ask, approval.Ask, "--ask"}, {c.Allow, approval.Allow, "--allow"}} {
		for _, r := range f.flags {
			all = append(all, typed{r, f.action, f.name})
		}
	}
	slices.SortStableFunc(all, func(a, b typed) int { return cmp.Compare(b.left, a.left) })
	var rules []approval.Rule
	for _, t := range all {
		r, err := approval.ParseRule(t.spec, t.action)
		if err != nil {
			return nil, &usageError{fmt.Sprintf("%s %s: %v", t.flag, strings.TrimSpace(t.spec), err)}
		}
		r.Source = t.flag
		rules = append(rules, r)
	}
	return rules, nil
}
