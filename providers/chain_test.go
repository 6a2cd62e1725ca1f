package providers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// link is a link of a chain to a server.
func link(t *testing.T, name string, handler http.HandlerFunc) Link {
	c := serve(t, handler)
	c.config.Name, c.encoder.provider = name, name
	return Link{Name: name, Open: func(context.Context) (*Client, error) { return c, nil }}
}

func first(l Link) *Client {
	c, _ := l.Open(context.Background())
	return c
}

func TestChain(t *testing.T) {
	says := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, strings.Replace(hi, "hi", text, 1)) }
	}
	fails := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	cut := func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"h\"}}]}\n\n")
	}
	keyless := Link{Name: "b", Open: func(context.Context) (*Client, error) { return nil, &KeyError{Provider: "b", Env: "B"} }}
	for _, test := range []struct {
		name  string
		links []Link
		want  string // provider: text, error
		told  string // of what goes to another provider
	}{
		{"the first answers", []Link{link(t, "a", says("yes")), link(t, "b", says("no"))}, "a: yes, <nil>", ""},
		{"the first is down", []Link{link(t, "a", fails(503, "")), link(t, "b", says("yes"))}, "b: yes, <nil>",
			"a: 503: Service Unavailable; asking b instead"},
		{"cut off again and again", []Link{link(t, "a", cut), link(t, "b", says("yes"))}, "b: yes, <nil>",
			"a: the answer was cut off; asking b instead, from the beginning"},
		{"no money", []Link{link(t, "a", fails(429, `{"error":{"code":"insufficient_quota","message":"pay"}}`)), link(t, "b", says("yes"))},
			"b: yes, <nil>", "a: 429: pay; asking b instead"},
		{"a mistake is everybody's", []Link{link(t, "a", fails(400, "too long")), link(t, "b", says("no"))}, ": , a: 400: too long", ""},
		{"a wrong key is not hidden", []Link{link(t, "a", fails(401, "")), link(t, "b", says("no"))}, ": , a: 401: Unauthorized", ""},
		{"all are down", []Link{link(t, "a", fails(503, "")), link(t, "b", fails(500, ""))}, ": , b: 500: Internal Server Error",
			"a: 503: Service Unavailable; asking b instead"},
		{"the second has no key", []Link{link(t, "a", fails(503, "")), keyless, link(t, "c", says("yes"))}, "c: yes, <nil>",
			"a: 503: Service Unavailable; asking b instead b: environment variable B is not set; asking c instead"},
		{"the last has no key", []Link{link(t, "a", fails(503, "")), keyless}, ": , b: environment variable B is not set",
			"a: 503: Service Unavailable; asking b instead"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := NewChain(first(test.links[0]), test.links[1:]...)
			defer c.Close()
			var told []string
			m, err := c.Complete(t.Context(), Request{OnRetry: func(r Retry) error {
				if r.Next != "" {
					told = append(told, r.String())
				}
				return nil
			}}, func(string) error { return nil })
			if err != nil {
				m = Message{}
			}
			if got := fmt.Sprintf("%s: %s, %v", m.Provider, m.Text, err); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if got := strings.Join(told, " "); got != test.told {
				t.Errorf("told %q, want %q", got, test.told)
			}
		})
	}
}

// TestChainStays: who answered last is asked first, and gets nothing that only the other one understands.
func TestChainStays(t *testing.T) {
	var asked []string
	down := false
	a := link(t, "a", func(w http.ResponseWriter, _ *http.Request) {
		asked = append(asked, "a")
		if down {
			w.WriteHeader(503)
			return
		}
		io.WriteString(w, chunks("stop", `{"reasoning_content":"hm"}`, `{"content":"one"}`))
	})
	b := link(t, "b", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), "hm") {
			t.Errorf("b got %s", body)
		}
		asked = append(asked, "b")
		io.WriteString(w, hi)
	})
	c := NewChain(first(a), b)
	history := []Message{{Role: User, Text: "hi"}}
	for range 3 {
		m, err := c.Complete(t.Context(), Request{Messages: history}, nil)
		if err != nil {
			t.Fatal(err)
		}
		history = append(history, m, Message{Role: User, Text: "go on"})
		down = true
	}
	if got := strings.Join(asked, ""); got != "a"+strings.Repeat("a", maxTries)+"bb" {
		t.Errorf("asked %s", got)
	}
}

// TestChainEnds: a listener that wants no more, and a person who leaves.
func TestChainEnds(t *testing.T) {
	stop := errors.New("stop")
	busy := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }
	c := NewChain(first(link(t, "a", busy)), link(t, "b", busy))
	_, err := c.Complete(t.Context(), Request{OnRetry: func(r Retry) error {
		if r.Next != "" {
			return stop
		}
		return nil
	}}, nil)
	if err != stop {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Millisecond, stop)
	defer cancel()
	<-ctx.Done()
	if _, err := c.Complete(ctx, Request{}, nil); err != stop {
		t.Errorf("got %v", err)
	}
}
