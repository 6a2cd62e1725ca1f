package providers

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// chunk is what one event of a stream says, or a whole completion. Servers differ in nearly every type, so fields
// of a wrong type are passed over and those that matter take several.
type chunk struct {
	Choices []choice `json:"choices"`
	Usage   *usage   `json:"usage"`
	Groq    struct {
		Usage *usage `json:"usage"`
	} `json:"x_groq"`

	// Each of these is an error, the last three in an event without choices.
	Error    json.RawMessage `json:"error"`
	Message  json.RawMessage `json:"message"`
	Detail   json.RawMessage `json:"detail"`
	BaseResp struct {
		Code int `json:"status_code"`
	} `json:"base_resp"` // of MiniMax
}

type choice struct {
	Index   int    `json:"index"`
	Delta   *delta `json:"delta"`
	Message *delta `json:"message"` // of a completion that is not streamed; Perplexity has all so far there
	Finish  text   `json:"finish_reason"`
	Usage   *usage `json:"usage"`
}

type delta struct {
	Content      text      `json:"content"`
	Refusal      text      `json:"refusal"`
	Calls        callList  `json:"tool_calls"`
	FunctionCall *function `json:"function_call"` // before there were tools

	// What must be sent back: to DeepSeek and vLLM, OpenRouter and Groq, OpenRouter, Gemini.
	ReasoningContent text              `json:"reasoning_content"`
	Reasoning        text              `json:"reasoning"`
	ReasoningDetails []json.RawMessage `json:"reasoning_details"`
	ExtraContent     json.RawMessage   `json:"extra_content"`
}

// callList may be written as one call alone.
type callList []call

func (l *callList) UnmarshalJSON(raw []byte) error {
	if raw[0] != '{' {
		return json.Unmarshal(raw, (*[]call)(l))
	}
	*l = make(callList, 1)
	return json.Unmarshal(raw, &(*l)[0])
}

type call struct {
	Index        *int            `json:"index"`
	ID           text            `json:"id"`
	Function     function        `json:"function"`
	ExtraContent json.RawMessage `json:"extra_content"`
}

type function struct {
	Name      text `json:"name"`
	Arguments text `json:"arguments"`
}

// usage takes the names of chat completions and those of newer interfaces.
type usage struct {
	Prompt     float64 `json:"prompt_tokens"`
	Completion float64 `json:"completion_tokens"`
	Input      float64 `json:"input_tokens"`
	Output     float64 `json:"output_tokens"`

	// What the server had in its cache: OpenAI and most, DeepSeek.
	Details struct {
		Cached float64 `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	CacheHit float64 `json:"prompt_cache_hit_tokens"`
}

// decode reads an event; an error is errBroken or errCrowded.
func (c *chunk) decode(event []byte) error {
	if crowded(event) {
		return errCrowded
	}
	err := json.Unmarshal(event, c)
	if bad := (*json.UnmarshalTypeError)(nil); errors.As(err, &bad) {
		return nil // everything else was decoded all the same
	}
	if err != nil {
		return errBroken
	}
	return nil
}

// The most that JSON may have in it: two bytes of it can take a hundred when they are decoded, and what is nested deeper
// than encoding/json goes could not be read again where it stands in something else.
const (
	maxElements = 200_000
	maxDepth    = 1000
)

var (
	errBroken  = errors.New("the server sent broken JSON")
	errCrowded = errors.New("the server sent too many things at once")
)

// crowded reports whether JSON has more than that in it.
func crowded(event []byte) bool {
	elements, depth := 0, 0
	if len(event) < maxDepth {
		return false
	}
	for i := 0; i < len(event) && elements <= maxElements && depth <= maxDepth; i++ {
		switch event[i] {
		case '"':
			for i++; i < len(event) && event[i] != '"'; i++ {
				if event[i] == '\\' {
					i++
				}
			}
		case ',':
			elements++
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
	}
	return elements > maxElements || depth > maxDepth
}

// failure returns the error that the event is, nil if it is none.
func (c *chunk) failure(event []byte) json.RawMessage {
	switch string(c.Error) {
	case "", "null", "false", `""`:
	default:
		return event
	}
	if event[0] == '[' || c.Choices == nil && (isText(c.Message) || len(c.Detail) > 0 || c.BaseResp.Code != 0) {
		return event
	}
	return nil
}

func isText(raw json.RawMessage) bool { return len(raw) > 2 && raw[0] == '"' }

// text is a string that may be written as something else: null is empty, an array of parts is the text in them,
// numbers and objects are their JSON.
type text string

func (t *text) UnmarshalJSON(raw []byte) error {
	switch raw[0] {
	case '"':
		return json.Unmarshal(raw, (*string)(t))
	case 'n':
		*t = ""
		return nil
	case '[':
		*t = parts(raw)
		return nil
	}
	var buf bytes.Buffer
	if err := json.Compact(&buf, raw); err != nil {
		return err
	}
	*t = text(buf.String())
	return nil
}

// parts joins the text of content parts; other parts, such as what a model thought, are left out.
func parts(raw []byte) text {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	var b strings.Builder
	for _, raw := range list {
		var one struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}
		switch {
		case raw[0] == '"' && json.Unmarshal(raw, &one.Text) == nil:
		case json.Unmarshal(raw, &one) != nil:
			continue
		case one.Type != "" && one.Type != "text" && one.Type != "output_text":
			continue
		}
		b.WriteString(one.Text)
	}
	return text(b.String())
}
