// Package providers talks to language models: any server that speaks OpenAI's chat completions, as it is defined at
// https://platform.openai.com/docs/api-reference/chat, or nearly so.
//
// A [Client] asks one server, again where that may help, and a [Chain] the next one while that is down. No call of an
// answer is given out before the answer is whole. A key goes to the origin it was given for and nowhere else.
package providers

import (
	"encoding/json"
	"fmt"
	"time"
)

// Role says who a message is from.
type Role string

// The roles of the chat protocol.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// Message is one message of a conversation.
type Message struct {
	Role   Role   `json:"role"`
	Text   string `json:"text,omitempty"`
	Calls  []Call `json:"calls,omitempty"`   // of an assistant: what it wants done, in order
	CallID string `json:"call_id,omitempty"` // of a tool: the call that Text answers

	// Extra has the fields of the server's message that must be sent back with it and that tricode does not
	// read, such as reasoning_details; nil if there are none.
	Extra map[string]json.RawMessage `json:"extra,omitempty"`
	// The following are known of a message that Complete returned. What is in Extra goes back to where it came from only.
	Provider string `json:"provider,omitempty"`
	Model    string `json:"model,omitempty"`
	Usage    Usage  `json:"usage,omitzero"`
	Finish   string `json:"finish,omitempty"` // the server's finish_reason: "stop", "length", "tool_calls" ...
}

// Call is a tool call as the model wrote it. Arguments is meant to be a JSON object and may be anything.
type Call struct {
	ID        string                     `json:"id"`
	Name      string                     `json:"name"`
	Arguments string                     `json:"arguments"`
	Extra     map[string]json.RawMessage `json:"extra,omitempty"` // fields to send back, such as extra_content
}

// Usage counts tokens as the server does; zero where it does not say.
type Usage struct {
	Input  int `json:"input"`
	Output int `json:"output"`
	Cached int `json:"cached,omitempty"` // how many of Input the server had already
}

// Tool is a tool as the model is told of it. Schema is the JSON Schema of its arguments, an object.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage
}

// Request is a conversation that wants its next message. The messages of one run only ever grow, so what was sent
// before is a prefix of what is sent now.
type Request struct {
	Messages []Message
	Tools    []Tool

	// OnRetry, if not nil, is told when a request failed and before it is made again; its error ends that.
	OnRetry func(Retry) error
}

// Error is what a server or the way to it did wrong, in one line.
type Error struct {
	Provider   string        // the name in the configuration
	Status     int           // HTTP status, 0 if there was no response
	Code       string        // the server's own code, may be empty
	Message    string        // untrusted text, one line, at most 500 bytes
	RetryAfter time.Duration // what the server asked for, 0 if nothing
	MidStream  bool          // part of an answer had arrived
	Err        error         // the cause, where there is one

	unclear bool // nobody says whose fault it is
	lost    bool // the server was there before in this run
}

func (e *Error) Error() string {
	if e.Status != 0 && e.Status != 200 {
		return fmt.Sprintf("%s: %d: %s", e.Provider, e.Status, e.Message)
	}
	return fmt.Sprintf("%s: %s", e.Provider, e.Message)
}

func (e *Error) Unwrap() error { return e.Err }
