package approval

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Hooks are the person's own programs that have a say. They can make a decision stricter; only where a person would be
// asked can they also allow.
type Hooks interface {
	// Before is asked about what no limit, no deny rule and no mode forbids; an opinion to allow does not count. Nil
	// says that no hook concerns itself with the action.
	Before(ctx context.Context, a *Action) *Opinion
	// Permission is asked before a person is.
	Permission(ctx context.Context, a *Action) *Opinion
	// After is told what came of an action, and may add a note for the model; empty is none.
	After(ctx context.Context, a *Action, r Result, err error) (note string)
}

// Opinion is what hooks say about an action. The zero Opinion says nothing.
type Opinion struct {
	Given   bool
	Verdict Verdict
	Reason  string // names the hook; one line
}

// MatchTools makes of names as rules have them, synonyms and "prefix*" included, a function that reports whether a
// tool is one of them. No names at all are every tool.
func MatchTools(names []string) (func(tool string) bool, error) {
	sets := make([]toolSet, len(names))
	for i, name := range names {
		var err error
		if sets[i], err = parseTools(name); err != nil {
			return nil, err
		}
	}
	return func(tool string) bool {
		for i := range sets {
			if sets[i].has(tool) {
				return true
			}
		}
		return len(sets) == 0
	}, nil
}

// hooks is what hooks said before the call. Where nothing is asked at all they can only deny.
func (p *Policy) hooks(c *call, _ Subject) *answer {
	o := c.hooks
	if o == nil || !o.Given || o.Verdict == Allow || o.Verdict == Ask && p.SkipAll {
		return nil
	}
	return &answer{verdict: o.Verdict, reason: o.Reason}
}

// negotiable reports whether a permission hook may allow what one subject is asked about: it must be layer 11 or an
// ask rule, not a hook, not what is usual for the tool, and not that rules cannot tell whether they speak of it.
func (p *Policy) negotiable(c *call, s Subject, d Decision) bool {
	switch {
	case d.Verdict != Ask:
		return true
	case s.Effects.Has(Catastrophic):
		return false
	case d.Layer == LayerRules:
		return p.Rules.search(&p.Rules.others, c, s) != none && p.Rules.doubt(c, s) == ""
	}
	return d.Layer == LayerDefault
}

// consult asks the hooks about an action that nothing forbids and decides anew with what they say.
func (g *Gate) consult(ctx context.Context, a *Action, d Decision) (Decision, error) {
	if g.Hooks == nil {
		return d, nil
	}
	said := g.Hooks.Before(ctx, a)
	if ctx.Err() != nil {
		return d, context.Cause(ctx)
	}
	if said == nil {
		return d, nil
	}
	return g.decide(a, said), nil
}

// permission asks the hooks instead of a person. The decision stays open if they leave it to one.
func (g *Gate) permission(ctx context.Context, a *Action, d Decision) (Decision, error) {
	if g.Hooks == nil {
		return d, nil
	}
	said := g.Hooks.Permission(ctx, a)
	switch {
	case ctx.Err() != nil:
		return d, context.Cause(ctx)
	case said == nil || !said.Given || said.Verdict == Ask:
		return d, nil
	case said.Verdict == Allow && !d.negotiable:
		return d.also(Step{Layer: LayerPerson, Verdict: "-", Reason: "only a person can allow this (" + said.Reason + ")"}), nil
	}
	return d.by(ByHook, said.Verdict, said.Reason), nil
}

// after tells the hooks what came of an action and adds what they note to it.
func (g *Gate) after(ctx context.Context, a *Action, r Result, err error) (Result, error) {
	if g.Hooks == nil || ctx.Err() != nil || errors.Is(err, ErrStale) {
		return r, err
	}
	note := g.Hooks.After(ctx, a, r, err)
	switch {
	case note == "":
	case err != nil:
		err = fmt.Errorf("%w\n%s", err, note)
	default:
		r.Text = strings.TrimPrefix(strings.TrimSuffix(r.Text, "\n")+"\n"+note, "\n")
	}
	return r, err
}
