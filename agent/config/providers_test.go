package config

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tricode/providers"
)

func TestKeyring(t *testing.T) {
	for _, tt := range []struct {
		system, want string
	}{
		{"linux", "secret-tool lookup service my app username ann/b"},
		{"darwin", "security find-generic-password -w -s my app -a ann/b"},
		{"windows", ""},
	} {
		command, err := keyringCommand(tt.system, "my app", "ann/b")
		if got := strings.Join(command, " "); got != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%s: %q, %v; want %q", tt.system, got, err, tt.want)
		}
	}
}

func TestProviderPaths(t *testing.T) {
	p := written(t, "[providers.a]\nca_file = '~/ca.pem'\n[providers.b]\nca_file = 'ca.pem'\n[providers.c]\nca_file = '/etc/ca.pem'")
	cfg, err := Load(p)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a": "/home/ann/ca.pem", "b": filepath.Join(filepath.Dir(p.File), "ca.pem"), "c": "/etc/ca.pem"} {
		if got := cfg.Providers[name].CAFile; got != want {
			t.Errorf("ca_file of %s is %q, want %q", name, got, want)
		}
	}
}

// A key of the configuration never goes to another origin because of a variable, one of the environment goes where the
// environment or the configuration says.
func TestEnviron(t *testing.T) {
	own := providers.Config{
		Name: "my.ai", BaseURL: "https://ai.example/v1", Key: "k", KeyEnv: "K", KeyCommand: []string{"k"}, Model: "m",
		Headers: map[string]string{"X": "y"}, Query: map[string]string{"a": "b"}, ExtraBody: map[string]any{"c": 1},
	}
	with := func(change func(p *providers.Config)) providers.Config {
		p := own
		change(&p)
		return p
	}
	bare := providers.Config{Name: "my.ai", Model: "m"}
	for _, tt := range []struct {
		name string
		env  map[string]string
		want providers.Config
	}{
		{"nothing", nil, own},
		{"another name", map[string]string{"TRICODE_MYAI_BASE_URL": "https://evil.example"}, own},
		{"model", map[string]string{"TRICODE_MY_AI_MODEL": "n"}, with(func(p *providers.Config) { p.Model = "n" })},
		{"key", map[string]string{"TRICODE_MY_AI_API_KEY": "s"}, with(func(p *providers.Config) { p.Key, p.KeyEnv, p.KeyCommand = "", "TRICODE_MY_AI_API_KEY", nil })},
		{"same origin", map[string]string{"TRICODE_MY_AI_BASE_URL": "https://AI.example:443/v2"}, with(func(p *providers.Config) { p.BaseURL = "https://AI.example:443/v2" })},
		{"another host", map[string]string{"TRICODE_MY_AI_BASE_URL": "https://evil.example/v1"}, providers.Config{Name: bare.Name, Model: bare.Model, BaseURL: "https://evil.example/v1"}},
		{"another port", map[string]string{"TRICODE_MY_AI_BASE_URL": "https://ai.example:444/v1"}, providers.Config{Name: bare.Name, Model: bare.Model, BaseURL: "https://ai.example:444/v1"}},
		{"another scheme", map[string]string{"TRICODE_MY_AI_BASE_URL": "http://ai.example/v1"}, providers.Config{Name: bare.Name, Model: bare.Model, BaseURL: "http://ai.example/v1"}},
		{"what is no URL", map[string]string{"TRICODE_MY_AI_BASE_URL": "https://ai.example\x00@evil/"}, providers.Config{Name: bare.Name, Model: bare.Model, BaseURL: "https://ai.example\x00@evil/"}},
		{"both", map[string]string{"TRICODE_MY_AI_BASE_URL": "https://b.example", "TRICODE_MY_AI_API_KEY": "s"},
			providers.Config{Name: bare.Name, Model: bare.Model, BaseURL: "https://b.example", KeyEnv: "TRICODE_MY_AI_API_KEY"}},
	} {
		cfg := Config{Providers: map[string]providers.Config{"my.ai": own}}
		cfg.Environ(func(name string) string { return tt.env[name] })
		if got := cfg.Providers["my.ai"]; !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v\nwant %+v", tt.name, got, tt.want)
		}
	}
	var cfg Config
	env := map[string]string{"TRICODE_OPENAI_API_KEY": "s"}
	cfg.Environ(func(name string) string { return env[name] }, providers.Config{Name: "openai", BaseURL: "https://o"}, providers.Config{Name: "other"})
	if want := (map[string]providers.Config{"openai": {Name: "openai", BaseURL: "https://o", KeyEnv: "TRICODE_OPENAI_API_KEY"}}); !reflect.DeepEqual(cfg.Providers, want) {
		t.Errorf("without a file: %+v, want %+v", cfg.Providers, want)
	}
}
