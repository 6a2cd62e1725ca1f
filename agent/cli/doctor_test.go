package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// shared is a text that one writes and another reads.
type shared struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// What is known already is shown while a server is waited for.
func TestDoctorShowsWhatItKnows(t *testing.T) {
	out := &shared{}
	var once sync.Once
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		once.Do(func() {
			if known := out.String(); !strings.Contains(known, "keys") || strings.Contains(known, "providers") {
				t.Errorf("while it is waited for: %q", known)
			}
		})
		fmt.Fprint(w, `{"data":[{"id":"m"}]}`)
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(file, fmt.Appendf(nil, "[providers.p]\nbase_url = %q\nmodel = \"m\"\n", server.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &commandLine{Config: file, Output: "text"}
	c.Doctor.Check = []string{"configuration", "keys", "providers", "models"}
	if status, err := c.doctor(t.Context(), out); status != 0 || err != nil {
		t.Errorf("doctor = %d, %v: %s", status, err, out)
	}
	if !strings.Contains(out.String(), "OK    models") {
		t.Errorf("at the end: %s", out)
	}
}
