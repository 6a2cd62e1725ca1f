package providers

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"
)

// raw answers each connection with what write writes, below HTTP, until the client has enough.
func raw(t *testing.T, write func(io.Writer) error) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					io.Copy(io.Discard, r.Body) // who is still asking may be told that the connection is gone
					write(conn)
				}
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

// endless writes a text until that fails.
func endless(w io.Writer, text string) error {
	for {
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
}

// A server that means no good is left with one clear line, soon and without much memory.
func TestHostileServers(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 100 {
		z.Write(make([]byte, 1<<20))
	}
	z.Close()
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
	for _, test := range []struct {
		name  string
		write func(io.Writer) error
		err   string
	}{
		{"headers", func(w io.Writer) error { io.WriteString(w, ok); return endless(w, "X: y\r\n") }, "server response headers exceeded"},
		{"a header", func(w io.Writer) error { io.WriteString(w, ok+"X: "); return endless(w, "yyyyyyyyyyyyyyyy") }, "server response headers exceeded"},
		{"a status", func(w io.Writer) error { io.WriteString(w, "HTTP/1.1 200 "); return endless(w, "yyyyyyyyyyyyyyyy") }, "server response headers exceeded"},
		{"100 Continue", func(w io.Writer) error { return endless(w, "HTTP/1.1 100 Continue\r\n\r\n") }, "server response headers exceeded"},
		{"103 Early Hints", func(w io.Writer) error { return endless(w, "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n") }, "server response headers exceeded"},
		{"comments", func(w io.Writer) error { io.WriteString(w, ok+"\r\n"); return endless(w, ": x\n") }, "was not done after 300ms"},
		{"empty lines", func(w io.Writer) error { io.WriteString(w, ok+"\r\n"); return endless(w, "\n") }, "was not done after 300ms"},
		{"ids", func(w io.Writer) error { io.WriteString(w, ok+"\r\n"); return endless(w, "id: 1\nretry: 5\n\n") }, "was not done after 300ms"},
		{"trailers", func(w io.Writer) error {
			io.WriteString(w, ok+"Transfer-Encoding: chunked\r\n\r\n0\r\n")
			return endless(w, "X: y\r\n")
		}, ""},
		{"chunk sizes", func(w io.Writer) error {
			io.WriteString(w, ok+"Transfer-Encoding: chunked\r\n\r\n")
			return endless(w, "0000000000000000")
		}, ""},
		{"an error page", func(w io.Writer) error {
			io.WriteString(w, "HTTP/1.1 400 Bad Request\r\n\r\n")
			return endless(w, "no\x1b[2J\n ")
		}, "400: no"},
		{"a compressed bomb", func(w io.Writer) error {
			fmt.Fprintf(w, "%sContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n", ok, bomb.Len())
			_, err := w.Write(bomb.Bytes())
			return err
		}, ""},
		{"no HTTP", func(w io.Writer) error { return endless(w, "SSH-2.0-OpenSSH_9.9\r\n") }, "malformed HTTP"},
		{"a length that is none", func(w io.Writer) error {
			_, err := io.WriteString(w, ok+"Content-Length: 999999999999999999\r\n\r\n"+hi[:20])
			return err
		}, "cut off"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			timeout := time.Minute
			if strings.Contains(test.err, "not done") {
				timeout = 300 * time.Millisecond
			}
			c, err := New(Config{Name: "p", BaseURL: raw(t, test.write), Model: "m", Timeout: Duration(timeout)})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			c.longest = -1
			start := time.Now()
			_, err = ask(c, t.Context())
			if err == nil || !strings.Contains(err.Error(), test.err) || strings.ContainsAny(err.Error(), "\n\r") || len(err.Error()) > 600 {
				t.Errorf("error %q, want %q", err, test.err)
			}
			if took := time.Since(start); took > 50*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// What stands in an answer may be anything; the next request is one that other servers take.
func TestHostileAnswers(t *testing.T) {
	call := func(fields string) string {
		return `data: {"choices":[{"delta":{"tool_calls":[` + fields + `]}}]}` + "\n\n"
	}
	function := func(name, arguments string) string {
		return `"function":{"name":` + string(encoded(name)) + `,"arguments":` + string(encoded(arguments)) + `}`
	}
	const end = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n"
	deep := strings.Repeat(`{"a":`, 50_000) + "1" + strings.Repeat("}", 50_000)
	for _, test := range []struct {
		name, body string
		calls      int
		usage      Usage
	}{
		{"a large index", call(`{"index":1000000000,`+function("f", "{}")+`}`) + call(`{"index":1000000000,`+function("", " ")+`}`), 1, Usage{}},
		{"no number of an index", call(`{"index":-1,`+function("f", "{}")+`}`) + call(`{"index":1e300,`+function("g", "{}")+`}`), 2, Usage{}},
		{"ids that come twice", call(`{"index":0,"id":"x",` + function("f", "{}") + `},{"index":1,"id":"x",` + function("g", "{}") + `},{"index":2,"id":"x",` + function("h", "{}") + `}`), 3, Usage{}},
		{"a long id", call(`{"index":0,"id":"` + strings.Repeat("é", 1000) + `",` + function("f", "{}") + `}`), 1, Usage{}},
		{"a long name", call(`{"index":0,` + function(strings.Repeat("é", 100_000), "{}") + `}`), 1, Usage{}},
		{"nothing that can be printed", call(`{"index":0,"id":"\u0000\u001b","function":{"name":"\u0000\u202e\ud800","arguments":"\u0000\udfff{"}}`), 1, Usage{}},
		{"deep arguments", call(`{"index":0,` + function("f", deep) + `}`), 1, Usage{}},
		{"arguments that are no object", call(`{"index":0,` + function("f", `"x"`) + `}`), 1, Usage{}},
		{"a long reason", `data: {"choices":[{"delta":{"content":"x"},"finish_reason":"` + strings.Repeat("x", 1<<20) + `"}]}` + "\n\ndata: [DONE]\n\n", 0, Usage{}},
		{"negative usage", call(`{"index":0,`+function("f", "")+`}`) + `data: {"usage":{"prompt_tokens":-5,"completion_tokens":-1e300,"prompt_tokens_details":{"cached_tokens":-1}}}` + "\n\n", 1, Usage{}},
		{"huge usage", call(`{"index":0,`+function("f", "")+`}`) + `data: {"usage":{"prompt_tokens":1e300,"completion_tokens":9e18,"prompt_tokens_details":{"cached_tokens":1e19}}}` + "\n\n", 1,
			Usage{Input: 1<<31 - 1, Output: 1<<31 - 1, Cached: 1<<31 - 1}},
		{"more cached than sent", call(`{"index":0,`+function("f", "")+`}`) + `data: {"usage":{"prompt_tokens":100,"prompt_tokens_details":{"cached_tokens":90}}}` + "\n\n" +
			`data: {"usage":{"prompt_tokens":5}}` + "\n\n", 1, Usage{Input: 5, Cached: 5}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, err := play(t, func() io.Reader { return strings.NewReader(test.body + end) })
			if err != nil || len(m.Calls) != test.calls || m.Usage != test.usage || len(m.Finish) > maxName {
				t.Fatalf("%v, %d calls, %+v, finish of %d bytes; want %d, %+v", err, len(m.Calls), m.Usage, len(m.Finish), test.calls, test.usage)
			}
			ids := map[string]bool{}
			history := []Message{{Role: User, Text: "x"}, m}
			for _, c := range m.Calls {
				if ids[c.ID] || c.ID == "" || len(c.ID) > maxName || len(c.Name) > maxName || !utf8.ValidString(c.ID+c.Name+c.Arguments) {
					t.Errorf("call %.300q", c)
				}
				ids[c.ID] = true
				history = append(history, Message{Role: ToolRole, CallID: c.ID, Text: "x"})
			}
			if cost := (Model{InputPrice: 1e9, OutputPrice: 1e9}).Cost(m.Usage); !(cost >= 0 && cost < 1e13) {
				t.Errorf("costs %v", cost)
			}
			e := encoder{provider: m.Provider, model: m.Model}
			b, err := e.encode(Request{Messages: history})
			if err != nil {
				t.Fatal(err)
			}
			all, _ := io.ReadAll(b.reader())
			var wire struct {
				Messages []struct {
					Calls []struct {
						Function struct{ Name, Arguments string }
					} `json:"tool_calls"`
				}
			}
			if err := json.Unmarshal(all, &wire); err != nil {
				t.Fatal(err)
			}
			for _, c := range wire.Messages[1].Calls {
				var object map[string]any
				if err := json.Unmarshal([]byte(c.Function.Arguments), &object); err != nil || c.Function.Name == "" || len(c.Function.Name) > 64 {
					t.Errorf("sent back %.200q: %v", c.Function, err)
				}
			}
		})
	}
}

// Over HTTP/2 too an answer that is cut off is asked for again.
func TestStreamsThatBreak(t *testing.T) {
	for _, begun := range []bool{false, true} {
		var requests atomic.Int32
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.ProtoMajor != 2 {
				t.Errorf("asked by %s", r.Proto)
			}
			io.Copy(io.Discard, r.Body)
			if requests.Add(1) > 1 {
				io.WriteString(w, hi)
				return
			}
			if begun {
				io.WriteString(w, hi[:40])
				http.NewResponseController(w).Flush()
			}
			panic(http.ErrAbortHandler)
		}))
		server.EnableHTTP2 = true
		server.StartTLS()
		c, err := New(Config{Name: "p", BaseURL: server.URL, Model: "m"})
		if err != nil {
			t.Fatal(err)
		}
		c.pause = time.Millisecond
		c.http.Transport.(*http.Transport).TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig
		m, err := ask(c, t.Context())
		if err != nil || m.Text == "" || requests.Load() != 2 {
			t.Errorf("begun: %v: %q, %v after %d requests", begun, m.Text, err, requests.Load())
		}
		c.Close()
		server.Close()
	}
}
