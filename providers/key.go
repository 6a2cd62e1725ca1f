package providers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

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

// Resolve returns c with all that New needs: the key in Key, the values of variables in Headers. The key is api_key
// itself, the variable api_key_env through env, or what api_key_command prints, started by run (no package of this
// layer starts programs). A *KeyError says that none was found where one is needed: a server on loopback or a private
// network, and one that gets a header which says that it holds a key, need no other.
func (c Config) Resolve(ctx context.Context, env func(string) (string, bool),
	run func(context.Context, []string) (string, error)) (Config, error) {
	if err := c.expandHeaders(env); err != nil {
		return c, err
	}
	var err error
	c.Key, err = c.findKey(ctx, env, run)
	return c, err
}

func (c *Config) findKey(ctx context.Context, env func(string) (string, bool),
	run func(context.Context, []string) (string, error)) (string, error) {
	if c.Key != "" {
		return c.Key, nil
	}
	if c.KeyEnv != "" {
		if value, _ := env(c.KeyEnv); strings.TrimSpace(value) != "" {
			return strings.TrimSpace(value), nil
		}
		c.missing = c.KeyEnv
	}
	if len(c.KeyCommand) > 0 {
		command, name, variable := c.KeyCommand, c.Name, c.KeyEnv
		c.newKey = func(ctx context.Context) (string, error) {
			out, err := run(ctx, command)
			if out = strings.TrimSpace(out); err == nil && out == "" {
				err = errors.New("it printed nothing")
			}
			if err != nil {
				return "", &KeyError{name, variable, err}
			}
			return out, nil
		}
		return c.newKey(ctx)
	}
	base, err := c.base()
	if err == nil && nearby(base.Hostname()) || c.keyHeader(func(string) bool { return true }) {
		return "", nil
	}
	return "", &KeyError{c.Name, c.KeyEnv, nil}
}

// Missing is the variable that should hold the key and does not, where another key or none was found. It is empty
// before Resolve.
func (c Config) Missing() string { return c.missing }

// HoldsKey reports whether a secret is written in the configuration itself, as far as the names of headers tell.
func (c Config) HoldsKey() bool {
	return c.Key != "" || c.keyHeader(func(value string) bool { return !variable().MatchString(value) })
}

// Secrets are the values that nobody else should see: the key and, once they were resolved, what headers and query have
// by the name of a key, their own or that of a variable.
func (c Config) Secrets() []string {
	if c.Key == "" {
		return c.secrets
	}
	return append(slices.Clip(c.secrets), c.Key)
}

// Variables are the names of variables that hold keys: $USER in a header that does not speak of one is none of them.
func (c Config) Variables() []string {
	var names []string
	if c.KeyEnv != "" {
		names = append(names, c.KeyEnv)
	}
	for header, value := range c.Headers {
		for _, use := range variable().FindAllString(value, -1) {
			if name := strings.Trim(use, "${}"); speaksOfKey(header) || speaksOfKey(name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// keyHeader reports whether a header with a value that is wanted has a name that speaks of a key.
func (c *Config) keyHeader(want func(value string) bool) bool {
	for name, value := range c.Headers {
		if speaksOfKey(name) && want(value) {
			return true
		}
	}
	return false
}

// speaksOfKey reports whether a value by that name is likely to be a key.
func speaksOfKey(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"auth", "key", "token", "secret", "passw", "credential"}, func(word string) bool {
		return strings.Contains(name, word)
	})
}

// variable is how a value speaks of one: $NAME or ${NAME}.
func variable() *regexp.Regexp {
	return regexp.MustCompile(`\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\})`)
}

// expandHeaders puts the values of variables in, and remembers what is secret: what is called a key, as variable or header.
func (c *Config) expandHeaders(env func(string) (string, bool)) error {
	expanded := make(map[string]string, len(c.Headers))
	var missing error
	for _, name := range slices.Sorted(maps.Keys(c.Headers)) {
		expanded[name] = variable().ReplaceAllStringFunc(c.Headers[name], func(use string) string {
			of := strings.Trim(use, "${}")
			value, _ := env(of)
			if value = strings.TrimSpace(value); value == "" && missing == nil {
				missing = &KeyError{c.Name, of, nil}
			}
			if speaksOfKey(name) || speaksOfKey(of) {
				c.secrets = append(c.secrets, value)
			}
			return value
		})
	}
	if len(expanded) > 0 {
		c.Headers = expanded
	}
	for _, values := range []map[string]string{c.Headers, c.Query} {
		for name, value := range values {
			if words := strings.Fields(value); speaksOfKey(name) && len(words) > 0 {
				c.secrets = append(c.secrets, words[len(words)-1]) // without "Bearer"
			}
		}
	}
	return missing
}
