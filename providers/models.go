package providers

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"
)

// offered is a model in a list of those that a server has.
type offered struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Model string `json:"model"`

	// How many tokens it takes, as it was loaded or set up: LM Studio, llama.cpp, what serves it of OpenRouter, vLLM and
	// SGLang, OpenRouter and Together and Ollama, Groq, Mistral.
	Loaded float64 `json:"loaded_context_length"`
	Meta   struct {
		Context float64 `json:"n_ctx"`
	} `json:"meta"`
	Top struct {
		Context float64 `json:"context_length"`
	} `json:"top_provider"`
	MaxModelLen   float64 `json:"max_model_len"`
	ContextLength float64 `json:"context_length"`
	ContextWindow float64 `json:"context_window"`
	MaxContext    float64 `json:"max_context_length"`

	State string `json:"state"` // of LM Studio, which says what a model could take at most before it is loaded
}

// name is what a request calls the model.
func (o *offered) name() string {
	for _, name := range []string{o.ID, o.Model, o.Name} {
		if name != "" {
			return name
		}
	}
	return ""
}

// window is how many tokens the model takes, 0 if that is not said.
func (o *offered) window() int {
	said := []float64{o.Loaded, o.Meta.Context, o.Top.Context, o.MaxModelLen, o.ContextLength, o.ContextWindow, o.MaxContext}
	if o.State != "" {
		said = said[:1]
	}
	for _, n := range said {
		if n >= minLimit && n <= maxLimit {
			return int(n)
		}
	}
	return 0
}

// readOffers reads a list: OpenAI's form, a bare array, or one called models. It is nil if there is none.
func readOffers(raw []byte) []offered {
	var list struct{ Data, Models []offered }
	if crowded(raw) || !decoded(json.Unmarshal(raw, &list)) && !decoded(json.Unmarshal(raw, &list.Data)) {
		return nil
	}
	return append(list.Data, list.Models...)
}

// decoded reports whether JSON was decoded, but for what has another type than it should.
func decoded(err error) bool {
	var bad *json.UnmarshalTypeError
	return err == nil || errors.As(err, &bad) && bad.Field != ""
}

// Models lists the models that the server offers, sorted. It asks once: whoever wants the list is there to ask again.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	raw, err := c.look(ctx, "/models")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, o := range readOffers(raw) {
		names = append(names, o.name())
	}
	if names == nil {
		return nil, &Error{Provider: c.config.Name, Message: oneLine("gave no list of models: " + string(raw[:min(len(raw), maxNoise)]))}
	}
	slices.Sort(names)
	return slices.Compact(names), nil // llama.cpp has two lists
}

// look gets what is at a path below the base URL.
func (c *Client) look(ctx context.Context, path string) ([]byte, error) {
	x, ctx := c.exchange(ctx, body{})
	defer x.end()
	raw, err := x.get(ctx, path)
	if err != nil {
		return nil, c.explain(ctx, err, false)
	}
	return raw, nil
}

// window is how many tokens the model takes, once that is known.
type window struct {
	mu    sync.Mutex
	size  int
	asked int // how often the server was
}

// How often a server is asked for the window, and how long it may take.
const (
	windowTries = 3 // a server may load the model with the first request
	windowTime  = 5 * time.Second
)

// Window is how many tokens the model takes, its answer included: what the configuration says, otherwise what the server
// says of itself, 0 if neither does. Servers nearby say least of all when they are sent more than they take: Ollama leaves
// out the beginning. So they are asked soon; others, whose lists are long, when there are many tokens to send.
func (c *Client) Window(ctx context.Context, tokens int) int {
	const soon, late = 3_000, 16_000
	if n := c.config.Chosen().ContextWindow; n > 0 {
		return n
	}
	near := nearby(c.base.Hostname())
	c.window.mu.Lock()
	defer c.window.mu.Unlock()
	if c.window.size > 0 || c.window.asked == windowTries || tokens < soon || tokens < late && !near {
		return c.window.size
	}
	c.window.asked++
	ctx, cancel := context.WithTimeout(ctx, windowTime)
	defer cancel()
	places := []string{"/models"}
	if near && strings.HasSuffix(c.base.Path, "/v1") {
		places = append(places, "/../api/ps", "/../api/v0/models") // of Ollama and LM Studio, for what is loaded
	}
	for _, place := range places {
		raw, err := c.look(ctx, place)
		if err != nil {
			continue
		}
		for _, o := range readOffers(raw) {
			if name := o.name(); c.window.size == 0 && (name == c.config.Model || name == c.config.Model+":latest") {
				c.window.size = o.window()
			}
		}
		if c.window.size > 0 {
			break
		}
	}
	return c.window.size
}
