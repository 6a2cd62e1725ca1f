package providers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// serve starts a server, which answers one request after the other, and returns a client of it that does not wait long.
func serve(t *testing.T, handler http.HandlerFunc) *Client {
	t.Helper()
	var turn sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		turn.Lock()
		defer turn.Unlock()
		handler(w, r)
	}))
	c, err := New(Config{Name: "p", BaseURL: server.URL + "/v1/", Model: "o1-real", Key: "sk-123456789",
		Headers: map[string]string{"X-Title": "t"}, Query: map[string]string{"api-version": "7 a"}})
	if err != nil {
		t.Fatal(err)
	}
	c.pause = time.Microsecond
	t.Cleanup(func() { c.Close(); server.Close() })
	return c
}

func ask(c *Client, ctx context.Context) (Message, error) { return asking(c, ctx, nil) }

func asking(c *Client, ctx context.Context, told func(Retry) error) (Message, error) {
	return c.Complete(ctx, Request{Messages: []Message{{Role: User, Text: "hi"}}, OnRetry: told}, nil)
}

func TestRequest(t *testing.T) {
	var got *http.Request
	var body []byte
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		io.WriteString(w, hi)
	})
	c.UserAgent = "tricode/1"
	_, err := c.Complete(t.Context(), Request{
		Messages: []Message{
			{Role: System, Text: "be <good> & \"kind\""},
			{Role: User, Text: ""},
			{Role: Assistant, Calls: []Call{
				{ID: "c1", Name: "f", Arguments: `{"a": 1}`, Extra: map[string]json.RawMessage{"extra_content": json.RawMessage(`{"google": {"s":1}}`)}},
				{ID: "c2", Name: "functions.f g", Arguments: ""},
				{ID: "c3", Name: "", Arguments: "rm <x>"},
			}, Extra: map[string]json.RawMessage{"reasoning_content": json.RawMessage(`"hm"`), "a": json.RawMessage("1")}},
			{Role: ToolRole, CallID: "c1"},
			{Role: Assistant, Text: "so", Usage: Usage{Input: 1, Output: 2}, Finish: "stop"},
		},
		Tools: []Tool{{"f", "does <f>", []byte(`{"type": "object"}`)}, {Name: "g"}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"model":"o1-real","stream":true,"stream_options":{"include_usage":true},"tools":[` +
		`{"type":"function","function":{"name":"f","description":"does <f>","parameters":{"type":"object"}}},` +
		`{"type":"function","function":{"name":"g","parameters":{"type":"object","properties":{}}}}],"messages":[` +
		`{"role":"system","content":"be <good> & \"kind\""},` +
		`{"role":"user","content":""},` +
		`{"role":"assistant","content":null,"tool_calls":[` +
		`{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\": 1}"},"extra_content":{"google":{"s":1}}},` +
		`{"id":"c2","type":"function","function":{"name":"functions_f_g","arguments":"{}"}},` +
		`{"id":"c3","type":"function","function":{"name":"unknown","arguments":"{\"malformed\":\"rm \\u003cx\\u003e\"}"}}],"a":1,"reasoning_content":"hm"},` +
		`{"role":"tool","content":"(no output)","tool_call_id":"c1"},` +
		`{"role":"assistant","content":"so"}]}`
	if string(body) != want {
		t.Errorf("got  %s\nwant %s", body, want)
	}
	if got.URL.String() != "/v1/chat/completions?api-version=7+a" || got.ContentLength != int64(len(want)) {
		t.Errorf("%s with %d bytes", got.URL, got.ContentLength)
	}
	for name, want := range map[string]string{"Authorization": "Bearer sk-123456789", "X-Title": "t", "User-Agent": "tricode/1",
		"Content-Type": "application/json", "Accept": "text/event-stream", "Accept-Encoding": ""} {
		if got.Header.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, got.Header.Get(name), want)
		}
	}
}

// TestPrefix: what was sent stays what it was, and is not encoded again.
func TestPrefix(t *testing.T) {
	e := encoder{settings: []field{{"model", []byte(`"m"`)}}}
	send := func(messages []Message, tools ...Tool) []byte {
		b, err := e.encode(Request{Messages: messages, Tools: tools})
		if err != nil {
			t.Fatal(err)
		}
		all, _ := io.ReadAll(b.reader())
		if int64(len(all)) != b.size() {
			t.Errorf("%d bytes, said to be %d", len(all), b.size())
		}
		return all
	}
	var history []Message
	last := []byte(`{"model"`)
	for i := range 50 {
		history = append(history, Message{Role: User, Text: fmt.Sprint("question ", i)}, Message{Role: Assistant, Text: "answer"})
		now := send(history)
		if !bytes.HasPrefix(now, bytes.TrimSuffix(last, []byte("]}"))) {
			t.Fatalf("%s does not go on from %s", now, last)
		}
		last = now
	}
	if n := testing.AllocsPerRun(10, func() { e.encode(Request{Messages: history}) }); n > 2 {
		t.Errorf("%v allocations for nothing new", n)
	}
	kept, _ := e.encode(Request{Messages: history})
	other := append([]Message{}, history...)
	other[70].Text = "changed"
	fresh := encoder{settings: []field{{"model", []byte(`"m"`)}}}
	want, _ := fresh.encode(Request{Messages: other[:80]})
	wantBytes, _ := io.ReadAll(want.reader())
	if got := send(other[:80]); !bytes.Equal(got, wantBytes) {
		t.Errorf("got  %s\nwant %s", got, wantBytes)
	}
	if all, _ := io.ReadAll(kept.reader()); !bytes.Equal(all, last) {
		t.Error("a body that may still be on its way was written to")
	}
	if got := send(other[:80], Tool{Name: "f"}); !strings.Contains(string(got), `"name":"f"`) {
		t.Errorf("new tools are missing: %s", got)
	}
}

func TestRefused(t *testing.T) {
	for _, test := range []struct {
		name   string
		status int
		header string
		body   string
		want   Error
	}{
		{"401", 401, "", `{"error":{"message":"Incorrect API key provided: sk-123456789.\nTry","code":"invalid_api_key","type":"x"}}`,
			Error{Status: 401, Code: "invalid_api_key", Message: "Incorrect API key provided: [key]. Try"}},
		{"404", 404, "", `{"error":"model 'x' not found"}`, Error{Status: 404, Message: "model 'x' not found"}},
		{"429", 429, "Retry-After: 1200", `{"message":"slow down"}`, Error{Status: 429, Message: "asks to wait 20m0s: slow down", RetryAfter: 20 * time.Minute}},
		{"quota", 429, "", `{"error":{"message":"no money","code":"insufficient_quota"}}`, Error{Status: 429, Code: "insufficient_quota", Message: "no money"}},
		{"422", 422, "", `{"detail":[{"loc":["body","x"],"msg":"field required","type":"missing"}]}`, Error{Status: 422, Code: "missing", Message: "field required"}},
		{"list", 400, "", `[{"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT"}}]`,
			Error{Status: 400, Code: "INVALID_ARGUMENT", Message: "API key not valid"}},
		{"no message", 400, "", `{"error":{}}`, Error{Status: 400, Message: "Bad Request"}},
		{"HTML", 403, "", "<html><head><title>Blocked</title>", Error{Status: 403, Message: "a web page instead of an answer: Blocked"}},
		{"text", 400, "", "no\r\n way ", Error{Status: 400, Message: "no way"}},
		{"empty", 405, "", "", Error{Status: 405, Message: "Method Not Allowed"}},
		{"redirect", 307, "Location: https://u:p@elsewhere.example/v2?key=1", "",
			Error{Status: 307, Message: "redirects to https://elsewhere.example/v2; if that is right, make it the base_url"}},
		{"very long", 400, "", strings.Repeat("é", 1000), Error{Status: 400, Message: strings.Repeat("é", 248) + "…"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if name, value, ok := strings.Cut(test.header, ": "); ok {
					w.Header().Set(name, value)
				}
				w.WriteHeader(test.status)
				io.WriteString(w, test.body)
			})
			_, err := asking(c, t.Context(), func(r Retry) error { t.Error(r); return nil })
			var got *Error
			if !errors.As(err, &got) {
				t.Fatalf("got %v", err)
			}
			test.want.Provider = "p"
			if *got != test.want {
				t.Errorf("got  %+v\nwant %+v", *got, test.want)
			}
		})
	}
}

func TestHugeErrorIsNotRead(t *testing.T) {
	var sent atomic.Int64
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(400)
		block := bytes.Repeat([]byte("x"), 1<<20)
		for range 200 {
			n, err := w.Write(block)
			sent.Add(int64(n))
			if err != nil {
				return
			}
		}
	})
	_, err := ask(c, t.Context())
	c.Close()
	if err == nil || len(err.Error()) > 600 || sent.Load() > 50<<20 {
		t.Errorf("%d bytes read, error %v", sent.Load(), err)
	}
}

func TestRetry(t *testing.T) {
	fail := func(status int, header ...string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			if header != nil {
				w.Header().Set(header[0], header[1])
			}
			w.WriteHeader(status)
		}
	}
	say := func(body string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) { io.WriteString(w, body) }
	}
	drop := func(w http.ResponseWriter) { panic(http.ErrAbortHandler) }
	for _, test := range []struct {
		name    string
		answers []func(http.ResponseWriter)
		tries   int
		ok      bool
	}{
		{"503, 429, answer", []func(http.ResponseWriter){fail(503), fail(429), say(hi)}, 3, true},
		{"Retry-After", []func(http.ResponseWriter){fail(429, "Retry-After", "0.01"), say(hi)}, 2, true},
		{"Retry-After-Ms", []func(http.ResponseWriter){fail(529, "Retry-After-Ms", "10"), say(hi)}, 2, true},
		{"six times at most", []func(http.ResponseWriter){fail(500), fail(502), fail(503), fail(504), fail(500), fail(529), say(hi)}, 6, false},
		{"not after 400", []func(http.ResponseWriter){fail(400), say(hi)}, 1, false},
		{"dropped connection", []func(http.ResponseWriter){drop, say(hi)}, 2, true},
		{"nothing at all", []func(http.ResponseWriter){say(""), say(hi)}, 2, true},
		{"overloaded before the answer", []func(http.ResponseWriter){say("data: {\"error\":{\"type\":\"overloaded_error\",\"message\":\"x\"}}\n\n"), say(hi)}, 2, true},
		{"503 before the answer", []func(http.ResponseWriter){say("data: {\"error\":{\"code\":503,\"message\":\"x\"}}\n\n"), say(hi)}, 2, true},
		{"503 within an answer", []func(http.ResponseWriter){say("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"error\":{\"code\":503}}\n\n"), say(hi)}, 2, true},
		{"a cut answer", []func(http.ResponseWriter){say("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n"), say(hi)}, 2, true},
		{"a cut call", []func(http.ResponseWriter){say("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"f\"}}]}}]}\n\n"), say(hi)}, 2, true},
		{"refused within an answer", []func(http.ResponseWriter){say("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"error\":{\"code\":400}}\n\n"), say(hi)}, 1, false},
		{"not after a web page", []func(http.ResponseWriter){say("<html><title>Log in</title>"), say(hi)}, 1, false},
		{"an error of no kind", []func(http.ResponseWriter){say("data: {\"error\":\"out of memory\"}\n\n"), say(hi)}, 2, true},
		{"an empty answer", []func(http.ResponseWriter){say("data: [DONE]\n\n"), say(hi)}, 2, true},
		{"an answer that a filter took", []func(http.ResponseWriter){say(chunks("content_filter")), say(hi)}, 1, false},
		{"broken JSON", []func(http.ResponseWriter){say("data: {\"choices\"\n\ndata: {}\n\n"), say(hi)}, 2, true},
		{"409 and 408", []func(http.ResponseWriter){fail(409), fail(408), say(hi)}, 3, true},
		{"a quota that is used up", []func(http.ResponseWriter){say(`{"error":{"code":"insufficient_quota"}}`), say(hi)}, 1, false},
		{"without what was refused", []func(http.ResponseWriter){
			func(w http.ResponseWriter) {
				w.WriteHeader(400)
				io.WriteString(w, `{"error":"unknown field stream_options"}`)
			}, say(hi)}, 2, true},
		{"the same refused again", []func(http.ResponseWriter){
			func(w http.ResponseWriter) {
				w.WriteHeader(400)
				io.WriteString(w, `{"error":"unknown field stream_options"}`)
			},
			func(w http.ResponseWriter) {
				w.WriteHeader(400)
				io.WriteString(w, `{"error":"unknown field stream_options"}`)
			}, say(hi)}, 2, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			tries := 0
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if !bytes.HasPrefix(body, []byte(`{"model":"o1-real"`)) || !bytes.HasSuffix(body, []byte(`"hi"}]}`)) {
					t.Errorf("try %d sent %q", tries, body)
				}
				tries++
				test.answers[tries-1](w)
			})
			m, err := ask(c, t.Context())
			if tries != test.tries || (err == nil) != test.ok || test.ok && m.Text != "hi" {
				t.Errorf("%d tries, %q, %v", tries, m.Text, err)
			}
		})
	}
}

func TestRetryIsTold(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "50")
		w.WriteHeader(503)
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	_, err := asking(c, ctx, func(r Retry) error {
		if r.String() != "p: 503: Service Unavailable; asking again in 50s" || r.Wait != 50*time.Second || r.Void {
			t.Errorf("told %+v", r)
		}
		cancel(stop)
		return nil
	})
	if err != stop {
		t.Errorf("got %v", err)
	}
	if _, err := asking(c, t.Context(), func(r Retry) error { return stop }); err != stop {
		t.Errorf("got %v, want what the listener says", err)
	}
}

// TestRetryVoidsText: who shows the text while it arrives learns that it begins anew.
func TestRetryVoidsText(t *testing.T) {
	tries := 0
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if tries++; tries < 3 {
			io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"h\"}}]}\n\n")
			return
		}
		io.WriteString(w, hi)
	})
	var seen string
	told := func(r Retry) error {
		if !r.Void || !strings.HasSuffix(r.String(), ", from the beginning") {
			t.Errorf("told %+v", r)
		}
		seen += "|"
		return nil
	}
	m, err := c.Complete(t.Context(), Request{OnRetry: told}, func(s string) error { seen += s; return nil })
	if err != nil || m.Text != "hi" || seen != "h|h|hi" {
		t.Errorf("got %q, %v; seen %q", m.Text, err, seen)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for value, want := range map[string]time.Duration{"": 0, "7": 7 * time.Second, "1.5": 1500 * time.Millisecond, "-1": 0, "NaN": 0,
		"1e300": 365 * 24 * time.Hour, "Fri, 02 Jan 2026 03:05:05 GMT": time.Minute, "Fri, 02 Jan 2026 03:04:00 GMT": 0, "soon": 0,
		"Fri, 31 Dec 9999 23:59:59 GMT": 1<<63 - 1, "1e18": 365 * 24 * time.Hour, "-1e18": 0, "+Inf": 365 * 24 * time.Hour} {
		if got := retryAfter(http.Header{"Retry-After": {value}}, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

func TestWaitsAreBounded(t *testing.T) {
	c := Client{pause: time.Second}
	for try := 1; try < maxTries; try++ {
		for range 100 {
			if w, most := c.wait(try, &Error{}), time.Second<<(try-1); w < most/2 || w > most {
				t.Fatalf("try %d waits %v", try, w)
			}
		}
	}
}

func TestUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	c, _ := New(Config{Name: "p", BaseURL: "http://" + l.Addr().String(), Model: "m"})
	c.pause = time.Microsecond
	tries := 1
	_, err = asking(c, t.Context(), func(Retry) error { tries++; return nil })
	if tries != 3 || err == nil || !strings.HasPrefix(err.Error(), "p: cannot connect to "+l.Addr().String()+": ") {
		t.Errorf("%d tries, %v", tries, err)
	}
}

// TestNetworkThatIsAway: a server that was there is waited for longer than one that nobody has seen.
func TestNetworkThatIsAway(t *testing.T) {
	c := played(func() io.Reader { return strings.NewReader(hi) })
	c.longest = time.Second
	here := c.http.Transport
	away := roundTrip(func(*http.Request) (*http.Response, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "api", IsNotFound: true}}
	})
	c.pause = time.Microsecond
	tries := func() (n int, err error) {
		_, err = asking(c, t.Context(), func(Retry) error { n++; return nil })
		return n + 1, err
	}
	c.http.Transport = away
	if n, err := tries(); n != 1 || err == nil {
		t.Errorf("a name that never was: %d tries, %v", n, err)
	}
	c.http.Transport = here
	if n, err := tries(); n != 1 || err != nil {
		t.Errorf("%d tries, %v", n, err)
	}
	c.http.Transport = away
	if n, err := tries(); n != maxTries || err == nil {
		t.Errorf("a name that was there: %d tries, %v", n, err)
	}
}

func TestSilence(t *testing.T) {
	for _, test := range []struct{ name, sent, text, err string }{
		{"from the start", "", "", "p: sent nothing for 5m0s"},
		{"within an answer", "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n", "a", "p: sent nothing for 5m0s"},
		{"before the farewell", strings.TrimSuffix(hi, "data: [DONE]\n\n"), "hi", "<nil>"},
		{"after the farewell", hi, "hi", "<nil>"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := played(nil)
				c.http.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
					sent := io.MultiReader(strings.NewReader(test.sent), silent{r.Context()})
					return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(sent)}, nil
				})
				m, err := ask(c, t.Context())
				if fmt.Sprint(err) != test.err || m.Text != test.text {
					t.Errorf("got %q, %v", m.Text, err)
				}
			})
		})
	}
}

// silent is a connection on which nothing comes.
type silent struct{ ctx context.Context }

func (s silent) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

func TestCancelLeavesNothing(t *testing.T) {
	before := runtime.NumGoroutine()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		for r.Context().Err() == nil {
			io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n")
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
	}))
	c, _ := New(Config{Name: "p", BaseURL: server.URL, Model: "m"})
	stop := errors.New("stop")
	for range 10 {
		ctx, cancel := context.WithCancelCause(t.Context())
		m, err := c.Complete(ctx, Request{}, func(string) error { cancel(stop); return nil })
		if err != stop || m.Text == "" {
			t.Errorf("got %q, %v", m.Text, err)
		}
	}
	c.Close()
	server.Close()
	for end := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

func TestOneConnection(t *testing.T) {
	var conns atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, hi)
	}))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			conns.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	c, _ := New(Config{Name: "p", BaseURL: server.URL, Model: "m"})
	defer c.Close()
	for range 20 {
		if _, err := ask(c, t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if conns.Load() != 1 {
		t.Errorf("%d connections for 20 requests", conns.Load())
	}
}

func TestRedirectGetsNothing(t *testing.T) {
	other := serve(t, func(w http.ResponseWriter, r *http.Request) { t.Errorf("the other host got %v", r.Header) })
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.base.String(), http.StatusTemporaryRedirect)
	})
	if _, err := ask(c, t.Context()); err == nil {
		t.Error("no error")
	}
	if _, err := c.Models(t.Context()); err == nil {
		t.Error("no error")
	}
}
