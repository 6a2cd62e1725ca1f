package providers

import (
	"cmp"
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
	c.ID = text(clip(string(c.ID)))
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
		p.name = clip(p.name + name)
	}
	if len(c.ExtraContent) > 0 {
		p.extra = c.ExtraContent
	}
	if err := a.keep(len(c.Function.Arguments) + len(c.ExtraContent)); err != nil {
		return err
	}
	p.args.WriteString(string(c.Function.Arguments))
	return nil
}

// clip is a name without what is too long in it.
func clip(name string) string {
	if len(name) <= maxName {
		return name
	}
	return strings.ToValidUTF8(name[:maxName], "")
}

func (a *answer) begin(p *pending) error {
	if len(a.calls) == maxCalls {
		return fmt.Errorf("the answer has more than %d calls", maxCalls)
	}
	a.calls = append(a.calls, p)
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
			p.name = clip(p.name)
			if err := cmp.Or(a.begin(p), a.keep(p.args.Len())); err != nil {
				return err
			}
		}
	}
	return nil
}
