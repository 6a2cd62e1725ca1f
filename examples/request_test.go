//go:build unix

package examples

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// maxFirstRequest bounds what every run sends before anything else: system prompt and schemas, in bytes.
const maxFirstRequest = 5600

func TestFirstRequestIsSmall(t *testing.T) {
	var request []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request, _ = io.ReadAll(r.Body)
		io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"Hello."},"finish_reason":"stop"}]}`)
	}))
	defer server.Close()
	dir := t.TempDir()
	config := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(config, []byte("providers.local = { base_url = \""+server.URL+"\", model = \"m\" }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := tricode("--config", config, "Create test.txt and run tests")
	cmd.Dir = dir
	cmd.Env = append(cmd.Env, "XDG_STATE_HOME="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const usual = "/tmp/TestFirstRequestIsSmall1234567890/001" // not where this machine has its temporary files
	size := len(bytes.ReplaceAll(request, []byte(dir), []byte(usual)))
	if size == 0 || size >= maxFirstRequest {
		t.Errorf("the first request has %d bytes, want less than %d", size, maxFirstRequest)
	}
	t.Logf("the first request has %d bytes", size)
}

// What was sent once is sent again byte for byte, with more behind it, so that servers find it in their caches: within a run,
// and by one that goes on with it.
func TestRequestsOnlyGrow(t *testing.T) {
	const first, turns = 8, 12
	var mu sync.Mutex
	var bodies [][]byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		bodies = append(bodies, body)
		call := `,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"config.toml\"}"}}]`
		if len(bodies) == first || len(bodies) == turns {
			call = ""
		} else {
			call = fmt.Sprintf(call, len(bodies))
		}
		fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","content":"Hello <&> é."%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":%d}}`, call, len(body)/4)
	}))
	defer server.Close()
	dir := t.TempDir()
	config := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(config, []byte("providers.local = { base_url = \""+server.URL+"\", model = \"m\" }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, run := range []struct {
		args []string
		sent int // requests until it ends
	}{{[]string{"look"}, first}, {[]string{"--continue", "go on"}, turns}} {
		cmd := tricode(append([]string{"--config", config, "--bypass-permission"}, run.args...)...)
		cmd.Dir = dir
		cmd.Env = append(cmd.Env, "XDG_STATE_HOME="+dir)
		out, err := cmd.CombinedOutput()
		mu.Lock()
		sent := len(bodies)
		mu.Unlock()
		if err != nil || sent != run.sent {
			t.Fatalf("%v after %d requests: %s", err, sent, out)
		}
	}
	for i := 1; i < turns; i++ {
		before, whole := bytes.CutSuffix(bodies[i-1], []byte("]}"))
		if !whole || !bytes.HasPrefix(bodies[i], append(before, ',')) {
			t.Errorf("request %d does not begin with the one before:\n%s\n%s", i+1, bodies[i-1], bodies[i])
		}
	}
}
