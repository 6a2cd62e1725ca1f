package providers

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxText is how much of an answer's text a Message has, in bytes: more than any model says, so that no server fills the
// memory. onText gets all of it.
const MaxText = 4 << 20

// The bounds of an answer: what is said, and what has to be kept.
const (
	maxAnswer = 128 << 20 // all of it, in bytes
	maxKept   = 16 << 20  // what it has beside its text: arguments, reasoning
	maxCalls  = 128
	maxName   = 256 // a tool's name or a call's id, in bytes
)

// answer puts a message together from events.
type answer struct {
	onText func(string) error

	text    strings.Builder // its first MaxText bytes
	full    bool            // there was more
	arrived []byte          // of the batch that is being read
	spoken  *listener       // finds calls in the text; nil: they are no text
	calls   []*pending
	slots   map[int]*pending // by the index that the server gives
	extra   extra
	usage   Usage
	finish  string
	size    int // of all that arrived
	kept    int // of what is kept beside the text
	events  int
	started bool // an event arrived that is no error
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
		err = cmp.Or(err, a.heard(blocks...), a.bound(len(a.spoken.rest)))
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
	a.note(piece)
	if a.onText != nil {
		if err := a.onText(piece); err != nil {
			return &listenerError{err}
		}
	}
	return nil
}

// note remembers text while there is room.
func (a *answer) note(piece string) {
	if a.full {
		return
	}
	if room := MaxText - a.text.Len(); len(piece) > room {
		for a.full = true; room > 0 && !utf8.RuneStart(piece[room]); room-- {
		}
		piece = piece[:room]
	}
	a.text.WriteString(piece)
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
		return err
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
			a.finish = finish(clip(string(choice.Finish)))
		}
		if d := cmp.Or(choice.Delta, choice.Message); d != nil {
			if err := a.delta(d); err != nil {
				return err
			}
		}
	}
	if slices.Contains(failures[:], a.finish) {
		return &serverError{encoded(map[string]string{"code": a.finish, "message": "the server gave up in the middle (" + a.finish + ")"})}
	}
	return nil
}

// failures are values of finish_reason that say that the server could not go on: those of DeepSeek, Zhipu, OpenRouter.
var failures = [...]string{"insufficient_system_resource", "network_error", "error"}

// finish is a finish_reason in the words of OpenAI.
func finish(reason string) string {
	switch strings.ToLower(reason) {
	case "length", "max_tokens", "model_length", "max_length":
		return "length"
	case "content_filter", "content-filter", "sensitive", "safety", "recitation", "prohibited_content":
		return "content_filter"
	}
	return reason
}

// serverError is an error that a server sent inside of a stream.
type serverError struct{ raw json.RawMessage }

func (e *serverError) Error() string { return string(e.raw) }

func (a *answer) delta(d *delta) error {
	a.arrived = append(append(a.arrived, d.Content...), d.Refusal...)
	if err := cmp.Or(a.grow(len(d.Content)+len(d.Refusal)), a.keep(a.extra.add(d))); err != nil {
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
		a.usage.Cached = n
	}
	a.usage.Cached = min(a.usage.Cached, a.usage.Input)
}

func (a *answer) grow(n int) error {
	if a.size += n; a.size > maxAnswer {
		return fmt.Errorf("the answer has more than %d MiB", maxAnswer>>20)
	}
	return nil
}

// keep counts what is kept beside the text.
func (a *answer) keep(n int) error {
	a.kept += n
	return cmp.Or(a.bound(0), a.grow(n))
}

// bound says whether that, and what is about to be, is too much.
func (a *answer) bound(more int) error {
	if a.kept+more > maxKept {
		return fmt.Errorf("the calls and the reasoning of the answer have more than %d MiB", maxKept>>20)
	}
	return nil
}

// message is what arrived. Calls without an id, or with one that was there before, get their own, which is unique
// in a conversation of n messages so far.
func (a *answer) message(n int) Message {
	m := Message{Role: Assistant, Text: a.text.String(), Usage: a.usage, Finish: a.finish, Extra: a.extra.fields()}
	ids := map[string]bool{}
	for i, p := range a.calls {
		c := Call{ID: p.id, Name: p.name, Arguments: p.args.String()}
		if c.ID == "" || ids[c.ID] {
			c.ID = fmt.Sprintf("call%05d", n*maxCalls+i) // nine letters and digits suit even the pickiest
		}
		ids[c.ID] = true
		if i == len(a.calls)-1 && c.Arguments == "" && (a.finish == "length" || a.finish == "content_filter") {
			c.Arguments = "(cut off)" // no arguments would be good ones for some tools
		}
		if p.extra != nil {
			c.Extra = map[string]json.RawMessage{"extra_content": p.extra}
		}
		m.Calls = append(m.Calls, c)
	}
	return m
}
