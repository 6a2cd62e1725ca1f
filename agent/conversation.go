package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tricode/providers"
)

// defaultWindow is how many tokens a conversation may have where nobody said how many the model takes: most take twice
// as many, and one that takes less says so.
const defaultWindow = 64_000

// maxReserve is the most that is kept free for an answer, in tokens.
const maxReserve = 16_000

// conversation is what the model is sent, and how much of what it takes that is.
type conversation struct {
	messages []providers.Message
	tools    []providers.Tool
	meter    meter
	window   int    // how many tokens the model takes, its answer included
	assumed  bool   // nobody said so
	reserve  int    // how many of them are kept for the answer
	by       string // who answered last
}

// converse begins with a history.
func (a *Agent) converse(history []providers.Message) *conversation {
	c := &conversation{window: a.Window, reserve: a.Reserve}
	if c.window <= 0 {
		c.window, c.assumed = defaultWindow, true
	}
	for _, t := range a.Tools {
		c.tools = append(c.tools, providers.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema})
		c.meter.weight += messageWeight + weighText(t.Name) + weighText(t.Description) + weighText(string(t.Schema))
	}
	c.add(history...)
	return c
}

// add adds messages. What the person says before the model answered becomes one message, as after a run that failed: some
// servers want both to take turns.
func (c *conversation) add(messages ...providers.Message) {
	for _, m := range messages {
		if n := len(c.messages) - 1; n >= 0 && m.Role == providers.User && c.messages[n].Role == providers.User {
			m.Text = c.messages[n].Text + "\n\n" + m.Text
			c.replace(n, 1, m)
			continue
		}
		c.messages = append(c.messages, m)
		c.meter.add(m)
	}
}

// room is how many tokens a request may have.
func (c *conversation) room() int {
	reserve := c.reserve
	if reserve <= 0 {
		reserve = min(c.window/4, maxReserve)
	}
	return c.window - min(reserve, c.window/2)
}

// lead is where the conversation begins behind what the model was told first.
func (c *conversation) lead() int {
	if len(c.messages) > 0 && c.messages[0].Role == providers.System {
		return 1
	}
	return 0
}

// latest is where the latest message of the model begins, with what answers its calls; the end if it said nothing yet.
func (c *conversation) latest() int {
	for i, m := range slices.Backward(c.messages) {
		if m.Role == providers.Assistant {
			return i
		}
	}
	return len(c.messages)
}

// replace puts a message in the place of n others.
func (c *conversation) replace(at, n int, m providers.Message) {
	for _, old := range c.messages[at : at+n] {
		c.meter.weight -= weigh(old)
	}
	c.meter.add(m)
	c.messages = slices.Concat(c.messages[:at:at], []providers.Message{m}, c.messages[at+n:])
}

// refused reports whether the model did not take the conversation because of its length. What it takes is less then
// than was thought: what the server says, or at least less than this.
func (c *conversation) refused(err error) bool {
	var e *providers.Error
	if !errors.As(err, &e) {
		return false
	}
	limit, tooLong := e.TooLong()
	if !tooLong {
		return false
	}
	have := c.meter.tokens()
	if limit < have/8 || limit >= c.window {
		limit = min(have, c.window) * 3 / 4
	}
	c.window, c.assumed = limit, false
	return true
}

// SmallWindow is how many tokens a model should take at least: with fewer it forgets after a few turns, and the person is
// told.
const SmallWindow = 12_000

// size asks the model how many tokens it takes where nobody said so yet.
func (a *Agent) size(ctx context.Context, c *conversation) error {
	model, ok := a.Model.(interface {
		Window(ctx context.Context, tokens int) int
	})
	if !ok || !c.assumed {
		return nil
	}
	n := model.Window(ctx, c.meter.tokens())
	if n <= 0 {
		return nil
	}
	if c.window, c.assumed = n, false; n >= SmallWindow {
		return nil
	}
	return a.emit(Notice{Text: fmt.Sprintf("the model takes only %d tokens at a time, says its server: older turns are soon summed up", n)})
}

// taken learns from a request that was answered: how heavy tokens are, that the model takes more than was assumed, and
// that it is another one, of which that is not known yet.
func (c *conversation) taken(m providers.Message) {
	by, counted := m.Provider+" "+m.Model, m.Usage.Input
	if c.by != "" && c.by != by {
		c.window, c.assumed, c.meter.sent = defaultWindow, true, 0
	}
	c.by = by
	c.meter.learn(counted)
	if c.assumed && counted > c.room() {
		c.window = max(c.window, counted*3/2)
	}
}
