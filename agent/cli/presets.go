package cli

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"tricode/providers"
)

// preset is a provider that tricode init knows.
type preset struct {
	name, title string
	baseURL     string // empty: asked for
	keyEnv      string // the variable that the provider's own documentation keeps the key in
	keyPage     string // where keys are made
	local       bool   // runs on this machine and usually wants no key
	unlisted    bool   // has no list of models for a bearer of a key
}

// presets are the providers of tricode init. The addresses come from the documentation named behind them, as it was
// in November 2026.
var presets = [...]preset{
	{name: "openai", title: "OpenAI", baseURL: "https://api.openai.com/v1", // https://platform.openai.com/docs/api-reference
		keyEnv: "OPENAI_API_KEY", keyPage: "https://platform.openai.com/api-keys"},
	{name: "openrouter", title: "OpenRouter", baseURL: "https://openrouter.ai/api/v1", // https://openrouter.ai/docs/quickstart
		keyEnv: "OPENROUTER_API_KEY", keyPage: "https://openrouter.ai/keys"},
	{name: "anthropic", title: "Anthropic", baseURL: "https://api.anthropic.com/v1", // https://platform.claude.com/docs/en/cli-sdks-libraries/libraries/openai-sdk
		keyEnv: "ANTHROPIC_API_KEY", keyPage: "https://platform.claude.com/settings/keys", unlisted: true},
	{name: "gemini", title: "Google Gemini", baseURL: "https://generativelanguage.googleapis.com/v1beta/openai", // https://ai.google.dev/gemini-api/docs/openai
		keyEnv: "GEMINI_API_KEY", keyPage: "https://aistudio.google.com/apikey"},
	{name: "groq", title: "Groq", baseURL: "https://api.groq.com/openai/v1", // https://console.groq.com/docs/openai
		keyEnv: "GROQ_API_KEY", keyPage: "https://console.groq.com/keys"},
	{name: "mistral", title: "Mistral", baseURL: "https://api.mistral.ai/v1", // https://docs.mistral.ai/api
		keyEnv: "MISTRAL_API_KEY", keyPage: "https://console.mistral.ai/api-keys"},
	{name: "deepseek", title: "DeepSeek", baseURL: "https://api.deepseek.com", // https://api-docs.deepseek.com
		keyEnv: "DEEPSEEK_API_KEY", keyPage: "https://platform.deepseek.com/api_keys"},
	{name: "xai", title: "xAI", baseURL: "https://api.x.ai/v1", // https://docs.x.ai/docs/api-reference
		keyEnv: "XAI_API_KEY", keyPage: "https://console.x.ai"},
	{name: "together", title: "Together AI", baseURL: "https://api.together.ai/v1", // https://docs.together.ai/docs/inference/openai-compatibility
		keyEnv: "TOGETHER_API_KEY", keyPage: "https://api.together.ai/settings/api-keys"},
	{name: "ollama", title: "Ollama", baseURL: "http://127.0.0.1:11434/v1", local: true},     // https://docs.ollama.com/api/openai-compatibility
	{name: "lmstudio", title: "LM Studio", baseURL: "http://127.0.0.1:1234/v1", local: true}, // https://lmstudio.ai/docs/developer/openai-compat
	{name: "llamacpp", title: "llama.cpp", baseURL: "http://127.0.0.1:8080/v1", local: true}, // https://github.com/ggml-org/llama.cpp/tree/master/tools/server
	{name: "vllm", title: "vLLM", baseURL: "http://127.0.0.1:8000/v1", local: true},          // https://docs.vllm.ai/en/latest/serving/openai_compatible_server
	{name: "other", title: "any other server that speaks OpenAI's chat completions"},
}

// probeTime is how long a server on this machine has to list its models.
const probeTime = 150 * time.Millisecond

// offer is a preset as it is offered to the person.
type offer struct {
	preset
	answers bool // its server answered just now
	hasKey  bool // its variable is set
}

// offers puts in front what can be used at once: servers that answer on this machine, then those whose key is set.
func offers(ctx context.Context, all []preset, env func(string) string) []offer {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	list := make([]offer, len(all))
	var probes sync.WaitGroup
	for i, p := range all {
		list[i] = offer{preset: p, hasKey: p.keyEnv != "" && env(p.keyEnv) != ""}
		if p.local {
			probes.Go(func() { list[i].answers = p.probe(ctx) })
		}
	}
	probes.Wait()
	slices.SortStableFunc(list, func(a, b offer) int { return cmp.Compare(b.rank(), a.rank()) })
	return list
}

func (o offer) rank() int {
	switch {
	case o.answers:
		return 2
	case o.hasKey:
		return 1
	}
	return 0
}

// probe reports whether the server lists models: other programs like the same ports.
func (p preset) probe(ctx context.Context) bool {
	client, err := providers.New(providers.Config{Name: p.name, BaseURL: p.baseURL})
	if err != nil {
		return false
	}
	defer client.Close()
	_, err = client.Models(ctx)
	return err == nil
}
