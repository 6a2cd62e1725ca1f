package providers

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// The bounds of what an answer may hold.
const (
	maxAnswer    = 64 << 20 // all of it, in bytes
	maxArguments = 16 << 20 // the arguments of one call, in bytes
	maxCalls     = 128
	maxName      = 256 // a tool's name, in bytes; more is left out
)

// answer puts a message together from events.
type answer struct {
	onText func(string) error

	text    []string  // piece by piece: joined once, it is never copied to make room
	arrived []byte    // of the batch that is being read
	spoken  *listener // finds calls in the text; nil: they are no text
	calls   []*pending
	slots   map[int]*pending // by the index that the server gives
	extra   extra
	usage   Usage
	finish  string
	size    int
	events  int
	started bool // an event arrived that is no error
}

// pending is a call that is being read.
type pending struct {
	id, name string
	args     strings.Builder
	extra    json.RawMessage
}

// batch takes a line as framer makes them. All text in it goes to onText at once.
func (a *answer) batch(line []byte) error {
	var err error
	for event := range bytes.SplitSeq(line, []byte{record}) {
		if len(event) == 0 {
			continue
		}
		if err = a.event(event); err != nil {
			break
		}
	}
	text := a.arrived
	if a.spoken != nil {
		var blocks []string
		text, blocks = a.spoken.hear(nil, text)
		err = cmp.Or(err, a.heard(blocks...))
	}
	a.arrived = a.arrived[:0]
	return cmp.Or(a.give(text), err)
}

// end takes what is known only when all of the answer is there.
func (a *answer) end() error {
	if a.spoken == nil {
		return nil
	}
	text, block := a.spoken.end()
	if block != "" {
		return a.heard(block)
	}
	return a.give(text)
}

// give passes text on.
func (a *answer) give(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	piece := string(text)
	a.text = append(a.text, piece)
	if a.onText != nil {
		if err := a.onText(piece); err != nil {
			return &listenerError{err}
		}
	}
	return nil
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

// listenerError is an error of onText, which is nobody's fault here and returned as it is.
type listenerError struct{ error }

func (a *answer) event(event []byte) error {
	a.events++
	before := len(a.arrived)
	var ok bool
	if a.arrived, ok = appendText(a.arrived, event); ok {
		a.started = true
		return a.grow(len(a.arrived) - before)
	}
	var c chunk
	if err := c.decode(event); err != nil {
		return errors.New("the server sent broken JSON")
	}
	if raw := c.failure(event); raw != nil {
		return &serverError{raw}
	}
	a.started = true
	a.count(c.Usage)
	a.count(c.Groq.Usage)
	for _, choice := range c.Choices {
		a.count(choice.Usage)
		if choice.Index != 0 {
			continue
		}
		if choice.Finish != "" {
			a.finish = string(choice.Finish)
		}
		d := choice.Delta
		if choice.Message != nil {
			d = *choice.Message
		}
		if err := a.delta(&d); err != nil {
			return err
		}
	}
	return nil
}

// serverError is an error that a server sent inside of a stream.
type serverError struct{ raw json.RawMessage }

func (e *serverError) Error() string { return string(e.raw) }

func (a *answer) delta(d *delta) error {
	a.arrived = append(append(a.arrived, d.Content...), d.Refusal...)
	if err := a.grow(len(d.Content) + len(d.Refusal) + a.extra.add(d)); err != nil {
		return err
	}
	if d.FunctionCall != nil {
		d.Calls = append(d.Calls, call{Function: *d.FunctionCall})
	}
	for i := range d.Calls {
		if err := a.call(&d.Calls[i]); err != nil {
			return err
		}
	}
	return nil
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

func (a *answer) count(u *usage) {
	if u == nil {
		return
	}
	clamp := func(n float64) int { return int(min(max(n, 0), math.MaxInt32)) }
	if n := clamp(max(u.Prompt, u.Input)); n > 0 {
		a.usage.Input = n
	}
	if n := clamp(max(u.Completion, u.Output)); n > 0 {
		a.usage.Output = n
	}
	if n := clamp(max(u.Details.Cached, u.CacheHit)); n > 0 {
		a.usage.Cached = min(n, a.usage.Input)
	}
}

func (a *answer) grow(n int) error {
	if a.size += n; a.size > maxAnswer {
		return fmt.Errorf("the answer has more than %d MiB", maxAnswer>>20)
	}
	return nil
}

// message is what arrived. Calls without an id, or with one that was there before, get their own, which is unique
// in a conversation of n messages so far.
func (a *answer) message(n int) Message {
	m := Message{Role: Assistant, Text: strings.Join(a.text, ""), Usage: a.usage, Finish: a.finish, Extra: a.extra.fields()}
	ids := map[string]bool{}
	for i, p := range a.calls {
		c := Call{ID: p.id, Name: p.name, Arguments: p.args.String()}
		if c.ID == "" || ids[c.ID] {
			c.ID = fmt.Sprintf("call%05d", n*maxCalls+i) // nine letters and digits suit even the pickiest
		}
		ids[c.ID] = true
		if p.extra != nil {
			c.Extra = map[string]json.RawMessage{"extra_content": p.extra}
		}
		m.Calls = append(m.Calls, c)
	}
	return m
}
