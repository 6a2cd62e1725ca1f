package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"

	"tricode/approval"
)

const (
	maxFetched   = 5 << 20 // bytes of a page that are read, after decompression
	maxRedirects = 5
	maxHeader    = 64 << 10
)

type dialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// publicDialer connects to addresses of the public internet alone. It looks at what is really connected to, so that no
// name can lead elsewhere, whatever it resolved to before.
func publicDialer() *net.Dialer {
	return &net.Dialer{Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil || !approval.PublicAddress(at.Addr()) {
			return fmt.Errorf("%s is a private or loopback address", at.Addr())
		}
		return nil
	}}
}

// fetch fetches a page and returns it as text. Redirects are followed as long as they stay with the host that was
// allowed. out takes the text.
func fetch(ctx context.Context, u *url.URL, dial dialFunc, out *output) (string, error) {
	transport := &http.Transport{DialContext: dial, DisableKeepAlives: true, MaxResponseHeaderBytes: maxHeader} // no proxy: it would connect for us, anywhere
	client := &http.Client{Transport: transport, CheckRedirect: func(next *http.Request, _ []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	for range maxRedirects + 1 {
		resp, err := get(ctx, client, u)
		if err != nil {
			return "", err
		}
		next, text := redirect(u, resp)
		if next == nil {
			if text == "" {
				text, err = page(ctx, resp, out)
			}
			resp.Body.Close()
			return text, err
		}
		resp.Body.Close()
		u = next
	}
	return "", fmt.Errorf("more than %d redirects", maxRedirects)
}

func get(ctx context.Context, client *http.Client, u *url.URL) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "tricode")
	req.Header.Set("Accept", "text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.9, */*;q=0.1")
	resp, err := client.Do(req)
	if err != nil {
		return nil, fetchError(ctx, u, err)
	}
	return resp, nil
}

// fetchError is an error in one line, with the host and without what the caller knows.
func fetchError(ctx context.Context, u *url.URL, err error) error {
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if e := new(url.Error); errors.As(err, &e) {
		err = e.Err
	}
	return fmt.Errorf("%s: %w", u.Host, err)
}

// redirect returns where a response leads if that is with the same host, and otherwise what the model is told of it, which is
// empty for what is no redirect.
func redirect(u *url.URL, resp *http.Response) (*url.URL, string) {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, ""
	}
	location := resp.Header.Get("Location")
	next, err := u.Parse(location)
	if err == nil {
		next, err = parseURL(next.String())
	}
	if err != nil {
		return nil, fmt.Sprintf("%s redirects to %.200q, which cannot be fetched: %v", u, location, err)
	}
	if next.Hostname() != u.Hostname() || u.Scheme == "https" && next.Scheme == "http" {
		return nil, fmt.Sprintf("%s redirects to %s: fetch that if it is wanted", u, next)
	}
	return next, ""
}

// page reads a response and returns its text within bounds, below a line for what is not as usual.
func page(ctx context.Context, resp *http.Response, out *output) (string, error) {
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxFetched+1))
	if err != nil {
		return "", fetchError(ctx, resp.Request.URL, err)
	}
	var notes []string
	if resp.StatusCode != http.StatusOK {
		notes = append(notes, "HTTP status "+resp.Status)
	}
	if len(body) > maxFetched {
		body = body[:maxFetched]
		notes = append(notes, fmt.Sprintf("only the first %d MiB were read", maxFetched>>20))
	}
	if kind := mediaType(resp, body); kind == "text/html" || kind == "application/xhtml+xml" {
		out.Write(markdown(body, resp.Request.URL))
	} else if isText(kind) {
		out.Write(body)
	} else {
		notes = append(notes, fmt.Sprintf("%s, %d bytes, not text", kind, len(body)))
	}
	text := out.text()
	if text == "" && notes == nil {
		text = "(empty)"
	}
	if notes != nil {
		text = strings.TrimSuffix("["+strings.Join(notes, "; ")+"]\n"+text, "\n")
	}
	return text, nil
}

// mediaType is the type that the server gives or else that the contents look like.
func mediaType(resp *http.Response, body []byte) string {
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil || kind == "" {
		kind, _, _ = mime.ParseMediaType(http.DetectContentType(body))
	}
	return kind
}

func isText(kind string) bool {
	for _, part := range [...]string{"text/", "json", "xml", "javascript", "yaml", "toml", "x-sh", "x-www-form-urlencoded"} {
		if strings.Contains(kind, part) {
			return true
		}
	}
	return false
}
