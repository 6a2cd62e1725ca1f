package config

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"tricode/providers"
)

// Environ adds what variables say about providers: TRICODE_<PROVIDER>_API_KEY, _BASE_URL and _MODEL. others are
// providers that need not be in the file for that. A key belongs to where its configuration sends it: with a base URL of
// another origin, nothing of the file that may hold a secret goes along, only the key of the environment.
func (c *Config) Environ(env func(string) string, others ...providers.Config) {
	all := maps.Clone(c.Providers)
	for _, p := range others {
		if _, ok := all[p.Name]; !ok && p.Name != "" && mentioned(env, p.Name) {
			if all == nil {
				all = map[string]providers.Config{}
			}
			all[p.Name] = p
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		all[name] = fromEnviron(env, all[name])
	}
	c.Providers = all
}

// Variable is the name of the variable that says something about a provider.
func Variable(provider, what string) string {
	return "TRICODE_" + strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z' || r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, provider) + "_" + what
}

// What variables say about a provider.
const (
	EnvKey   = "API_KEY"
	EnvURL   = "BASE_URL"
	EnvModel = "MODEL"
)

// mentioned reports whether the environment says anything about a provider.
func mentioned(env func(string) string, name string) bool {
	return env(Variable(name, EnvKey)) != "" || env(Variable(name, EnvURL)) != "" || env(Variable(name, EnvModel)) != ""
}

func fromEnviron(env func(string) string, p providers.Config) providers.Config {
	if base := env(Variable(p.Name, EnvURL)); base != "" {
		if !sameOrigin(base, p.BaseURL) {
			p.Key, p.KeyEnv, p.KeyCommand, p.Headers, p.Query, p.ExtraBody = "", "", nil, nil, nil, nil
		}
		p.BaseURL = base
	}
	if name := Variable(p.Name, EnvKey); env(name) != "" {
		p.Key, p.KeyEnv, p.KeyCommand = "", name, nil
	}
	if model := env(Variable(p.Name, EnvModel)); model != "" {
		p.Model = model
	}
	return p
}

// sameOrigin reports whether two addresses have the same scheme, host and port.
func sameOrigin(a, b string) bool {
	x, errX := url.Parse(strings.TrimSpace(a))
	y, errY := url.Parse(strings.TrimSpace(b))
	return errX == nil && errY == nil && x.Scheme == y.Scheme && strings.EqualFold(x.Hostname(), y.Hostname()) && port(x) == port(y)
}

func port(u *url.URL) string {
	switch p := u.Port(); {
	case p != "":
		return p
	case u.Scheme == "http":
		return "80"
	}
	return "443"
}
