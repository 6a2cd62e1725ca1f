package providers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"
)

func TestBaseURL(t *testing.T) {
	for in, want := range map[string]string{
		"https://api.example.com/v1":                  "https://api.example.com/v1",
		" https://api.example.com/v1/ ":               "https://api.example.com/v1",
		"https://api.example.com/v1/chat/completions": "https://api.example.com/v1",
		"https://x.example/openai?api-version=1#top":  "https://x.example/openai?api-version=1",
		"http://127.0.0.1:8080/v1":                    "http://127.0.0.1:8080/v1",
		"http://[::1]:8080":                           "http://[::1]:8080",
		"http://localhost":                            "http://localhost",
		"http://10.1.2.3":                             "http://10.1.2.3",
		"http://[fd00::1]":                            "http://[fd00::1]",
		"http://ollama:11434/v1":                      "http://ollama:11434/v1",
		"http://box.local":                            "http://box.local",
		"http://api.example.com":                      `base_url of provider "p": http:// would send key and conversation in the clear to api.example.com; use https://, or set allow_insecure = true`,
		"http://8.8.8.8":                              `base_url of provider "p": http:// would send key and conversation in the clear to 8.8.8.8; use https://, or set allow_insecure = true`,
		"http://localhost.example.com":                `base_url of provider "p": http:// would send key and conversation in the clear to localhost.example.com; use https://, or set allow_insecure = true`,
		"":                                            `provider "p" has no base_url`,
		"api.example.com":                             `base_url of provider "p" is not an http or https URL`,
		"127.0.0.1:8080":                              `base_url of provider "p" is not an http or https URL`,
		"ftp://x":                                     `base_url of provider "p" is not an http or https URL`,
		"http://":                                     `base_url of provider "p" is not an http or https URL`,
		"https://x\x7f":                               `base_url of provider "p": net/url: invalid control character in URL`,
	} {
		u, err := Config{Name: "p", BaseURL: in}.base()
		got := fmt.Sprint(u)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

func TestPublicAddressIsRefused(t *testing.T) {
	for address, ok := range map[string]bool{"127.0.0.1:80": true, "[::1]:80": true, "[fe80::1%eth0]:80": true, "192.168.1.1:80": true,
		"100.64.1.1:80": true, "[::ffff:10.0.0.1]:80": true, "8.8.8.8:80": false, "[2001:4860::1]:80": false, "100.128.0.1:80": false,
		"[::ffff:8.8.8.8]:80": false, "x": false} {
		if err := refusePublic("tcp", address, nil); (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
	}
	if private(netip.Addr{}) {
		t.Error("no address at all is private")
	}
}

func TestResolve(t *testing.T) {
	env := func(name string) (string, bool) {
		value, ok := map[string]string{"SET": " k1\n", "EMPTY": ""}[name]
		return value, ok
	}
	run := func(_ context.Context, args []string) (string, error) {
		if args[0] == "fail" {
			return "", errors.New("exit status 1")
		}
		return strings.Join(args[1:], "|") + "\n", nil
	}
	for _, test := range []struct {
		config, key, err string
	}{
		{`api_key = "k0"`, "k0", ""},
		{`api_key_env = "SET"`, "k1", ""},
		{`api_key_command = ["echo", "a b"]`, "a b", ""},
		{`api_key_command = "echo a  b"`, "a|b", ""},
		{"api_key_env = 'EMPTY'\napi_key_command = 'echo k'", "k", ""},
		{`api_key_command = "echo"`, "", `api_key_command of provider "p": it printed nothing`},
		{`api_key_command = "fail"`, "", `api_key_command of provider "p": exit status 1`},
		{`api_key_env = "UNSET"`, "", "environment variable UNSET is not set"},
		{``, "", `provider "p" has no key`},
		{"base_url = 'http://127.0.0.1:1'\napi_key_env = 'UNSET'", "", ""},
		{`base_url = "http://localhost:1"`, "", ""},
		{`headers = { X-Api-Key = "$SET" }`, "", ""},
		{`headers = { X-Api-Key = "$UNSET" }`, "", "environment variable UNSET is not set"},
	} {
		c := Config{Name: "p"}
		if err := toml.Unmarshal([]byte(test.config), &c); err != nil {
			t.Fatal(err)
		}
		if c.BaseURL == "" {
			c.BaseURL = "https://api.example.com"
		}
		got, err := c.Resolve(t.Context(), env, run)
		if key := got.Key; key != test.key || (err != nil) != (test.err != "") || err != nil && err.Error() != test.err {
			t.Errorf("%s: got %q, %v", test.config, got.Key, err)
		}
	}
}

func TestHeadersFromTheEnvironment(t *testing.T) {
	env := func(name string) (string, bool) {
		value, ok := map[string]string{"TOKEN": "s3cret-s3cret\n", "A_1": "a"}[name]
		return value, ok
	}
	c := Config{Name: "p", Key: "k", BaseURL: "https://x.example", Headers: map[string]string{
		"Authorization": "Bearer $TOKEN", "X-Api-Key": "literal-secret", "X-Both": "${A_1}b$A_1", "X-Plain": "5$ or $5 or ${}", "X-Title": "tricode"}}
	got, err := c.Resolve(t.Context(), env, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"Authorization": "Bearer s3cret-s3cret", "X-Api-Key": "literal-secret", "X-Both": "aba", "X-Plain": "5$ or $5 or ${}", "X-Title": "tricode"}
	if !maps.Equal(got.Headers, want) || c.Headers["Authorization"] != "Bearer $TOKEN" {
		t.Errorf("got %q, the original has %q", got.Headers, c.Headers)
	}
	c.Key = ""
	if delete(c.Headers, "X-Api-Key"); c.HoldsKey() || !got.HoldsKey() {
		t.Error("a name of a variable is no secret, its value is")
	}
	client, err := New(got)
	if err != nil {
		t.Fatal(err)
	}
	if e := client.failure(401, []byte("no user s3cret-s3cret, literal-secret")); e.Message != "no user [key], [key]" {
		t.Errorf("the error says %q", e.Message)
	}
}

func TestModelOfTheConfiguration(t *testing.T) {
	var c Config
	err := toml.Unmarshal([]byte(`
model = "small"
temperature = 0
stream = false
timeout = "90s"
extra_body = { top_k = 5, stop = ["x"] }
[[models]]
id = "large"
[[models]]
id = "small"
context_window = 8192
supports_tools = false
input_price = 1
output_price = 2.5
`), &c)
	if err != nil {
		t.Fatal(err)
	}
	m := c.Chosen()
	if m.ContextWindow != 8192 || m.SupportsTools == nil || *m.SupportsTools || m.InputPrice != 1 || m.OutputPrice != 2.5 {
		t.Errorf("chosen %+v", m)
	}
	if c.Temperature == nil || *c.Temperature != 0 || c.Stream == nil || *c.Stream || time.Duration(c.Timeout) != 90*time.Second {
		t.Errorf("settings %+v", c)
	}
	if c.Model = "other"; c.Chosen().ID != "" {
		t.Errorf("chosen %+v, which is another one", c.Chosen())
	}
	if err := toml.Unmarshal([]byte("timeout = 'soon'"), &c); err == nil || err.Error() != `toml: "soon" is not a time such as "90s"` {
		t.Errorf("got %v", err)
	}
}

func TestVariables(t *testing.T) {
	c := Config{KeyEnv: "OWN", Headers: map[string]string{
		"X-User": "$USER on ${HOST}", "X-Team": "$TEAM_TOKEN", "Authorization": "Basic $CREDENTIALS", "X-Title": "plain",
	}}
	if got := strings.Join(c.Variables(), " "); got != "CREDENTIALS OWN TEAM_TOKEN" {
		t.Errorf("Variables() = %s, want those that hold keys", got)
	}
}
