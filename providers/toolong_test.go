package providers

import "testing"

// The messages are those of the servers, as their sources, documentation and bug reports have them.
func TestTooLong(t *testing.T) {
	for _, tt := range []struct {
		name  string
		err   Error
		limit int
		ok    bool
	}{
		{"OpenAI", Error{Status: 400, Code: "context_length_exceeded", Message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens. Please reduce the length of the messages."}, 8192, true},
		{"OpenAI with completion", Error{Status: 400, Message: "This model's maximum context length is 4097 tokens, however you requested 4231 tokens (3975 in your prompt; 256 for the completion)."}, 4097, true},
		{"OpenAI newer", Error{Status: 400, Code: "context_length_exceeded", Message: "Your input exceeds the context window of this model. Please adjust your input and try again."}, 0, true},
		{"Anthropic", Error{Status: 400, Message: "prompt is too long: 213462 tokens > 200000 maximum"}, 200000, true},
		{"Google", Error{Status: 400, Message: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)."}, 1048575, true},
		{"Groq", Error{Status: 400, Message: "Please reduce the length of the messages or completion."}, 0, true},
		{"xAI", Error{Status: 400, Message: "This model's maximum prompt length is 131072 but the request contains 537812 tokens."}, 131072, true},
		{"Mistral", Error{Status: 400, Message: "Prompt contains 40961 tokens and 0 draft tokens, too large for model with 32768 maximum context length"}, 32768, true},
		{"vLLM", Error{Status: 400, Message: "You passed 1015 input tokens and requested 10 output tokens. However, the model's context length is only 1024 tokens, resulting in a maximum input length of 1014 tokens."}, 1024, true},
		{"llama.cpp", Error{Status: 400, Code: "exceed_context_size_error", Message: "request (8708 tokens) exceeds the available context size (8192 tokens), try increasing it"}, 8192, true},
		{"LM Studio", Error{Status: 400, Message: "Trying to keep the first 9000 tokens when context the overflows. The number of tokens to keep from the initial prompt is greater than the context length (4096)."}, 4096, true},
		{"Together", Error{Status: 422, Message: "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens and 512 `max_new_tokens`"}, 4097, true},
		{"OpenRouter", Error{Status: 400, Message: "This endpoint's maximum context length is 1,048,576 tokens. However, you requested about 1,293,741 tokens"}, 1048576, true},
		{"a proxy before it", Error{Status: 413, Message: "Request Entity Too Large"}, 0, true},
		{"too many in a minute", Error{Status: 429, Message: "Too many tokens per minute, limit 30000"}, 0, false},
		{"another refusal", Error{Status: 400, Message: "max_tokens is too large: 100000. This model supports at most 4096 completion tokens"}, 0, false},
		{"nonsense", Error{Status: 400, Message: "maximum context length is 99999999999999999999999 tokens"}, 0, true},
	} {
		if limit, ok := tt.err.TooLong(); limit != tt.limit || ok != tt.ok {
			t.Errorf("%s: TooLong = %d, %v; want %d, %v", tt.name, limit, ok, tt.limit, tt.ok)
		}
	}
}
