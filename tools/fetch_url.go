package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/idna"

	"tricode/approval"
)

// maxURL is the longest URL that is fetched, in bytes.
const maxURL = 8 << 10

// FetchURL returns the tool that fetches a page of the public internet.
func FetchURL(w World) Tool { return fetchURL(w, publicDialer().DialContext) }

func fetchURL(w World, dial dialFunc) Tool {
	type input struct {
		URL     string `json:"url"`
		Timeout int    `json:"timeout,omitempty" default:"30"`
	}
	return New("fetch_url", "Fetch a public URL.", func(_ context.Context, in input) (*approval.Action, error) {
		if in.Timeout < 1 || in.Timeout > maxTimeout {
			return nil, fmt.Errorf("timeout: %d is not between 1 and %d", in.Timeout, maxTimeout)
		}
		u, err := parseURL(in.URL)
		if err != nil {
			return nil, fmt.Errorf("url: %w", err)
		}
		timeout := time.Duration(in.Timeout) * time.Second
		a := approval.NewAction("fetch "+u.String(), func(ctx context.Context, _ io.Writer) (approval.Result, error) {
			ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("timed out after %d s", in.Timeout))
			defer cancel()
			text, err := fetch(ctx, u, dial, newOutput(w, io.Discard))
			return approval.Result{Text: text, Hidden: w.Redact != nil}, err
		}, approval.Subject{Effects: approval.Network, Host: u.Hostname()})
		a.Draft = lineDraft("url.txt", "url", &in, &in.URL)
		return a, nil
	})
}

// parseURL reads a URL and brings it into its canonical form: the host in lower case and ASCII, without a dot at the end.
func parseURL(text string) (*url.URL, error) {
	if len(text) > maxURL {
		return nil, fmt.Errorf("has %d bytes, %d are possible", len(text), maxURL)
	}
	u, err := url.Parse(strings.TrimSpace(text))
	if e := new(url.Error); errors.As(err, &e) {
		err = e.Err
	}
	if err != nil {
		return nil, err
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("%q is neither http nor https", u.Scheme)
	case u.User != nil:
		return nil, errors.New("a user name or password in it is not sent")
	case u.Opaque != "":
		return nil, errors.New("no host")
	}
	host, err := canonicalHost(u.Hostname())
	if err != nil {
		return nil, err
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port := u.Port(); port != "" {
		host += ":" + port
	}
	u.Host, u.Fragment, u.RawFragment = host, "", ""
	return u, nil
}

// canonicalHost is the one way to write a name or an address that rules, questions and connections see.
func canonicalHost(host string) (string, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		if ip.Zone() != "" {
			return "", fmt.Errorf("%q names a network interface", host)
		}
		return ip.Unmap().String(), nil
	}
	name, err := idna.Lookup.ToASCII(host)
	if err != nil && isASCII(host) { // names with an underscore are no proper host names, but there are some
		name, err = strings.ToLower(host), nil
	}
	name = strings.TrimSuffix(name, ".")
	if err != nil || name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" {
		return "", fmt.Errorf("%q is no host", host)
	}
	return name, nil
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > '~' })
}
