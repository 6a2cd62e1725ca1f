package providers

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestDebug(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Set-Cookie", "session=hidden-too")
		w.Header().Set("X-Request-Id", "r1")
		io.WriteString(w, hi)
	}))
	defer server.Close()
	c, err := New(Config{Name: "s", BaseURL: server.URL + "/v1?key=in-the-url", Model: "m", Key: "the-key", Headers: map[string]string{"X-Own": "the-header"}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var out bytes.Buffer
	c.Debug(&out)
	m, err := c.Complete(t.Context(), Request{Messages: []Message{{Role: User, Text: "how are you?"}}}, nil)
	if err != nil || m.Text != "hi" {
		t.Fatalf("Complete = %q, %v", m.Text, err)
	}
	for _, want := range []string{"POST " + server.URL + "/v1/chat/completions?[query]\n", "Authorization: [hidden]\n", "X-Own: [hidden]\n", `"content":"how are you?"`, "\n200 OK\n", "X-Request-Id: r1\n", hi} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	for _, secret := range []string{"the-key", "in-the-url", "the-header", "hidden-too"} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("%q is told:\n%s", secret, out.String())
		}
	}
	server.Close()
	out.Reset()
	if _, err := c.Models(t.Context()); err == nil || !strings.Contains(out.String(), "refused") {
		t.Errorf("Models = %v, written down:\n%s", err, out.String())
	}
}
