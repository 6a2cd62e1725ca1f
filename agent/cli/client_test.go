package cli

import (
	"io"
	"log"
	"net/http/httptest"
	"strings"
	"testing"

	"tricode/agent"
	"tricode/providers"
)

// A certificate that nobody vouches for is named, and what to do about it.
func TestHintForCertificates(t *testing.T) {
	server := httptest.NewUnstartedServer(nil)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	client, err := providers.New(providers.Config{Name: "p", BaseURL: server.URL, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_, err = client.Complete(t.Context(), providers.Request{OnRetry: func(r providers.Retry) error {
		t.Errorf("asked again: %v", r)
		return nil
	}}, nil)
	err = &agent.ModelError{Err: err}
	if !strings.Contains(err.Error(), "certificate") || !strings.HasPrefix(hintFor(err), "ca_file = ") || statusOf(err) != statusProvider {
		t.Errorf("%v, hint %q, status %d", err, hintFor(err), statusOf(err))
	}
}
