package providers

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// BenchmarkStream holds the client against the least that can read the same answer: 20 MB in pieces of 100 bytes.
func BenchmarkStream(b *testing.B) {
	const pieces = 200_000
	for _, form := range []struct{ name, event string }{
		{"full", `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m","choices":[{"index":0,"delta":{"content":%s},"finish_reason":null}]}`},
		{"short", `{"choices":[{"delta":{"content":%s}}]}`},
	} {
		text, _ := json.Marshal(strings.Repeat("0123456789", 9) + " \"code\"\n\n")
		event := fmt.Appendf(nil, "data: "+form.event+"\n\n", text)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "text/event-stream")
			block := bytes.Repeat(event, 100)
			for range pieces / 100 {
				w.Write(block)
			}
			io.WriteString(w, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
		}))
		defer server.Close()
		b.Run(form.name+"/minimal", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if n := minimal(b, http.DefaultClient, server.URL, question); n != pieces*99 {
					b.Fatalf("%d bytes", n)
				}
			}
		})
		b.Run(form.name+"/tricode", func(b *testing.B) {
			c, err := New(Config{Name: "bench", BaseURL: server.URL, Model: "m"})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				_, err := c.Complete(context.Background(), Request{Messages: []Message{{Role: User, Text: "hi"}}},
					func(s string) error { n += len(s); return nil })
				if err != nil || n != pieces*99 {
					b.Fatalf("%d bytes, %v", n, err)
				}
			}
		})
	}
}

// BenchmarkWord is a first question, answered with one word: what a run costs before anything is streamed.
func BenchmarkWord(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, hi)
	}))
	defer server.Close()
	b.Run("minimal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c := &http.Client{Transport: &http.Transport{}}
			minimal(b, c, server.URL, question)
			c.CloseIdleConnections()
		}
	})
	b.Run("tricode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c, err := New(Config{Name: "bench", BaseURL: server.URL, Model: "m"})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := ask(c, context.Background()); err != nil {
				b.Fatal(err)
			}
			c.Close()
		}
	})
}

// BenchmarkTurn is the hundredth turn of a conversation with answers of 10 KB from tools.
func BenchmarkTurn(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, hi)
	}))
	defer server.Close()
	history := []Message{{Role: User, Text: "hi"}}
	for i := range 100 {
		id := fmt.Sprint(i)
		history = append(history, Message{Role: Assistant, Calls: []Call{{ID: id, Name: "f", Arguments: `{"path":"x"}`}}},
			Message{Role: ToolRole, CallID: id, Text: strings.Repeat("a line of code {}\n", 600)})
	}
	b.Run("minimal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			body, _ := json.Marshal(map[string]any{"model": "m", "stream": true, "messages": history})
			minimal(b, http.DefaultClient, server.URL, string(body))
		}
	})
	b.Run("tricode", func(b *testing.B) {
		c, err := New(Config{Name: "bench", BaseURL: server.URL, Model: "m"})
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		b.ReportAllocs()
		for b.Loop() {
			if _, err := c.Complete(context.Background(), Request{Messages: history}, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

const question = `{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}`

// minimal reads a streamed answer with nothing but the standard library and no care.
func minimal(b *testing.B, c *http.Client, url, body string) (n int) {
	resp, err := c.Post(url+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	var text strings.Builder
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok || string(data) == "[DONE]" {
			continue
		}
		var event struct {
			Choices []struct {
				Delta struct{ Content string }
			}
		}
		if err := json.Unmarshal(data, &event); err != nil {
			b.Fatal(err)
		}
		text.WriteString(event.Choices[0].Delta.Content)
	}
	return text.Len()
}
