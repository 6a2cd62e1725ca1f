//go:build unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// server answers on loopback: with calls of run_command for a number of turns, then with a text.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	turns    int
	command  string
	answer   func(io.Writer)
	thinks   time.Duration // before it answers
	thought  time.Duration // in all
	requests []time.Time   // since the last script
	first    int           // size of the first request, in bytes
}

func newServer() *server {
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

// script sets what the next client gets.
func (s *server) script(turns int, command string, answer func(io.Writer)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns, s.command, s.answer, s.requests = turns, command, answer, nil
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet { // what it takes, which it does not say
		http.NotFound(w, r)
		return
	}
	size, _ := io.Copy(io.Discard, r.Body)
	s.mu.Lock()
	s.requests = append(s.requests, time.Now())
	n := len(s.requests)
	if n == 1 {
		s.first = int(size)
	}
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	start := time.Now()
	time.Sleep(s.thinks)
	s.mu.Lock()
	s.thought += time.Since(start)
	s.mu.Unlock()
	if n <= s.turns {
		fmt.Fprintf(w, `data: {"choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"call_%d","type":"function",`+
			`"function":{"name":"run_command","arguments":"{\"command\":\"%s\"}"}}]},"finish_reason":null}]}`+"\n\n", n, s.command)
		fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`+"\n\n")
	} else {
		s.answer(w)
		fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\n")
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// word is a one-word answer.
func word(w io.Writer) { piece(w, "Done.") }

func piece(w io.Writer, text string) {
	fmt.Fprintf(w, `data: {"choices":[{"index":0,"delta":{"content":"%s"},"finish_reason":null}]}`+"\n\n", text)
}

// flood is an answer of so many bytes, in pieces of n bytes.
func flood(size, n int) func(io.Writer) {
	return func(w io.Writer) {
		text := strings.Repeat("0123456789", n/10+1)[:n]
		for range size / n {
			piece(w, text)
		}
	}
}
