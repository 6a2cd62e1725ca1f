package cli

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tricode/agent/config"
	"tricode/approval"
)

func TestInitThatEndsEarly(t *testing.T) {
	hosted := preset{name: "acme", title: "Acme", keyEnv: "ACME_KEY", keyPage: "https://acme.example/keys"}
	for _, tt := range []struct {
		name string
		setting
		want string
	}{
		{"at the provider", setting{preset: hosted, answers: [][2]string{{"Number", "^C"}}}, "the person left"},
		{"at the key", setting{preset: hosted, answers: [][2]string{{"Number", "acme"}, {"Key", "^C"}}}, "the person left"},
		{"at the model", setting{preset: hosted, server: server{models: []string{"m"}},
			answers: [][2]string{{"Number", "acme"}, {"Key", "k"}, {"Model", "^C"}}}, "the person left"},
		{"web page", setting{preset: hosted, server: server{mood: "html"},
			answers: [][2]string{{"Number", "acme"}, {"Key", "k"}, {"Model", "m"}, {"try again", "3"}}},
			"acme: a web page instead of an answer: Welcome"},
		{"no such model", setting{preset: hosted, server: server{mood: "no such model", models: []string{"m"}},
			answers: [][2]string{{"Number", "acme"}, {"Key", "k"}, {"Model", "m"}, {"try again", "3"}}},
			"acme: 404: The model does not exist"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, paths, err := initialise(t, &tt.setting)
			if err == nil || err.Error() != tt.want {
				t.Errorf("runInit = %v; want %s", err, tt.want)
			}
			if _, err := os.Stat(paths.File); err == nil {
				t.Error("a configuration was written")
			}
		})
	}
}

func TestInitWithoutServer(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	tt := setting{preset: preset{name: "other", title: "any"}, answers: [][2]string{
		{"Number", "other"}, {"Base URL", gone.URL}, {"Key", ""}, {"try again", "3"}}}
	if _, _, _, err := initialise(t, &tt); err == nil || !strings.HasPrefix(err.Error(), "other: cannot connect to 127.0.0.1:") {
		t.Errorf("runInit = %v; want that it cannot connect", err)
	}
}

func TestInitWithoutTerminal(t *testing.T) {
	paths := config.Paths{File: "/c/config.toml"}
	want := "write into /c/config.toml: " + minimalConfig
	for _, person := range []prompter{nil, nobody{}} {
		if err := runInit(t.Context(), person, setup{waiting: atOnce, paths: paths, env: os.Getenv, out: io.Discard, presets: presets[len(presets)-1:]}); err == nil || hintFor(err) != want || statusOf(err) != statusUsage {
			t.Errorf("runInit = %v, with the hint %q; want %q", err, hintFor(err), want)
		}
	}
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte(minimalConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(config.Paths{File: file})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := cfg.Choose("", ""); err != nil || p.Name != "openai" || p.KeyEnv != "OPENAI_API_KEY" {
		t.Errorf("what to write by hand gives %+v, %v", p, err)
	}
}

func (nobody) Line(context.Context, string, string) (string, error) { return "", approval.ErrNobody }
func (nobody) Secret(context.Context, string) (string, error)       { return "", approval.ErrNobody }

func TestPresets(t *testing.T) {
	var names []string
	for _, p := range presets {
		names = append(names, p.name)
		switch {
		case p.baseURL == "":
		case p.local != strings.HasPrefix(p.baseURL, "http://127.0.0.1:"), !p.local && !strings.HasPrefix(p.baseURL, "https://"):
			t.Errorf("%s is at %s", p.name, p.baseURL)
		case !p.local && (p.keyEnv == "" || !strings.HasPrefix(p.keyPage, "https://")):
			t.Errorf("%s does not say where its key is from", p.name)
		}
	}
	want := []string{"openai", "openrouter", "anthropic", "gemini", "groq", "mistral", "deepseek", "xai", "together",
		"ollama", "lmstudio", "llamacpp", "vllm", "other"}
	if !slices.Equal(names, want) {
		t.Errorf("presets are %v; want %v", names, want)
	}
}
