package providers

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// noOutput is what a tool said that said nothing, which servers refuse.
const noOutput = "(no output)"

func (e *encoder) encodeMessage(buf *bytes.Buffer, m Message) error {
	type function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	type call struct {
		ID       string   `json:"id"`
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	wire := struct {
		Role    Role              `json:"role"`
		Content *string           `json:"content"` // null where there are only calls: some servers want the key
		Calls   []json.RawMessage `json:"tool_calls,omitempty"`
		CallID  string            `json:"tool_call_id,omitempty"`
	}{Role: m.Role, Content: &m.Text, CallID: m.CallID}
	switch {
	case m.Text == "" && len(m.Calls) > 0:
		wire.Content = nil
	case m.Text == "" && m.Role == ToolRole:
		m.Text = noOutput
	}
	ours := m.Provider == "" || m.Provider == e.provider && m.Model == e.model
	if !ours {
		m.Extra = nil
	}
	for _, c := range m.Calls {
		if !ours {
			c.Extra = nil
		}
		var one bytes.Buffer
		if err := e.object(&one, call{c.ID, "function", function{validName(c.Name), validArguments(c.Arguments)}}, c.Extra); err != nil {
			return err
		}
		wire.Calls = append(wire.Calls, one.Bytes())
	}
	return e.object(buf, wire, m.Extra)
}

// object encodes v, a struct, with further fields behind its own.
func (e *encoder) object(buf *bytes.Buffer, v any, extra map[string]json.RawMessage) error {
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false) // six bytes for each < would be paid for in every turn
	if err := enc.Encode(v); err != nil {
		return err
	}
	buf.Truncate(buf.Len() - len("}\n"))
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if e.omit[name] {
			continue
		}
		key, err := json.Marshal(name)
		if err != nil {
			return err
		}
		buf.WriteByte(',')
		buf.Write(key)
		buf.WriteByte(':')
		if err := json.Compact(buf, extra[name]); err != nil {
			return err
		}
	}
	buf.WriteByte('}')
	return nil
}

// validName makes the name that a model called into one that servers take back (letters, digits, _ and -, 64 at
// most), so that a call of a tool that does not exist can stay in the conversation.
func validName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
	if name == "" {
		return "unknown"
	}
	return name[:min(len(name), 64)]
}

// validArguments makes what a model wrote into a JSON object: servers that render conversations through templates
// refuse everything else, for good.
func validArguments(args string) string {
	trimmed := strings.TrimSpace(args)
	switch {
	case trimmed == "":
		return "{}"
	case trimmed[0] == '{' && json.Valid([]byte(args)):
		return args
	}
	quoted, _ := json.Marshal(map[string]string{"malformed": args}) // strings can always be encoded
	return string(quoted)
}
