//go:build unix

package examples

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// account starts a server for tricode init, which says hello to whoever has the key; "-" is no key. Without a model it has
// no list of them. Nothing is configured.
func account(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: account KEY [MODEL...]")
	}
	key, models := args[0], args[1:]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case key != "-" && r.Header.Get("Authorization") != "Bearer "+key:
			w.WriteHeader(http.StatusUnauthorized)
			io.WriteString(w, `{"error":{"message":"Incorrect API key provided"}}`)
		case !strings.HasSuffix(r.URL.Path, "/models"):
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hello.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
		case len(models) == 0:
			http.NotFound(w, r)
		default:
			list := []map[string]string{}
			for _, m := range models {
				list = append(list, map[string]string{"id": m})
			}
			json.NewEncoder(w).Encode(map[string]any{"data": list})
		}
	}))
	ts.Defer(server.Close)
	ts.Setenv("SERVER", server.URL)
}
