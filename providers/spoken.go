package providers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Models without tool support are told of tools in words and call them in words:
//
//	<tool_call>
//	{"name": "read_file", "arguments": {"path": "main.go"}}
//	</tool_call>
//
// A call begins where <tool_call> begins a line, and ends with </tool_call> outside of a JSON string, or with the answer.
// What came of the calls is the next message of the user, a <tool_result name="read_file"> for each, in their order.
// Many open models were trained on this form.
const (
	callStart = "<tool_call>"
	callEnd   = "</tool_call>"
	resultEnd = "</tool_result"
)

const spokenRules = `You have tools. To use one, write this on lines of its own; several may follow each other:

<tool_call>
{"name": "NAME", "arguments": {ARGUMENTS}}
</tool_call>

End your message after that. The next message has what came of it, as <tool_result name="NAME">. These are the tools, with the JSON Schema of their arguments:
`

// spoken is a conversation as it is held with a model that knows no tools.
func spoken(req Request) []Message {
	messages := slices.Clone(req.Messages)
	if len(req.Tools) > 0 {
		if len(messages) == 0 || messages[0].Role != System {
			messages = append([]Message{{Role: System}}, messages...)
		}
		messages[0].Text = strings.TrimPrefix(messages[0].Text+"\n\n"+described(req.Tools), "\n\n")
	}
	names := map[string]string{} // of the tools, by the ids of their calls
	var all []Message
	for _, m := range messages {
		for _, c := range m.Calls {
			names[c.ID] = c.Name
		}
		switch {
		case len(m.Calls) > 0:
			m.Text, m.Calls = m.spoken(), nil
		case m.Role == ToolRole:
			text := strings.ReplaceAll(cmp.Or(m.Text, noOutput), resultEnd, `<\/tool_result`) // it cannot end itself
			m = Message{Role: User, Text: fmt.Sprintf("<tool_result name=%q>\n%s\n%s>", names[m.CallID], text, resultEnd)}
		}
		if n := len(all); n > 0 && m.Role == User && all[n-1].Role == User { // some refuse two of the same in a row
			all[n-1].Text += "\n\n" + m.Text
			continue
		}
		all = append(all, m)
	}
	return all
}

// described are the rules and the tools.
func described(tools []Tool) string {
	var b strings.Builder
	b.WriteString(spokenRules)
	for _, t := range tools {
		fmt.Fprintf(&b, "\n%s: %s\n%s\n", t.Name, t.Description, t.schema())
	}
	return b.String()
}

// spoken is the text of a message with its calls.
func (m *Message) spoken() string {
	var b strings.Builder
	b.WriteString(m.Text)
	if m.Text != "" && !strings.HasSuffix(m.Text, "\n") {
		b.WriteByte('\n')
	}
	for _, c := range m.Calls {
		args := strings.TrimSpace(c.Arguments)
		if args == "" {
			args = "{}"
		}
		if c.Name != "" { // otherwise it is all that was between the marks, see spokenCalls
			args = fmt.Sprintf(`{"name": %s, "arguments": %s}`, encoded(c.Name), args)
		}
		b.WriteString(callStart + "\n" + args + "\n" + callEnd + "\n")
	}
	return b.String()
}

// listener takes the calls out of a text that arrives in pieces.
type listener struct {
	rest    []byte // of the text: what may yet become the start of a call, or a call
	begun   bool   // rest is a call
	midLine bool   // something other than blanks stands on the line before rest
	read    int    // how much of the call was looked at
	quoted  bool   // and whether that ends within a JSON string
}

// hear takes a piece of text and returns the part of it that is no call, and the texts of calls that are complete.
func (l *listener) hear(dst, piece []byte) (text []byte, calls []string) {
	l.rest = append(l.rest, piece...)
	for {
		if !l.begun {
			if dst = l.skip(dst); !l.begun {
				return dst, calls
			}
		}
		if !l.ended() {
			return dst, calls
		}
		calls = append(calls, string(l.rest[:l.read]))
		l.rest = l.rest[l.read+len(callEnd):]
		l.begun, l.midLine, l.read = false, false, 0
	}
}

// skip moves text from rest to dst until a call begins, or nothing is left that is no beginning of one.
func (l *listener) skip(dst []byte) []byte {
	n := 0
	for ; n < len(l.rest); n++ {
		switch c := l.rest[n]; {
		case c == '\n':
			l.midLine = false
			continue
		case l.midLine || c == ' ' || c == '\t' || c == '\r':
			continue
		}
		after := string(l.rest[n:min(n+len(callStart), len(l.rest))])
		if after == callStart {
			l.begun = true
			dst = append(dst, l.rest[:n]...)
			l.rest = l.rest[n+len(callStart):]
			return dst
		}
		if strings.HasPrefix(callStart, after) {
			break
		}
		l.midLine = true
	}
	dst = append(dst, l.rest[:n]...)
	l.rest = l.rest[n:] // and not to the front of it: a piece may have very many calls
	return dst
}

// ended goes on looking for the end of the call, and reports whether it stands at read.
func (l *listener) ended() bool {
	for ; l.read < len(l.rest); l.read++ {
		switch c := l.rest[l.read]; {
		case c == '\\' && l.quoted:
			if l.read+1 == len(l.rest) {
				return false
			}
			l.read++
		case c == '"':
			l.quoted = !l.quoted
		case c == '<' && !l.quoted:
			after := string(l.rest[l.read:min(l.read+len(callEnd), len(l.rest))])
			if after == callEnd {
				return true
			}
			if strings.HasPrefix(callEnd, after) {
				return false
			}
		}
	}
	return false
}

// end returns what is left when the text is over: text that began like a call, or a call without its end.
func (l *listener) end() (text []byte, call string) {
	if !l.begun {
		return l.rest, ""
	}
	call, _, _ = strings.Cut(string(l.rest), callEnd)
	return nil, call
}
