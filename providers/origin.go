package providers

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// Address is where the provider is, without what may be secret in it.
func (c Config) Address() (string, error) {
	u, err := c.base()
	if err != nil {
		return "", err
	}
	return u.Scheme + "://" + u.Host + u.EscapedPath(), nil
}

// base checks the base URL and brings it into one form: no trailing slash, its query merged with c.Query.
func (c Config) base() (*url.URL, error) {
	if c.BaseURL == "" {
		return nil, fmt.Errorf("provider %q has no base_url", c.Name)
	}
	u, err := url.Parse(strings.TrimSpace(c.BaseURL))
	switch {
	case err != nil && strings.Contains(c.BaseURL, "://"):
		return nil, fmt.Errorf("base_url of provider %q: %w", c.Name, errors.Unwrap(err))
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("base_url of provider %q is not an http or https URL", c.Name)
	case u.Scheme == "http" && !c.AllowInsecure && !nearby(u.Hostname()):
		return nil, fmt.Errorf("base_url of provider %q: http:// would send key and conversation in the clear to %s; use https://, or set allow_insecure = true",
			c.Name, u.Hostname())
	}
	u.Path = strings.TrimRight(u.Path, "/")
	u.Path = strings.TrimSuffix(u.Path, "/chat/completions")
	u.RawPath, u.Fragment = "", ""
	query := u.Query()
	for name, value := range c.Query {
		query.Set(name, value)
	}
	u.RawQuery = query.Encode()
	return u, nil
}

// nearby reports whether a host is this machine or on a private network, as far as its name says. What a name
// really leads to is checked again when connecting.
func nearby(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return private(ip)
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if !strings.Contains(host, ".") {
		return true // localhost, or the name of a machine or container in the same network
	}
	for _, suffix := range [...]string{".localhost", ".local", ".lan", ".internal", ".home.arpa"} {
		if strings.HasSuffix(host, suffix) {
			return true
		}
	}
	return false
}

// private reports whether an address cannot be reached from the internet; 100.64.0.0/10 is what overlay networks
// and carriers use between their own (RFC 6598).
func private(ip netip.Addr) bool {
	ip = ip.Unmap()
	return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified() ||
		netip.PrefixFrom(netip.AddrFrom4([4]byte{100, 64}), 10).Contains(ip)
}
