package examples

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"

	"github.com/rogpeppe/go-internal/testscript"
)

// faults are servers that go wrong. n counts the requests, from 1.
var faults = map[string]func(w http.ResponseWriter, r *http.Request, n int32){
	"html": func(w http.ResponseWriter, _ *http.Request, _ int32) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html><title>Welcome to the guest network</title><p>Please log in.")
	},
	"unauthorized": func(w http.ResponseWriter, _ *http.Request, _ int32) {
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}`)
	},
	"busy-once": func(w http.ResponseWriter, _ *http.Request, n int32) {
		if n == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			io.WriteString(w, `{"error":{"message":"slow down"}}`)
			return
		}
		say(w, "Here I am.", "stop")
	},
	"cut": func(w http.ResponseWriter, _ *http.Request, _ int32) { say(w, "Half an ans", "") },
	"empty": func(w http.ResponseWriter, _ *http.Request, _ int32) {
		say(w, "", "stop")
	},
	"huge": func(w http.ResponseWriter, _ *http.Request, _ int32) {
		say(w, strings.Repeat("0123456789", 2_000_000), "stop")
	},
	"slow": func(w http.ResponseWriter, r *http.Request, _ int32) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Thinking\"}}]}\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	},
}

func say(w http.ResponseWriter, text, finish string) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", text)
	if finish != "" {
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":%q}]}\n\ndata: [DONE]\n\n", finish)
	}
}

// fault starts one of the servers above as the provider "local".
func fault(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 || faults[args[0]] == nil {
		ts.Fatalf("usage: fault NAME")
	}
	var n atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		faults[args[0]](w, r, n.Add(1))
	}))
	ts.Defer(server.Close)
	configure(ts, server.URL)
}
