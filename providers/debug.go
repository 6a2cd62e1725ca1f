package providers

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Debug has the client write all that it sends and gets to w, but for what headers and URLs have that may be secret. It is
// written to while a request is sent and its answer comes, which may be at once. Errors of w are its own matter.
func (c *Client) Debug(w io.Writer) {
	c.http.Transport = &recorder{next: c.http.Transport, out: w, name: c.config.Name}
}

// recorder writes down what passes through it.
type recorder struct {
	next http.RoundTripper
	out  io.Writer
	name string
}

// RoundTrip implements http.RoundTripper.
func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	url := req.URL.Scheme + "://" + req.URL.Host + req.URL.EscapedPath()
	if req.URL.RawQuery != "" {
		url += "?[query]"
	}
	fmt.Fprintf(r.out, "== %s %s\n%s %s\n%s\n", time.Now().Format(time.RFC3339Nano), r.name, req.Method, url, plainHeaders(req.Header))
	if req.Body != nil {
		req = req.Clone(req.Context()) // a RoundTripper leaves the request as it is
		req.Body = &recorded{ReadCloser: req.Body, out: r.out}
	}
	resp, err := r.next.RoundTrip(req)
	if err != nil {
		fmt.Fprintf(r.out, "\n== %s %s\n%v\n", time.Now().Format(time.RFC3339Nano), r.name, err)
		return resp, err
	}
	fmt.Fprintf(r.out, "\n== %s %s\n%s\n%s\n", time.Now().Format(time.RFC3339Nano), r.name, resp.Status, plainHeaders(resp.Header))
	resp.Body = &recorded{ReadCloser: resp.Body, out: r.out}
	return resp, nil
}

// CloseIdleConnections lets go of what the next one holds.
func (r *recorder) CloseIdleConnections() {
	if next, ok := r.next.(interface{ CloseIdleConnections() }); ok {
		next.CloseIdleConnections()
	}
}

// plainHeaders are the names of headers, and the values of those that are known to hold nothing secret.
func plainHeaders(h http.Header) string {
	var b strings.Builder
	for name, values := range h {
		value := "[hidden]"
		if slices.Contains(harmless[:], name) || strings.HasPrefix(name, "X-Ratelimit-") {
			value = strings.Join(values, ", ")
		}
		fmt.Fprintf(&b, "%s: %s\n", name, value)
	}
	lines := strings.SplitAfter(b.String(), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// harmless are headers that help to find a mistake and have no secrets in them.
var harmless = [...]string{
	"Accept", "Cache-Control", "Connection", "Content-Encoding", "Content-Length", "Content-Type", "Date", "Location", "Retry-After",
	"Retry-After-Ms", "Server", "Transfer-Encoding", "User-Agent", "X-Request-Id", "Request-Id",
}

// recorded is a body that is written down while it is read.
type recorded struct {
	io.ReadCloser
	out io.Writer
}

func (r *recorded) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if n > 0 {
		r.out.Write(p[:n])
	}
	return n, err
}
