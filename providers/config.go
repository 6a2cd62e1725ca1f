package providers

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// Config is one section [providers.NAME] of the configuration.
type Config struct {
	Name    string            `toml:"-"`
	BaseURL string            `toml:"base_url"` // up to and without /chat/completions
	Model   string            `toml:"model"`
	Headers map[string]string `toml:"headers"` // sent with every request
	Query   map[string]string `toml:"query"`   // added to every URL

	// Where the key comes from: the first of these that is there, see ResolveKey.
	Key        string  `toml:"api_key"`
	KeyEnv     string  `toml:"api_key_env"`
	KeyCommand Command `toml:"api_key_command"`
}

// Command is a program and its arguments. In a configuration it is an array, or a string that is split at blanks
// and nothing else.
type Command []string

// UnmarshalText splits a command that was written as one string.
func (c *Command) UnmarshalText(text []byte) error {
	*c = strings.Fields(string(text))
	return nil
}

// KeyError says that a server needs a key and none was found.
type KeyError struct {
	Provider string
	Env      string // the variable that should hold it; empty if none was named
	Command  error  // what is wrong with the program that should print it; nil if none was named
}

func (e *KeyError) Error() string {
	switch {
	case e.Command != nil:
		return fmt.Sprintf("api_key_command of provider %q: %v", e.Provider, e.Command)
	case e.Env != "":
		return fmt.Sprintf("environment variable %s is not set", e.Env)
	}
	return fmt.Sprintf("provider %q has no key", e.Provider)
}

// Unwrap returns what is wrong with the program.
func (e *KeyError) Unwrap() error { return e.Command }

// ResolveKey finds the key: api_key itself, the variable api_key_env through env, or what api_key_command prints,
// started by run (no package of this layer starts programs). The result is for c.Key before New. A server on
// loopback or a private network needs no key and gets "" where none is found; for others that is a *KeyError.
func (c Config) ResolveKey(ctx context.Context, env func(string) (string, bool),
	run func(context.Context, []string) (string, error)) (string, error) {
	if c.Key != "" {
		return c.Key, nil
	}
	if c.KeyEnv != "" {
		if value, _ := env(c.KeyEnv); strings.TrimSpace(value) != "" {
			return strings.TrimSpace(value), nil
		}
	}
	if len(c.KeyCommand) > 0 {
		out, err := run(ctx, c.KeyCommand)
		if out = strings.TrimSpace(out); err == nil && out == "" {
			err = errors.New("it printed nothing")
		}
		if err != nil {
			return "", &KeyError{c.Name, c.KeyEnv, err}
		}
		return out, nil
	}
	if base, err := c.base(); err == nil && nearby(base.Hostname()) {
		return "", nil
	}
	return "", &KeyError{c.Name, c.KeyEnv, nil}
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
	case u.Scheme == "http" && !nearby(u.Hostname()):
		return nil, fmt.Errorf("base_url of provider %q: http:// would send key and conversation in the clear to %s; use https://",
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
