package providers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// field is one of a request's, encoded.
type field struct {
	name  string
	value json.RawMessage
}

// append appends the field with a comma behind it.
func (f field) append(dst []byte) []byte {
	dst = append(append(dst, '"'), f.name...)
	dst = append(append(dst, '"', ':'), f.value...)
	return append(dst, ',')
}

// settings are the fields that every request has: those of the configuration in its own names, then what it adds, which
// takes the place of others but not of what only tricode can write.
func (c Config) settings() ([]field, error) {
	stream := c.Stream == nil || *c.Stream
	all := []field{{"model", encoded(c.Model)}, {"stream", encoded(stream)}}
	if stream {
		all = append(all, field{"stream_options", encoded(map[string]bool{"include_usage": true})})
	}
	if c.Temperature != nil {
		all = append(all, field{"temperature", encoded(*c.Temperature)})
	}
	if c.ReasoningEffort != "" {
		all = append(all, field{"reasoning_effort", encoded(c.ReasoningEffort)})
	}
	if c.MaxTokens > 0 {
		all = append(all, field{"max_tokens", encoded(c.MaxTokens)})
	}
	for _, name := range slices.Sorted(maps.Keys(c.ExtraBody)) {
		switch name {
		case "model", "stream", "messages", "tools":
			return nil, fmt.Errorf("extra_body of provider %q cannot have %s", c.Name, name)
		}
		value, err := json.Marshal(c.ExtraBody[name])
		if err != nil {
			return nil, fmt.Errorf("extra_body of provider %q: %s cannot be sent as JSON", c.Name, name)
		}
		all = slices.DeleteFunc(all, func(f field) bool { return f.name == name })
		key := encoded(name)
		all = append(all, field{string(key[1 : len(key)-1]), value})
	}
	return all, nil
}

// encoded is what cannot fail to be encoded: strings, booleans and finite numbers.
func encoded(v any) json.RawMessage {
	raw, _ := json.Marshal(v)
	return raw
}

// toolsField tells a model of tools in the protocol's own way.
func toolsField(tools []Tool) (field, error) {
	type function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	type tool struct {
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	var list []tool
	for _, t := range tools {
		list = append(list, tool{"function", function{t.Name, t.Description, t.schema()}})
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false) // six bytes for each < would be paid for in every run
	err := enc.Encode(list)
	return field{"tools", bytes.TrimSpace(buf.Bytes())}, err
}

// schema is the tool's schema, that of no arguments if it has none.
func (t Tool) schema() json.RawMessage {
	if len(t.Schema) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return t.Schema
}
