package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tricode/providers"
)

// fit makes room before a request that would be too long: it shortens results of tools, and if that is not enough has
// the model sum up its older turns. What was sent before is changed by this and by nothing else, so that the server
// finds the beginning of each request in its cache.
func (a *Agent) fit(ctx context.Context, c *conversation) error {
	if err := a.size(ctx, c); err != nil {
		return err
	}
	if c.meter.tokens() <= c.room() {
		return nil
	}
	return a.makeRoom(ctx, c)
}

// makeRoom makes the conversation a good deal shorter, so that it does not have to be done again soon.
func (a *Agent) makeRoom(ctx context.Context, c *conversation) error {
	if err := a.shorten(c, c.latest()); err != nil {
		return err
	}
	if c.meter.tokens() > c.room()*6/10 {
		if err := a.sumUp(ctx, c); err != nil {
			return err
		}
	}
	if c.meter.tokens() > c.room() { // only the latest turn is left
		return cmp.Or(a.shorten(c, len(c.messages)), a.shortenOwn(c))
	}
	return nil
}

// What the model is asked for when its older turns are to be summed up.
const sumUpTask = `This conversation is getting too long for you. Write down, in at most 400 words, what you need to go on without all that was said so far: what the person wants and ruled out; what was done and found, with names of files and exact values that still matter; what went wrong and why; what is left to do. Call no tools.`

// sumUp puts a summary, which the model writes, in the place of the older turns. The latest ones stay as they are.
func (a *Agent) sumUp(ctx context.Context, c *conversation) error {
	lead, end := c.lead(), c.older()
	old := c.messages[lead:max(lead, end)]
	said := wishes(old)
	if len(old) < 2 || weighAll(old)-weighText(said) < c.room()/minGain {
		return nil
	}
	if err := a.emit(Notice{Text: "summing up " + count(len(old), "older message") + " to make room"}); err != nil {
		return err
	}
	m, err := a.Model.Complete(ctx, a.request(asking(c.messages[:end]), c, &speech{agent: a}), func(string) error { return nil })
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil && !c.refused(err):
		return &ModelError{err}
	case err != nil || strings.TrimSpace(m.Text) == "":
		m.Text = outline(old, c.room()/4)
	}
	e := Compacted{Dropped: len(old), Before: c.meter.tokens(), Usage: m.Usage, Cost: a.spend(c, m)}
	m = a.cap(c, m) // some write all that they were to leave out
	e.Message = providers.Message{Role: providers.User, Text: said + noteHead + strings.TrimSpace(m.Text) + a.record(old, c.room()/8)}
	c.replace(lead, len(old), e.Message)
	e.After = c.meter.tokens()
	return a.emit(e)
}

// asking are messages with the task of summing them up behind them, in the last one if that is the person's: some servers
// want person and model to take turns.
func asking(messages []providers.Message) []providers.Message {
	if last := messages[len(messages)-1]; last.Role == providers.User {
		last.Text += "\n\n" + sumUpTask
		return append(slices.Clone(messages[:len(messages)-1]), last)
	}
	return append(slices.Clip(messages), providers.Message{Role: providers.User, Text: sumUpTask})
}

// minGain is the part of the room that must be won by summing up, lest it is done at every turn for nothing.
const minGain = 16

func weighAll(messages []providers.Message) int {
	n := 0
	for _, m := range messages {
		n += weigh(m)
	}
	return n
}

// older is where the turns end that can be summed up: before a message of the model, so that person and model go on
// taking turns and no call is parted from its answer, and so that a third of the room is left to the latest.
func (c *conversation) older() int {
	end, kept := c.latest(), 0
	for i := len(c.messages) - 1; i > c.lead(); i-- {
		kept += weigh(c.messages[i])
		if kept > c.room()/3 {
			break
		}
		if c.messages[i].Role == providers.Assistant {
			end = i
		}
	}
	return end
}

// noteHead parts what the person said from the summary below it.
const noteHead = "\n\n[What was said and done after that is left out here. Your notes about it:]\n"

// wishGap parts the first of what the person said from the latest.
const wishGap = "\n\n[What the person said in between is left out here. The latest:]\n\n"

// wishes are the first and the latest of what the person said.
func wishes(messages []providers.Message) string {
	var said []string
	for _, m := range messages {
		if m.Role == providers.User && !strings.HasPrefix(m.Text, reminderHead) {
			text, _, _ := strings.Cut(m.Text, noteHead)
			said = append(said, text)
		}
	}
	switch len(said) {
	case 0:
		return ""
	case 1:
		return said[0]
	}
	first, _, _ := strings.Cut(said[0], wishGap)
	return first + wishGap + said[len(said)-1]
}

// record is what must not be forgotten, whatever the model noted: the plan, and what was denied, as far as so many tokens
// have room for it.
func (a *Agent) record(messages []providers.Message, room int) string {
	var b strings.Builder
	if a.Plan.Decided() {
		fmt.Fprintf(&b, "\n\nThe plan:\n%s", a.Plan)
	}
	calls := map[string]providers.Call{}
	for _, m := range messages {
		for _, call := range m.Calls {
			calls[call.ID] = call
		}
		if call := calls[m.CallID]; m.Role == providers.ToolRole && strings.HasPrefix(m.Text, deniedHead) {
			a.denied = append(a.denied, brief(call.Name+" "+call.Arguments)+": "+brief(m.Text))
		}
	}
	if len(a.denied) > 0 {
		fmt.Fprintf(&b, "\n\nDenied, which is final:\n- %s", strings.Join(latest(a.denied, room), "\n- "))
	}
	return b.String()
}

// maxOutlined bounds a list that stands for what is left out.
const maxOutlined = 60

// latest are the last lines of a list, as far as so many tokens have room for them, at least one.
func latest(lines []string, room int) []string {
	lines = lines[max(0, len(lines)-maxOutlined):]
	for i := len(lines) - 1; i > 0; i-- {
		if room -= weighText(lines[i]) + 1; room < weighText(lines[i-1]) {
			return lines[i:]
		}
	}
	return lines
}

// outline is the summary where the model gave none: the latest calls, and how their answers begin.
func outline(messages []providers.Message, room int) string {
	var lines []string
	for _, m := range messages {
		for _, call := range m.Calls {
			lines = append(lines, "- "+brief(call.Name+" "+call.Arguments))
		}
		if m.Role == providers.ToolRole {
			lines = append(lines, "  "+brief(m.Text))
		}
	}
	return strings.Join(latest(lines, room), "\n")
}

// brief is the beginning of a text on one line.
func brief(text string) string {
	const most = 160
	short := strings.ToValidUTF8(text[:min(len(text), most)], "")
	if len(text) > most {
		short += "…"
	}
	return strings.Join(strings.Fields(short), " ")
}
