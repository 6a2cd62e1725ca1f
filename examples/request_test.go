//go:build unix

package examples

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// maxFirstRequest bounds what every run sends before anything else: system prompt and schemas, in bytes.
const maxFirstRequest = 5600

func TestFirstRequestIsSmall(t *testing.T) {
	var size int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size, _ = io.Copy(io.Discard, r.Body)
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
	if size == 0 || size >= maxFirstRequest {
		t.Errorf("the first request has %d bytes, want less than %d", size, maxFirstRequest)
	}
	t.Logf("the first request has %d bytes", size)
}
