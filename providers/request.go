package providers

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
)

// encoder turns conversations into request bodies. A message is encoded once: as conversations only grow, each
// body is the one before with something appended, which is cheap, and which the caches of servers need.
type encoder struct {
	provider, model string  // whose extra fields go back
	settings        []field // what stands in every body before the messages, besides the tools

	mu       sync.Mutex
	speaks   bool            // to a model that knows no tools, see spoken
	omit     map[string]bool // optional fields that the server refused
	tools    []Tool
	head     []byte    // the body up to the messages, nil when it must be made
	messages []Message // what encoded holds
	encoded  []byte    // each message with a comma behind
	ends     []int     // where in encoded each message ends
}

// body is an encoded request. Its bytes are never written to again.
type body struct {
	head, messages []byte
	spoken         bool // calls of the answer are text
}

func (b body) reader() io.Reader {
	parts := io.MultiReader(bytes.NewReader(b.head), bytes.NewReader(b.messages), strings.NewReader("]}"))
	return struct{ io.Reader }{parts} // its own WriteTo would take a new buffer for each request, where net/http has one
}

func (b body) size() int64 { return int64(len(b.head) + len(b.messages) + len("]}")) }

func (e *encoder) encode(req Request) (body, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.speaks {
		req = Request{Messages: spoken(req)}
	}
	if e.head == nil || !slices.EqualFunc(e.tools, req.Tools, sameTool) {
		head, err := e.encodeHead(req.Tools)
		if err != nil {
			return body{}, err
		}
		e.head, e.tools = head, slices.Clone(req.Tools)
	}
	n := 0
	for n < min(len(e.messages), len(req.Messages)) && sameMessage(&e.messages[n], &req.Messages[n]) {
		n++
	}
	if n < len(e.messages) {
		e.forget(n)
	}
	for _, m := range req.Messages[n:] {
		var buf bytes.Buffer
		if err := e.encodeMessage(&buf, m); err != nil {
			return body{}, err
		}
		e.encoded = append(append(e.encoded, buf.Bytes()...), ',')
		e.messages, e.ends = append(e.messages, m), append(e.ends, len(e.encoded))
	}
	messages := bytes.TrimSuffix(e.encoded, []byte(","))
	return body{e.head, messages, e.speaks}, nil
}

// forget drops all but the first n messages. The next one goes to new memory, as an abandoned request may still
// be reading the old.
func (e *encoder) forget(n int) {
	end := 0
	if n > 0 {
		end = e.ends[n-1]
	}
	e.encoded = e.encoded[:end:end]
	e.messages, e.ends = slices.Clone(e.messages[:n]), slices.Clone(e.ends[:n])
}

// leaveOut makes all later bodies do without an optional field. It reports whether that changes anything.
func (e *encoder) leaveOut(field string) bool {
	return e.change(func() bool {
		if e.omit[field] {
			return false
		}
		if e.omit == nil {
			e.omit = map[string]bool{}
		}
		e.omit[field] = true
		return true
	})
}

// speak makes all later bodies ones for a model that knows no tools. It reports whether that changes anything.
func (e *encoder) speak() bool {
	return e.change(func() bool {
		before := e.speaks
		e.speaks = true
		return !before
	})
}

// spokenTo reports whether the model knows no tools.
func (e *encoder) spokenTo() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.speaks
}

// change drops what was encoded where something really changes.
func (e *encoder) change(change func() bool) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !change() {
		return false
	}
	e.head = nil
	e.forget(0)
	return true
}

func (e *encoder) encodeHead(tools []Tool) ([]byte, error) {
	head := []byte("{")
	for _, f := range e.settings {
		if f.name == "max_tokens" && e.omit[f.name] {
			f.name = "max_completion_tokens" // what newer models of OpenAI call it
		}
		if !e.omit[f.name] {
			head = f.append(head)
		}
	}
	if len(tools) > 0 {
		f, err := toolsField(tools)
		if err != nil {
			return nil, err
		}
		head = f.append(head)
	}
	return append(head, `"messages":[`...), nil
}

func sameTool(a, b Tool) bool {
	return a.Name == b.Name && a.Description == b.Description && bytes.Equal(a.Schema, b.Schema)
}

// sameMessage reports whether two messages are encoded alike. Strings that are the same memory, as they are from
// turn to turn, are not read.
func sameMessage(a, b *Message) bool {
	return a.Role == b.Role && a.Text == b.Text && a.CallID == b.CallID && sameExtra(a.Extra, b.Extra) &&
		slices.EqualFunc(a.Calls, b.Calls, func(a, b Call) bool {
			return a.ID == b.ID && a.Name == b.Name && a.Arguments == b.Arguments && sameExtra(a.Extra, b.Extra)
		})
}

func sameExtra(a, b map[string]json.RawMessage) bool {
	return maps.EqualFunc(a, b, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) })
}
