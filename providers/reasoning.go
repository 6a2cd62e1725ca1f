package providers

import (
	"encoding/json"
	"strings"
)

// extra gathers the fields of a message that are sent back as they came.
type extra struct {
	reasoning, reasoningContent strings.Builder
	details                     []*detail
	content                     json.RawMessage
}

// detail is an element of OpenRouter's reasoning_details, which is streamed in fragments of the same type and index:
// https://openrouter.ai/docs/use-cases/reasoning-tokens
type detail struct {
	kind, index   string
	fields        map[string]json.RawMessage
	text, summary strings.Builder
}

// What a detail takes beside its fields, and a field beside its name and value, in bytes.
const (
	detailSize = 512
	fieldSize  = 64
)

// add takes what a delta has of it and returns how many bytes that takes.
func (x *extra) add(d *delta) int {
	n := len(d.ReasoningContent) + len(d.Reasoning) + len(d.ExtraContent)
	x.reasoningContent.WriteString(string(d.ReasoningContent))
	x.reasoning.WriteString(string(d.Reasoning))
	for _, raw := range d.ReasoningDetails {
		n += x.detail(raw)
	}
	if len(d.ExtraContent) > 0 && string(d.ExtraContent) != "null" {
		x.content = d.ExtraContent
	}
	return n
}

// detail takes a fragment and returns how many bytes more are kept for it.
func (x *extra) detail(raw json.RawMessage) (kept int) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil || fields == nil {
		return 0
	}
	kind, index := string(fields["type"]), string(fields["index"])
	var d *detail
	if n := len(x.details); n > 0 && x.details[n-1].kind == kind && x.details[n-1].index == index {
		d = x.details[n-1]
	} else {
		d = &detail{kind: kind, index: index, fields: map[string]json.RawMessage{}}
		x.details = append(x.details, d)
		kept = detailSize
	}
	for name, value := range fields {
		var piece string
		switch {
		case name == "text" && json.Unmarshal(value, &piece) == nil:
			d.text.WriteString(piece)
		case name == "summary" && json.Unmarshal(value, &piece) == nil:
			d.summary.WriteString(piece)
		case string(value) == "null" && d.fields[name] != nil:
			continue
		}
		kept += len(piece)
		if before, ok := d.fields[name]; !ok {
			kept += fieldSize + len(name) + len(value)
		} else {
			kept += max(len(value)-len(before), 0)
		}
		d.fields[name] = value
	}
	return kept
}

// fields is all of it, nil if there is nothing.
func (x *extra) fields() map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	put := func(name string, v any) { all[name], _ = json.Marshal(v) } // strings and JSON can always be encoded
	if x.reasoningContent.Len() > 0 {
		put("reasoning_content", x.reasoningContent.String())
	}
	var details []map[string]json.RawMessage
	for _, d := range x.details {
		if d.text.Len() > 0 {
			d.fields["text"], _ = json.Marshal(d.text.String())
		}
		if d.summary.Len() > 0 {
			d.fields["summary"], _ = json.Marshal(d.summary.String())
		}
		details = append(details, d.fields)
	}
	switch {
	case details != nil:
		put("reasoning_details", details) // they say the same as reasoning, and more
	case x.reasoning.Len() > 0:
		put("reasoning", x.reasoning.String())
	}
	if x.content != nil {
		all["extra_content"] = x.content
	}
	if len(all) == 0 {
		return nil
	}
	return all
}
