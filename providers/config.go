package providers

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Config is one section [providers.NAME] of the configuration.
type Config struct {
	Name          string            `toml:"-"`
	BaseURL       string            `toml:"base_url"` // up to and without /chat/completions
	Model         string            `toml:"model"`
	Models        []Model           `toml:"models"`
	Headers       map[string]string `toml:"headers"`        // sent with every request; $NAME in a value is a variable, see Resolve
	Query         map[string]string `toml:"query"`          // added to every URL
	AllowInsecure bool              `toml:"allow_insecure"` // http:// also to public addresses

	// What every request says beside the conversation; what is not set is not sent.
	Temperature     *float64       `toml:"temperature"`
	ReasoningEffort string         `toml:"reasoning_effort"`
	MaxTokens       int            `toml:"max_tokens"` // of one answer
	ExtraBody       map[string]any `toml:"extra_body"` // further fields, which replace those of the same name
	Stream          *bool          `toml:"stream"`     // false: answers come in one piece

	Timeout      Duration `toml:"timeout"`       // for a whole answer; 0: DefaultTimeout
	StallTimeout Duration `toml:"stall_timeout"` // how long the server may send nothing; 0: DefaultStallTimeout
	Proxy        string   `toml:"proxy"`         // a URL, or "none"; empty: what HTTPS_PROXY and NO_PROXY say
	CAFile       string   `toml:"ca_file"`       // certificates in PEM that are trusted beside the system's
	Fallback     []string `toml:"fallback"`      // names of providers to go to, in order, while this one is down

	// Where the key comes from: the first of these that is there, see Resolve.
	Key        string  `toml:"api_key"`
	KeyEnv     string  `toml:"api_key_env"`
	KeyCommand Command `toml:"api_key_command"`
	Keyring    string  `toml:"keyring"` // "service/user": made a KeyCommand by whoever reads the configuration

	missing string                                // the variable KeyEnv if it is not set, see Missing
	secrets []string                              // what Resolve found, see Secrets
	newKey  func(context.Context) (string, error) // runs KeyCommand once more; nil: the key is not from there
}

// Model is one of [[providers.NAME.models]]: what is known about a model. Zero stands for what is not known.
type Model struct {
	ID            string `toml:"id"` // as in Config.Model
	DisplayName   string `toml:"display_name"`
	ContextWindow int    `toml:"context_window"` // what a request and its answer may have together, in tokens

	// SupportsTools is false for a model that knows no tools: they are described to it, and its calls read from its text.
	SupportsTools *bool `toml:"supports_tools"`

	// Prices of a million tokens, in US dollars. CachedPrice is for input that the server had already.
	InputPrice  float64  `toml:"input_price"`
	CachedPrice *float64 `toml:"cached_price"` // nil: InputPrice
	OutputPrice float64  `toml:"output_price"`
}

// DefaultTimeout is how long a server may take over an answer: one that only says that it is still there must end too.
const DefaultTimeout = time.Hour

// DefaultStallTimeout is how long a server may send nothing.
const DefaultStallTimeout = 5 * time.Minute

// Chosen is what is known about the model that the configuration names; the zero Model if nothing is.
func (c Config) Chosen() Model {
	for _, m := range c.Models {
		if m.ID == c.Model {
			return m
		}
	}
	return Model{}
}

// Duration is a time as in "90s" or "1m30s", more than none.
type Duration time.Duration

// UnmarshalText reads a duration.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil || v <= 0 {
		return fmt.Errorf(`%.20q is not a time such as "90s"`, text)
	}
	*d = Duration(v)
	return nil
}

// Command is a program and its arguments. In a configuration it is an array, or a string that is split at blanks
// and nothing else.
type Command []string

// UnmarshalText splits a command that was written as one string.
func (c *Command) UnmarshalText(text []byte) error {
	*c = strings.Fields(string(text))
	return nil
}
