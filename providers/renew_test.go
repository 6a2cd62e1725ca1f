package providers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// A key that a program printed and that ends in the middle is renewed by the program: once for a request, never in a loop.
func TestKeyIsRenewed(t *testing.T) {
	for _, test := range []struct {
		name     string
		prints   []string // run by run, the last one over and over; empty: it fails
		valid    string
		runs     int
		requests int
		err      string
	}{
		{"valid", []string{"key-one-1"}, "key-one-1", 1, 1, ""},
		{"ended", []string{"key-one-1", "key-two-2"}, "key-two-2", 2, 2, ""},
		{"the same again", []string{"key-one-1"}, "key-two-2", 2, 1, "p: 401: bad [key]"},
		{"the next one too", []string{"key-one-1", "key-two-2", "key-three-3"}, "none", 2, 2, "p: 401: bad [key]"},
		{"nothing is printed", []string{"key-one-1", " "}, "none", 2, 1, `p: 401: bad [key]; there is no other key: api_key_command of provider "p": it printed nothing`},
		{"the program fails", []string{"key-one-1", ""}, "none", 2, 1, `p: 401: bad [key]; there is no other key: api_key_command of provider "p": locked`},
	} {
		t.Run(test.name, func(t *testing.T) {
			requests, runs := 0, 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests++
				io.Copy(io.Discard, r.Body)
				if key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "); key != test.valid {
					w.WriteHeader(http.StatusUnauthorized)
					fmt.Fprintf(w, `{"error":{"message":"bad %s"}}`, key)
					return
				}
				io.WriteString(w, hi)
			}))
			defer server.Close()
			resolved, err := Config{Name: "p", BaseURL: server.URL, Model: "m", KeyCommand: Command{"print-key"}}.Resolve(t.Context(),
				func(string) (string, bool) { return "", false }, func(context.Context, []string) (string, error) {
					runs++
					if out := test.prints[min(runs, len(test.prints))-1]; out != "" {
						return out + "\n", nil
					}
					return "", errors.New("locked")
				})
			if err != nil {
				t.Fatal(err)
			}
			c, err := New(resolved)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			told := 0
			_, err = asking(c, t.Context(), func(r Retry) error {
				told++
				if !strings.HasSuffix(r.String(), "asking again with a new key") {
					t.Errorf("told %q", r)
				}
				return nil
			})
			if got := fmt.Sprint(err); (err != nil) != (test.err != "") || err != nil && got != test.err {
				t.Errorf("error %v, want %q", err, test.err)
			}
			if runs != test.runs || requests != test.requests || told != requests-1 {
				t.Errorf("%d runs, %d requests, told %d times; want %d, %d", runs, requests, told, test.runs, test.requests)
			}
		})
	}
}

// Requests that are refused together renew the key together.
func TestKeyIsRenewedOnce(t *testing.T) {
	runs := 0
	k := key{value: "old", again: func(context.Context) (string, error) { runs++; return "new", nil }}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if ok, err := k.renew(t.Context(), "old"); !ok || err != nil {
				t.Errorf("renew = %v, %v", ok, err)
			}
		})
	}
	group.Wait()
	if runs != 1 || k.now() != "new" {
		t.Errorf("%d runs, key %q", runs, k.now())
	}
}
