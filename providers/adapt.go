package providers

import (
	"net/http"
	"strings"
)

// optional are the fields that a conversation can do without, longer names before those that are parts of them.
var optional = [...]string{"stream_options", "reasoning_content", "reasoning_details", "extra_content", "reasoning"}

// noTools is how servers say that a model, or the way they run it, knows no tools: Ollama, OpenRouter, vLLM, llama.cpp
// and others.
var noTools = [...]string{"not support tools", "support tool use", "not support tool", "not support function calling",
	"tool calling is not supported", "tools are not supported", "--enable-auto-tool-choice", "requires --jinja"}

// adapt leaves out what a server refused by name and can do without, or says it in another way. It reports whether that
// is worth a request.
func (c *Client) adapt(e *Error) bool {
	if e.Status < 400 || e.MidStream {
		return false
	}
	said := strings.ToLower(e.Message)
	for _, words := range noTools {
		if strings.Contains(said, words) {
			return c.encoder.speak()
		}
	}
	if e.Status != http.StatusBadRequest && e.Status != http.StatusUnprocessableEntity {
		return false
	}
	if strings.Contains(said, "max_completion_tokens") && c.encoder.leaveOut("max_tokens") {
		return true
	}
	for _, field := range optional {
		if strings.Contains(said, field) && c.encoder.leaveOut(field) {
			return true
		}
	}
	return false
}
