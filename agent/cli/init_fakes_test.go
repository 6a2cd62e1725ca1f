package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// answers is a person who has made up their mind beforehand. Every answer names a part of the question it is for.
type answers struct {
	t     *testing.T
	queue [][2]string
	out   strings.Builder // what the person reads
}

func (a *answers) Line(_ context.Context, prompt, otherwise string) (string, error) {
	a.t.Helper()
	fmt.Fprintf(&a.out, "%s [%s]:\n", prompt, otherwise)
	if len(a.queue) == 0 {
		a.t.Errorf("unexpected question %q", prompt)
		return "", errLeft
	}
	next := a.queue[0]
	a.queue = a.queue[1:]
	if !strings.Contains(prompt, next[0]) {
		a.t.Errorf("asked %q; the answer is for %q", prompt, next[0])
		return "", errLeft
	}
	switch next[1] {
	case "^C":
		return "", errLeft
	case "":
		return otherwise, nil
	}
	return next[1], nil
}

func (a *answers) Secret(ctx context.Context, prompt string) (string, error) {
	return a.Line(ctx, prompt, "")
}

// server speaks chat completions in one of several moods.
type server struct {
	mood   string
	models []string
	key    string // what it wants to be given
	seen   []string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.seen = append(s.seen, r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization"))
	switch {
	case s.mood == "html":
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<html><title>Welcome</title></html>")
	case s.key != "" && r.Header.Get("Authorization") != "Bearer "+s.key:
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"error":{"message":"Incorrect API key provided"}}`)
	case r.URL.Path == "/v1/models" && s.mood == "no models":
		http.NotFound(w, r)
	case r.URL.Path == "/v1/models":
		var list []map[string]string
		for _, name := range s.models {
			list = append(list, map[string]string{"id": name})
		}
		json.NewEncoder(w).Encode(map[string]any{"data": list})
	case s.mood == "no such model":
		w.WriteHeader(http.StatusNotFound)
		io.WriteString(w, `{"error":{"message":"The model does not exist"}}`)
	default:
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, `data: {"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	}
}

// atOnce shows nothing: no server here takes long.
func atOnce(string) (stop func()) { return func() {} }
