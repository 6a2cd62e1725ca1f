package providers

import (
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// TestSettings: what the configuration says is in every request, and nothing else is.
func TestSettings(t *testing.T) {
	const rest = `"messages":[{"role":"user","content":"hi"}]}`
	for _, test := range []struct{ config, want string }{
		{``, `{"model":"m","stream":true,"stream_options":{"include_usage":true},`},
		{`stream = true`, `{"model":"m","stream":true,"stream_options":{"include_usage":true},`},
		{`stream = false`, `{"model":"m","stream":false,`},
		{"stream = false\ntemperature = 0\nreasoning_effort = 'low'\nmax_tokens = 100",
			`{"model":"m","stream":false,"temperature":0,"reasoning_effort":"low","max_tokens":100,`},
		{"stream = false\ntemperature = 0.7\nextra_body = { top_k = 5, temperature = 1, 'a\"b' = [1.5, true, { c = 'x' }] }",
			`{"model":"m","stream":false,"a\"b":[1.5,true,{"c":"x"}],"temperature":1,"top_k":5,`},
		{"extra_body.stream_options = { }", `{"model":"m","stream":true,"stream_options":{},`},
		{"extra_body.model = 'x'", `extra_body of provider "p" cannot have model`},
		{"extra_body.messages = []", `extra_body of provider "p" cannot have messages`},
		{"extra_body.top_p = nan", `extra_body of provider "p": top_p cannot be sent as JSON`},
	} {
		var body string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			body = string(raw)
			io.WriteString(w, `{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}`)
		}))
		c := Config{Name: "p", BaseURL: server.URL, Model: "m"}
		if err := toml.Unmarshal([]byte(test.config), &c); err != nil {
			t.Fatal(err)
		}
		client, err := New(c)
		if err != nil {
			body = err.Error()
		} else if m, err := ask(client, t.Context()); err != nil || m.Text != "hi" {
			t.Errorf("%s: %q, %v", test.config, m.Text, err)
		}
		if body != test.want && body != test.want+rest {
			t.Errorf("%s: got %s, want %s", test.config, body, test.want)
		}
		server.Close()
	}
}

// TestMaxTokensByAnotherName: where a server wants the newer name it gets it, from then on.
func TestMaxTokensByAnotherName(t *testing.T) {
	var bodies []string
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(raw))
		if strings.Contains(string(raw), `"max_tokens"`) {
			w.WriteHeader(400)
			io.WriteString(w, `{"error":{"message":"'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}}`)
			return
		}
		io.WriteString(w, hi)
	})
	c.config.MaxTokens = 50
	c.encoder.settings, _ = c.config.settings()
	for range 2 {
		if _, err := ask(c, t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(bodies) != 3 || !strings.Contains(bodies[2], `"max_completion_tokens":50,`) {
		t.Errorf("sent %q", bodies)
	}
}

// TestStreamIsRefused: a server that does not stream is asked for the answer in one piece.
func TestStreamIsRefused(t *testing.T) {
	var bodies []string
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(raw))
		if strings.Contains(string(raw), `"stream"`) {
			w.WriteHeader(400)
			io.WriteString(w, `{"error":{"message":"Your organization must be verified to stream this model.","param":"stream","code":"unsupported_value"}}`)
			return
		}
		io.WriteString(w, `{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}`)
	})
	m, err := ask(c, t.Context())
	if err != nil || m.Text != "hi" || len(bodies) != 2 || strings.Contains(bodies[1], "stream_options") {
		t.Errorf("%q, %v; sent %q", m.Text, err, bodies)
	}
}

func TestTimeout(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		for r.Context().Err() == nil {
			io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n")
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
	})
	c.config.Timeout = Duration(50 * time.Millisecond)
	if _, err := ask(c, t.Context()); err == nil || err.Error() != "p: was not done after 50ms" {
		t.Errorf("got %v", err)
	}
}

// TestTrust: a server whose certificate is signed by nobody is talked to where the configuration says so.
func TestTrust(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, hi) }))
	defer server.Close()
	server.Config.ErrorLog = nil
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "ca.pem"), filepath.Join(dir, "empty.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(good, block, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bad, []byte("# none\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ file, want string }{
		{good, ""},
		{"", "certificate"},
		{bad, bad + " has no certificate in PEM"},
		{dir, dir + " is not a regular file"},
		{filepath.Join(dir, "none.pem"), "no such file"},
	} {
		c, err := New(Config{Name: "p", BaseURL: server.URL, Model: "m", CAFile: test.file})
		if err == nil {
			_, err = ask(c, t.Context())
			c.Close()
		}
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.file, err, test.want)
		}
	}
}

func TestProxy(t *testing.T) {
	var asked string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.String()
		io.WriteString(w, hi)
	}))
	defer proxy.Close()
	for _, test := range []struct{ proxy, want string }{
		{proxy.URL, ""},
		{"none", "cannot connect"},
		{"proxy.example.com", `proxy of provider "p" is neither "none" nor an http, https or socks5 URL`},
		{"ftp://x", `proxy of provider "p" is neither "none" nor an http, https or socks5 URL`},
	} {
		asked = ""
		c, err := New(Config{Name: "p", BaseURL: "http://model.invalid.localhost:1/v1", Model: "m", Proxy: test.proxy})
		if err == nil {
			c.pause = time.Microsecond
			_, err = ask(c, t.Context())
		}
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.proxy, err, test.want)
		}
		if err == nil && asked != "http://model.invalid.localhost:1/v1/chat/completions" {
			t.Errorf("the proxy was asked for %s", asked)
		}
	}
}

// TestRedirects: the same request at the same origin is followed, everything else is an error that says where to.
func TestRedirects(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("the other origin got %s with %v", r.URL, r.Header)
	}))
	defer other.Close()
	elsewhere, _ := url.Parse(other.URL)
	for _, test := range []struct {
		status   int
		location string
		want     string
	}{
		{307, "/v2/chat/completions/", ""},
		{308, "/v2/chat/completions/", ""},
		{302, "/v2/chat/completions/", "p: 302: redirects to "},
		{307, other.URL + "/v1", "p: 307: redirects to " + other.URL + "/v1; if that is right, make it the base_url"},
		{308, "//" + elsewhere.Host + "/v1", "p: 308: redirects to " + other.URL},
		{308, "https://" + elsewhere.Host, "p: 308: redirects to https://"},
		{307, "/v1/chat/completions", "p: 307: redirects to "},
	} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			if r.Header.Get("Authorization") == "" || r.Header.Get("X-Title") == "" || !strings.HasSuffix(string(raw), `"hi"}]}`) {
				t.Errorf("%s got %s with %v", r.URL, raw, r.Header)
			}
			if strings.HasPrefix(r.URL.Path, "/v2/") {
				io.WriteString(w, hi)
				return
			}
			w.Header().Set("Location", test.location)
			w.WriteHeader(test.status)
		})
		_, err := ask(c, t.Context())
		if (err == nil) != (test.want == "") || err != nil && !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%d to %s: %v, want %q", test.status, test.location, err, test.want)
		}
	}
}

func TestInsecureWhereAllowed(t *testing.T) {
	c := Config{Name: "p", BaseURL: "http://api.example.com", Model: "m", AllowInsecure: true}
	client, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	client.Close()
	c.AllowInsecure = false
	if _, err := New(c); err == nil {
		t.Error("the key would be sent in the clear")
	}
}
