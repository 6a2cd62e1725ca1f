package providers

import (
	"net/http"
	"slices"
	"strings"
)

// optional are the fields that a conversation can do without, longer names before those that are parts of them.
var optional = [...]string{"stream_options", "reasoning_content", "reasoning_details", "extra_content", "reasoning"}

// noTools is how servers say that a model, or the way they run it, knows no tools: Ollama, OpenRouter, vLLM, llama.cpp
// and others.
var noTools = [...]string{"not support tools", "support tool use", "not support tool", "not support function calling",
	"tool calling is not supported", "tools are not supported", "--enable-auto-tool-choice", "requires --jinja"}

// noStream is how they say that answers come in one piece or not at all: OpenAI to organisations that are not verified,
// and others.
var noStream = [...]string{"to stream this model", "not support stream", "streaming is not supported"}

// adapt leaves out what a server refused by name and can do without, or says it in another way. It reports whether that
// is worth a request, and what a person should know of it.
func (c *Client) adapt(e *Error) (how string, ok bool) {
	if e.Status < 400 || e.MidStream {
		return "", false
	}
	said := strings.ToLower(e.Message)
	if hasAny(said, noTools[:]) {
		return "with tools described in words (see supports_tools)", c.encoder.speak()
	}
	if e.Status != http.StatusBadRequest && e.Status != http.StatusUnprocessableEntity {
		return "", false
	}
	if strings.Contains(said, "max_completion_tokens") && c.encoder.leaveOut("max_tokens") {
		return "", true
	}
	for _, field := range optional {
		if strings.Contains(said, field) && c.encoder.leaveOut(field) {
			return "", true
		}
	}
	if hasAny(said, noStream[:]) && c.encoder.leaveOut("stream") {
		c.encoder.leaveOut("stream_options")
		return "for an answer in one piece (see stream)", true
	}
	return "", false
}

func hasAny(s string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s, part) })
}
