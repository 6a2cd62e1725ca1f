package providers

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// pending is a call that is being read.
type pending struct {
	id, name string
	args     strings.Builder
	extra    json.RawMessage
}

// call takes a fragment of a call, or a whole one.
func (a *answer) call(c *call) error {
	p := a.slot(c)
	if p == nil {
		p = new(pending)
		if err := a.begin(p); err != nil {
			return err
		}
		if c.Index != nil {
			if a.slots == nil {
				a.slots = map[int]*pending{}
			}
			a.slots[*c.Index] = p
		}
	}
	if p.id == "" {
		p.id = string(c.ID)
	}
	if name := string(c.Function.Name); name != p.name && len(p.name) < maxName { // some repeat it with every fragment
		p.name += name
	}
	if len(c.ExtraContent) > 0 {
		p.extra = c.ExtraContent
	}
	p.args.WriteString(string(c.Function.Arguments))
	if err := a.bound(p); err != nil {
		return err
	}
	return a.grow(len(c.Function.Arguments) + len(c.Function.Name) + len(c.ID) + len(c.ExtraContent))
}

func (a *answer) begin(p *pending) error {
	if len(a.calls) == maxCalls {
		return fmt.Errorf("the answer has more than %d calls", maxCalls)
	}
	a.calls = append(a.calls, p)
	return nil
}

func (a *answer) bound(p *pending) error {
	if p.args.Len() > maxArguments {
		return fmt.Errorf("the arguments of a call have more than %d MiB", maxArguments>>20)
	}
	return nil
}

// slot finds the call that a fragment goes on with, nil if it begins a new one. Servers number fragments, or
// give each the id, or neither and send whole calls; some number all calls 0.
func (a *answer) slot(c *call) *pending {
	var p *pending
	switch {
	case c.Index != nil:
		p = a.slots[*c.Index]
	case c.ID != "":
		i := slices.IndexFunc(a.calls, func(p *pending) bool { return p.id == string(c.ID) })
		if i < 0 {
			return nil
		}
		return a.calls[i]
	case len(a.calls) > 0:
		p = a.calls[len(a.calls)-1]
	}
	whole := c.Index == nil || p != nil && p.args.Len() > 0 && json.Valid([]byte(c.Function.Arguments))
	switch {
	case p == nil || c.Function.Name == "":
		return p
	case c.ID == "" && whole, c.ID != "" && p.id != "" && string(c.ID) != p.id:
		return nil
	}
	return p
}

// heard takes calls from the text.
func (a *answer) heard(blocks ...string) error {
	for _, block := range blocks {
		for _, p := range spokenCalls(block) {
			if err := a.begin(p); err != nil {
				return err
			}
			if err := a.bound(p); err != nil {
				return err
			}
		}
	}
	return nil
}
