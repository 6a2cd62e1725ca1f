package agent

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"tricode/providers"
)

// What is kept of a result of a tool that was shortened, in bytes, and how much longer one has to be for that.
const (
	shortHead = 600
	shortTail = 400
	shortMin  = 2 * (shortHead + shortTail)
)

// shorten cuts the long results of tools before end.
func (a *Agent) shorten(c *conversation, end int) error {
	return a.shortenEach(c, end, "result", func(m *providers.Message) {
		if m.Role == providers.ToolRole {
			m.Text = a.shorter(m.Text)
		}
	})
}

// shortenOwn cuts what the model itself said and called in its latest turn, if that is still too much: it is another model
// that takes less, or one that does not take what it gives.
func (a *Agent) shortenOwn(c *conversation) error {
	if c.meter.tokens() <= c.room() {
		return nil
	}
	return a.shortenEach(c, len(c.messages), "message", func(m *providers.Message) {
		if m.Role != providers.Assistant {
			return
		}
		m.Text, m.Calls = a.shorter(m.Text), slices.Clone(m.Calls)
		for i, call := range m.Calls {
			if short := a.shorter(call.Arguments); short != call.Arguments {
				object, _ := json.Marshal(map[string]string{"shortened": short}) // strings can always be encoded
				m.Calls[i].Arguments = string(object)
			}
		}
	})
}

// shortenEach changes the messages before end and says how many are shorter now.
func (a *Agent) shortenEach(c *conversation, end int, word string, change func(*providers.Message)) error {
	n := 0
	for i := c.lead(); i < end; i++ {
		m := c.messages[i]
		if change(&m); weigh(m) < weigh(c.messages[i]) {
			c.replace(i, 1, m)
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return a.emit(Notice{Text: count(n, word) + " shortened to make room"})
}

// shorter is a text, cut if it is long.
func (a *Agent) shorter(text string) string {
	if len(text) < shortMin {
		return text
	}
	return a.cut(text)
}

// cap shortens a new result that would take more than a quarter of the room for itself.
func (a *Agent) cap(c *conversation, m providers.Message) providers.Message {
	if weighText(m.Text) > c.room()/4 {
		m.Text = a.shorter(m.Text)
	}
	return m
}

// cut leaves the beginning and the end of a text, and says where all of it is.
func (a *Agent) cut(text string) string {
	kept := a.keeper()
	io.WriteString(kept, text)
	_, where := kept.Close()
	return shortened(text, text[len(text)-shortTail:], len(text), where)
}

// shortened is the beginning and the end of a text of so many bytes.
func shortened(begins, ends string, size int, where string) string {
	head, tail := begins[:min(shortHead, len(begins))], ends
	for n := 1; n < utf8.UTFMax && len(head) < len(begins) && !utf8.RuneStart(begins[len(head)]); n++ {
		head = begins[:len(head)-1]
	}
	for n := 1; n < utf8.UTFMax && !utf8.RuneStart(tail[0]); n++ {
		tail = tail[1:]
	}
	return fmt.Sprintf("%s\n[... %d bytes left out to make room; %s ...]\n%s", head, size-len(head)-len(tail), where, tail)
}
