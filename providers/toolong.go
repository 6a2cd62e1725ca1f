package providers

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// tooLong are the words, in small letters, by which servers say that a conversation is longer than the model takes, as
// their documentation and sources have them: OpenAI, Azure and Groq (context_length_exceeded), Anthropic (prompt is too
// long), Google (input token count), xAI (maximum prompt length), Mistral, vLLM and OpenRouter (maximum context length,
// context length is only), llama.cpp (available context size), LM Studio and Ollama (the context length), Bedrock (too
// long for requested model), Moonshot (model token limit), Together (inputs tokens).
var tooLong = [...]string{
	"context_length_exceeded", "exceed_context_size", "context length exceeded", "prompt is too long", "input is too long",
	"input token count", "maximum prompt length", "maximum context length", "context length is only", "context size",
	"exceeds the context", "exceeds context", "than the context length", "context window exceeds", "model token limit",
	"reduce the length of the messages", "too many tokens", "`inputs` tokens",
}

// The least and the most that is believed.
const (
	minLimit = 256
	maxLimit = 1 << 30
)

// TooLong reports whether the server refused a conversation for its length. limit is how many tokens it takes, if it
// says so, otherwise 0.
func (e *Error) TooLong() (limit int, ok bool) {
	text := strings.ToLower(e.Code + " " + e.Message)
	for _, words := range tooLong {
		ok = ok || strings.Contains(text, words)
	}
	if !ok || e.Status == http.StatusTooManyRequests { // too many in a minute are another matter
		return 0, e.Status == http.StatusRequestEntityTooLarge
	}
	return limitIn(text), true
}

// limitIn finds the number in such words that is what the model takes, and not what it was sent; 0 if there is none.
func limitIn(text string) int {
	limits := regexp.MustCompile(`(?:context (?:length|size|window)|prompt length|maximum|limit)\D{0,40}?(\d[\d,]*)|(\d[\d,]*) maximum|<= ?(\d+)`)
	m := limits.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	limit, err := strconv.Atoi(strings.ReplaceAll(m[1]+m[2]+m[3], ",", ""))
	if err != nil || limit < minLimit || limit > maxLimit {
		return 0
	}
	return limit
}
