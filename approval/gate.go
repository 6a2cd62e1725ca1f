package approval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxRepeats is how many calls in a row may repeat what a person denied before the run ends.
const maxRepeats = 3

// Gate performs actions: it decides, asks where the decision is to ask, records, and only then acts. It serves
// one run and one call at a time. The zero Gate only reads.
type Gate struct {
	Policy Policy
	Asker  Asker // nil: nobody is there

	// Before is consulted about an action that only needs a yes, after the layers that no answer can lift; an
	// error refuses the call without a denial. Nil lets everything pass.
	Before func(a *Action) error
	// Hooks have a say in what is neither denied nor impossible. Nil for none.
	Hooks Hooks
	// Record is told of every decision before it takes effect. An error stops the action and is returned as a
	// *RecordError. Nil records nothing.
	Record func(a *Action, d Decision) error
	// NobodyContinues lets the run go on after a denial for want of a person.
	NobodyContinues bool

	memory  Memory
	repeats int
}

// Do decides about the action and performs it if the answer is yes. It returns a *Denied if it is no, ErrStale if
// the world changed meanwhile, and otherwise what the effect returned.
func (g *Gate) Do(ctx context.Context, a *Action, live io.Writer) (Result, error) {
	d, err := g.first(a)
	if err != nil {
		return Result{}, err
	}
	if g.Before != nil && !d.Effects.Looks() {
		if err := g.Before(a); err != nil {
			return Result{}, err
		}
	}
	if err := g.approve(ctx, a, d); err != nil {
		return Result{}, err
	}
	r, err := a.do(ctx, live)
	if err == nil && r.Next != nil {
		r, err = g.next(ctx, a, r, live)
	}
	return g.after(ctx, a, r, err)
}

// first is what the policy decides before anybody else has a say. Its error is a *Denied, or why the action cannot be done.
func (g *Gate) first(a *Action) (Decision, error) {
	d := g.decide(a, nil)
	if d.Verdict == Deny {
		return d, g.deny(a, d, ByPolicy)
	}
	return d, a.fault
}

// decide is what the policy says, with what hooks said. What a person wrote anew is asked about, whatever allows it.
func (g *Gate) decide(a *Action, said *Opinion) Decision {
	d := g.Policy.decide(a, &g.memory, said)
	if a.Edited && d.Verdict == Allow {
		d.Verdict, d.Reason, d.negotiable = Ask, "a person changed it", false
	}
	return d
}

// approve brings an open decision to its end and records it. Without an error the action may be performed.
func (g *Gate) approve(ctx context.Context, a *Action, d Decision) error {
	d, err := g.settle(ctx, a, d)
	if err != nil {
		return err
	}
	g.repeats = 0
	if err := g.record(a, d); err != nil {
		return err
	}
	if a.do == nil {
		return errors.New("the action has no effect")
	}
	return nil
}

// next decides about what follows from an action that was performed, and performs it. Hooks that are told what came of a call are
// told once.
func (g *Gate) next(ctx context.Context, a *Action, r Result, live io.Writer) (Result, error) {
	n := r.Next
	n.Tool, n.Call, n.Input = a.Tool, a.Call, a.Input
	d, err := g.first(n)
	if err == nil {
		err = g.approve(ctx, n, d)
	}
	if err != nil {
		var denied *Denied
		if errors.As(err, &denied) {
			denied.Decision.Reason = "it was run, and nothing of what it changed was kept: " + denied.Decision.Reason
		}
		return r, err
	}
	more, err := n.do(ctx, live)
	if err == nil {
		r.Text = strings.TrimSuffix(r.Text, "\n") + "\n" + more.Text
	}
	return r, err
}

// Recheck decides about a part of an action that is being performed, by the policy as it is now. It returns nil if that may
// go on, and otherwise a *Denied, which it has recorded. No two parts may be decided about at a time.
func (g *Gate) Recheck(r *Recheck, part *Action) error {
	d := r.Decide(&g.Policy, part)
	if d.Verdict != Deny {
		return nil
	}
	a := *part
	a.Tool, a.Call, a.Input, a.Part = r.Approved.Tool, r.Approved.Call, r.Approved.Input, true
	if err := g.record(&a, d); err != nil {
		return err
	}
	return &Denied{Tool: a.Tool, Summary: a.Summary, Decision: d}
}

