package providers

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestModels(t *testing.T) {
	for body, want := range map[string]string{
		`{"object":"list","data":[{"id":"b","created":1.5},{"id":"a"}]}`: "[a b] <nil>",
		`[{"id":"a","name":"A"}]`:                       "[a] <nil>",
		`{"models":[{"name":"models/a"}]}`:              "[models/a] <nil>",
		`{"models":[{"name":"a"}],"data":[{"id":"a"}]}`: "[a] <nil>",
		`<html><title>Hi</title>`:                       "[] p: gave no list of models: <html><title>Hi</title>",
		`{}`:                                            "[] p: gave no list of models: {}",
	} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.String() != "/v1/models?api-version=7+a" || r.Header.Get("Authorization") == "" {
				t.Errorf("asked for %s", r.URL)
			}
			io.WriteString(w, body)
		})
		names, err := c.Models(t.Context())
		if got := fmt.Sprint(names, " ", err); got != want {
			t.Errorf("%s: got %s, want %s", body, got, want)
		}
	}
}

// The forms are those that are documented: https://docs.ollama.com/api/ps, https://lmstudio.ai/docs/api/rest-api,
// https://openrouter.ai/docs/api-reference/list-available-models, https://console.groq.com/docs/models,
// https://docs.mistral.ai/api/#tag/models, tools/server/README.md of llama.cpp, ModelCard of vLLM's protocol.
func TestWindow(t *testing.T) {
	const openai = `{"object":"list","data":[{"id":"m","object":"model","created":1,"owned_by":"library"},{"id":"other","context_length":9000}]}`
	for _, test := range []struct {
		name  string
		pages map[string]string
		want  int
	}{
		{"vLLM", map[string]string{"/v1/models": `{"data":[{"id":"m","max_model_len":32768,"root":"m"}]}`}, 32768},
		{"OpenRouter", map[string]string{"/v1/models": `{"data":[{"id":"m","context_length":200000,"top_provider":{"context_length":131072,"max_completion_tokens":null}}]}`}, 131072},
		{"Groq", map[string]string{"/v1/models": `{"data":[{"id":"m","context_window":131072,"public_apps":null}]}`}, 131072},
		{"Mistral", map[string]string{"/v1/models": `{"data":[{"id":"m","max_context_length":32768}]}`}, 32768},
		{"llama.cpp", map[string]string{"/v1/models": `{"models":[{"name":"m","model":"m"}],"data":[{"id":"m","meta":{"n_ctx":8192,"n_ctx_train":131072}}]}`}, 8192},
		{"Ollama", map[string]string{"/v1/models": openai, "/api/ps": `{"models":[{"name":"m:latest","model":"m:latest","size":6591830464,"context_length":4096}]}`}, 4096},
		{"Ollama, not loaded", map[string]string{"/v1/models": openai, "/api/ps": `{"models":[]}`}, 0},
		{"LM Studio", map[string]string{"/v1/models": openai, "/api/v0/models": `{"data":[{"id":"m","state":"loaded","max_context_length":131072,"loaded_context_length":4096}]}`}, 4096},
		{"LM Studio, not loaded", map[string]string{"/v1/models": openai, "/api/v0/models": `{"data":[{"id":"m","state":"not-loaded","max_context_length":131072}]}`}, 0},
		{"OpenAI", map[string]string{"/v1/models": openai}, 0},
		{"none", nil, 0},
		{"nonsense", map[string]string{"/v1/models": `{"data":[{"id":"m","context_length":-5,"context_window":1e300,"max_model_len":"many"}]}`}, 0},
		{"as a float", map[string]string{"/v1/models": `{"data":[{"id":"m","context_length":1e6}]}`}, 1_000_000},
	} {
		var asked []string
		answer := func(r *http.Request) (*http.Response, error) {
			asked = append(asked, r.URL.Path)
			page, ok := test.pages[r.URL.Path]
			status := 200
			if !ok {
				status, page = 404, "not found"
			}
			return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(page))}, nil
		}
		c := played(nil)
		c.http.Transport = roundTrip(answer)
		if n := c.Window(t.Context(), 2_999); n != 0 || asked != nil {
			t.Errorf("%s: asked for %q where little is sent", test.name, asked)
		}
		got := c.Window(t.Context(), 3_000)
		if got != test.want || asked[0] != "/v1/models" {
			t.Errorf("%s: %d, want %d; asked for %q", test.name, got, test.want, asked)
		}
		before := len(asked)
		for range 10 {
			c.Window(t.Context(), 100_000)
		}
		if test.want > 0 && len(asked) != before || len(asked) > windowTries*3 {
			t.Errorf("%s: asked for %q", test.name, asked)
		}
	}
}

// A server far away is asked when there is much to send, and for nothing but its list; one whose window is written down is not.
func TestWindowOfOthers(t *testing.T) {
	for _, test := range []struct {
		config Config
		tokens int
		want   string
	}{
		{Config{BaseURL: "https://ai.example/v1"}, 15_999, "0 []"},
		{Config{BaseURL: "https://ai.example/v1"}, 16_000, "0 [/v1/models]"},
		{Config{BaseURL: "http://localhost/v1", Models: []Model{{ID: "m", ContextWindow: 5000}}}, 16_000, "5000 []"},
		{Config{BaseURL: "http://localhost/api/openai"}, 16_000, "0 [/api/openai/models]"},
	} {
		test.config.Name, test.config.Model = "p", "m"
		c, err := New(test.config)
		if err != nil {
			t.Fatal(err)
		}
		asked := []string{}
		c.http.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
			asked = append(asked, r.URL.Path)
			return &http.Response{StatusCode: 404, Header: http.Header{}, Body: http.NoBody}, nil
		})
		if got := fmt.Sprint(c.Window(t.Context(), test.tokens), slices.Clip(asked)); got != test.want {
			t.Errorf("%s with %d tokens: %s, want %s", test.config.BaseURL, test.tokens, got, test.want)
		}
	}
}
