package cli

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tricode/agent/config"
)

var errLeft = errors.New("the person left")

// setting is what TestInit varies.
type setting struct {
	server  server
	preset  preset
	env     map[string]string
	before  string // a configuration that is there already
	answers [][2]string
}

// initialise runs tricode init and returns what was written and what the person read.
func initialise(t *testing.T, tt *setting) (written string, read string, paths config.Paths, err error) {
	t.Helper()
	web := httptest.NewServer(&tt.server)
	t.Cleanup(web.Close)
	home := t.TempDir()
	t.Setenv("HOME", home)
	paths, err = config.Locate("", func(name string) string {
		return map[string]string{"XDG_CONFIG_HOME": filepath.Join(home, "config")}[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	if tt.before != "" {
		if err := os.MkdirAll(filepath.Dir(paths.File), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(paths.File, []byte(tt.before), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if tt.preset.name != "other" {
		tt.preset.baseURL = web.URL + "/v1"
	}
	for i := range tt.answers {
		tt.answers[i][1] = strings.ReplaceAll(tt.answers[i][1], "$URL", web.URL)
	}
	person := &answers{t: t, queue: tt.answers}
	err = runInit(t.Context(), person, setup{
		waiting: atOnce, paths: paths, env: func(name string) string { return tt.env[name] }, out: &person.out,
		presets: []preset{{name: "first", title: "First", baseURL: "https://first.invalid", keyEnv: "FIRST_KEY", keyPage: "x"}, tt.preset},
	})
	if len(person.queue) > 0 {
		t.Errorf("not asked: %q", person.queue)
	}
	data, _ := os.ReadFile(paths.File)
	return strings.ReplaceAll(string(data), web.URL, "$URL"), strings.ReplaceAll(person.out.String(), web.URL, "$URL"), paths, err
}

const head = "# Made by \"tricode init\"; yours to change.\nprovider = "

func TestInit(t *testing.T) {
	hosted := preset{name: "acme", title: "Acme", keyEnv: "ACME_KEY", keyPage: "https://acme.example/keys"}
	local := preset{name: "ollama", title: "Ollama", local: true}
	several := []string{"big", "small"}
	many := []string{"needle-1", "needle-2"}
	for i := range 30 {
		many = append(many, fmt.Sprintf("hay-%02d", i))
	}
	for _, tt := range []struct {
		name string
		setting
		want  string   // the configuration
		reads []string // what the person reads, among other things
	}{
		{
			name: "hosted, key typed",
			setting: setting{preset: hosted, server: server{models: several, key: "sk-1"},
				answers: [][2]string{{"Number or name", "acme"}, {"https://acme.example/keys", "sk-1"}, {"Model", "2"}}},
			want:  head + "\"acme\"\n\n[providers.acme]\nbase_url = \"$URL/v1\"\napi_key = \"sk-1\"\nmodel = \"small\"\n",
			reads: []string{"   2  acme        Acme\n", "   1  big\n   2  small\n", "Saved in", `Next: tricode "explain this directory"`},
		},
		{
			name: "hosted, key in the environment",
			setting: setting{preset: hosted, server: server{models: several, key: "sk-1"}, env: map[string]string{"ACME_KEY": "sk-1\n"},
				answers: [][2]string{{"Number or name", ""}, {"ACME_KEY is set", ""}, {"Model", "big"}}},
			want:  head + "\"acme\"\n\n[providers.acme]\nbase_url = \"$URL/v1\"\napi_key_env = \"ACME_KEY\"\nmodel = \"big\"\n",
			reads: []string{"   1  acme        Acme (ACME_KEY is set)\n"},
		},
		{
			name: "key in the environment not wanted",
			setting: setting{preset: hosted, server: server{models: several, key: "sk-2"}, env: map[string]string{"ACME_KEY": "sk-1"},
				answers: [][2]string{{"Number or name", "1"}, {"ACME_KEY is set", "n"}, {"Key", "sk-2"}, {"Model", "big"}}},
			want: head + "\"acme\"\n\n[providers.acme]\nbase_url = \"$URL/v1\"\napi_key = \"sk-2\"\nmodel = \"big\"\n",
		},
		{
			name: "keys that are none",
			setting: setting{preset: hosted, server: server{models: several, key: "sk-1"},
				answers: [][2]string{{"Number or name", "9"}, {"Number or name", "acme"}, {"Key", ""}, {"Key", "sk 1"}, {"Key", "sk-1"}, {"Model", "big"}}},
			want:  head + "\"acme\"\n\n[providers.acme]\nbase_url = \"$URL/v1\"\napi_key = \"sk-1\"\nmodel = \"big\"\n",
			reads: []string{"That is none of them.", "Acme needs a key", "That is no key"},
		},
		{
			name: "local, found, with one model",
			setting: setting{preset: local, server: server{models: []string{"qwen"}},
				answers: [][2]string{{"Number or name", ""}, {"Model", ""}}},
			want:  head + "\"ollama\"\n\n[providers.ollama]\nbase_url = \"$URL/v1\"\nmodel = \"qwen\"\n",
			reads: []string{"   1  ollama      Ollama, on this machine: it answers at $URL/v1\n"},
		},
		{
			name: "local that wants a key after all",
			setting: setting{preset: local, server: server{models: []string{"qwen"}, key: "k"},
				answers: [][2]string{{"Number or name", "ollama"}, {"try again", "1"}, {"Key", "k"}, {"Model", ""}}},
			want:  head + "\"ollama\"\n\n[providers.ollama]\nbase_url = \"$URL/v1\"\napi_key = \"k\"\nmodel = \"qwen\"\n",
			reads: []string{"ollama: 401: Incorrect API key provided"},
		},
		{
			name: "wrong key, then the right one",
			setting: setting{preset: hosted, server: server{models: several, key: "sk-1"},
				answers: [][2]string{{"Number or name", "acme"}, {"Key", "wrong"}, {"try again", ""}, {"Key", "sk-1"}, {"Model", "big"}}},
			want:  head + "\"acme\"\n\n[providers.acme]\nbase_url = \"$URL/v1\"\napi_key = \"sk-1\"\nmodel = \"big\"\n",
			reads: []string{"acme: 401: Incorrect API key provided"},
		},
		{
			name: "wrong key, saved anyway",
			setting: setting{preset: hosted, server: server{key: "sk-1"},
				answers: [][2]string{{"Number or name", "acme"}, {"Key", "wrong"}, {"try again", "2"}, {"Model", "m"}}},
			want: head + "\"acme\"\n\n[providers.acme]\nbase_url = \"$URL/v1\"\napi_key = \"wrong\"\nmodel = \"m\"\n",
		},
		{
			name: "no list of models",
			setting: setting{preset: hosted, server: server{mood: "no models", key: "sk-1"},
				answers: [][2]string{{"Number or name", "acme"}, {"Key", "sk-1"}, {"Model, by the name", ""}, {"Model, by the name", "m"}}},
			want:  head + "\"acme\"\n\n[providers.acme]\nbase_url = \"$URL/v1\"\napi_key = \"sk-1\"\nmodel = \"m\"\n",
			reads: []string{"The server does not list its models (acme: 404: "},
		},
		{
			name: "many models",
			setting: setting{preset: local, server: server{models: many},
				answers: [][2]string{{"Number or name", "ollama"}, {"Model", "hay"}, {"Model", "NEEDLE"}, {"Model", "2"}}},
			want:  head + "\"ollama\"\n\n[providers.ollama]\nbase_url = \"$URL/v1\"\nmodel = \"needle-2\"\n",
			reads: []string{"The server has 32 models", "  20  hay-19\n      and 10 more\n", "   1  needle-1\n   2  needle-2\n"},
		},
		{
			name: "a model that is not listed",
			setting: setting{preset: local, server: server{models: several},
				answers: [][2]string{{"Number or name", "ollama"}, {"Model", "huge"}, {"does not list", "n"}, {"Model", "huge"}, {"does not list", "y"}}},
			want: head + "\"ollama\"\n\n[providers.ollama]\nbase_url = \"$URL/v1\"\nmodel = \"huge\"\n",
		},
		{
			name: "other, with a wrong URL first",
			setting: setting{preset: preset{name: "other", title: "any"}, server: server{models: several},
				answers: [][2]string{{"Number or name", "other"}, {"Base URL", "ftp://x"}, {"Base URL", "$URL/v1"}, {"Enter for none", ""}, {"Model", "big"}}},
			want:  head + "\"other\"\n\n[providers.other]\nbase_url = \"$URL/v1\"\nmodel = \"big\"\n",
			reads: []string{`base_url of provider "other" is not an http or https URL`},
		},
		{
			name: "a configuration that is replaced",
			setting: setting{preset: local, server: server{models: several}, before: "[providers.old]\nmodel = 'm'\n",
				answers: [][2]string{{"config.toml.bak", "y"}, {"Number or name", "ollama"}, {"Model", "big"}}},
			want:  head + "\"ollama\"\n\n[providers.ollama]\nbase_url = \"$URL/v1\"\nmodel = \"big\"\n",
			reads: []string{"There is a configuration already", "old (m)", "The old configuration is kept as ~/config/tricode/config.toml.bak."},
		},
		{
			name:    "a configuration that stays",
			setting: setting{preset: local, before: "# mine\n", answers: [][2]string{{"config.toml.bak", ""}}},
			want:    "# mine\n",
			reads:   []string{"no provider in it", "Nothing was changed."},
		},
		{
			name:    "a broken configuration",
			setting: setting{preset: local, before: "broken", answers: [][2]string{{"config.toml.bak", "n"}}},
			want:    "broken",
			reads:   []string{"config.toml:1:6: expected '=' after key"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			written, read, _, err := initialise(t, &tt.setting)
			if err != nil || written != tt.want {
				t.Errorf("runInit = %v, wrote\n%s\nwant\n%s", err, written, tt.want)
			}
			for _, want := range tt.reads {
				if !strings.Contains(read, want) {
					t.Errorf("the person does not read %q in\n%s", want, read)
				}
			}
		})
	}
}

type nobody struct{}