// settle asks hooks and the person, as far as needed, until the decision is to allow; otherwise it returns a *Denied.
func (g *Gate) settle(ctx context.Context, a *Action, d Decision) (Decision, error) {
	d, err := g.consult(ctx, a, d)
	if err != nil {
		return d, err
	}
	if d.Verdict == Ask {
		if d, err = g.permission(ctx, a, d); err != nil {
			return d, err
		}
	}
	switch d.Verdict {
	case Deny:
		return d, g.deny(a, d, ByPolicy)
	case Ask:
		return g.ask(ctx, a, d)
	}
	return d, nil
}

// ask turns an open decision into an allowing one, or into a *Denied.
func (g *Gate) ask(ctx context.Context, a *Action, d Decision) (Decision, error) {
	answer, err := Answer{}, ErrNobody
	if g.Asker != nil {
		answer, err = g.Asker.Ask(ctx, a, d)
	}
	if errors.Is(err, ErrNobody) {
		d.By, d.Reason = ByNobody, nobodyReason(d)
		return d, g.deny(a, d, ByNobody)
	}
	if ctx.Err() != nil {
		return d, context.Cause(ctx)
	}
	if err != nil {
		answer = Answer{Reason: err.Error()}
	}
	switch answer.Choice {
	case Always:
		g.memory.allow(a)
		return d.by(ByPerson, Allow, "a person allowed "+a.Tool+" for this session"), nil
	case Once:
		return d.by(ByPerson, Allow, "a person allowed it once"), nil
	case Again:
		return g.again(ctx, a)
	case Edited:
		return d, &Redraft{answer.Input}
	}
	reason := "a person said no"
	if answer.Reason != "" {
		reason += ": " + answer.Reason
	}
	g.memory.deny(a)
	denied := g.deny(a, d.by(ByPerson, Deny, reason), ByPerson)
	if d, ok := denied.(*Denied); ok {
		d.End = answer.Choice != Refuse
	}
	return d, denied
}

// again decides anew about an action that was being asked about, with what the person has said of it forgotten.
func (g *Gate) again(ctx context.Context, a *Action) (Decision, error) {
	g.memory.refused = nil
	d := g.decide(a, nil)
	if d.Verdict == Deny {
		return d, g.deny(a, d, ByPolicy)
	}
	return g.settle(ctx, a, d)
}

func nobodyReason(d Decision) string {
	if d.Reason == "" {
		return "it needs a person and nobody is there to ask"
	}
	return fmt.Sprintf("it needs a person and nobody is there to ask (%s)", d.Reason)
}

// by closes an open decision with the answer of a person, or of a hook instead.
func (d Decision) by(who By, v Verdict, reason string) Decision {
	d.Verdict, d.Layer, d.Rule, d.By, d.Reason = v, LayerPerson, "", who, reason
	return d.also(Step{Layer: LayerPerson, Verdict: v.String(), Reason: reason})
}

// also adds a step to the trace.
func (d Decision) also(s Step) Decision {
	d.Trace = append(slices.Clip(d.Trace), s)
	return d
}

// deny records a denial and returns it as an error, or the error that kept it from being recorded.
func (g *Gate) deny(a *Action, d Decision, by By) error {
	d.Verdict = Deny
	denied := &Denied{Tool: a.Tool, Summary: a.Summary, Decision: d, By: by, End: by == ByNobody && !g.NobodyContinues}
	if g.memory.denied(a) && by == ByPolicy {
		if g.repeats++; g.repeats >= maxRepeats {
			d.By = ByRepeat
			denied.By, denied.End, denied.Decision = ByRepeat, true, d
		}
	} else {
		g.repeats = 0
	}
	if err := g.record(a, d); err != nil {
		return err
	}
	return denied
}

func (g *Gate) record(a *Action, d Decision) error {
	if g.Record == nil {
		return nil
	}
	if err := g.Record(a, d); err != nil {
		return &RecordError{err}
	}
	return nil
}
