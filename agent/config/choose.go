package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tricode/providers"
)

// ErrNoProvider says that no provider is configured at all.
var ErrNoProvider = errors.New("no provider is configured")

// ProviderError says that the provider that was asked for is not there, or none was asked for and there are several.
type ProviderError struct {
	Name  string // empty if none was asked for
	Names []string
	File  string
}

func (e *ProviderError) Error() string {
	if e.Name == "" {
		return fmt.Sprintf("%s has several providers and none is chosen: %s", e.File, strings.Join(e.Names, ", "))
	}
	return fmt.Sprintf("no provider %s in %s%s", quote(e.Name), e.File, didYouMean(e.Name, e.Names))
}

// ModelError says that nothing names the model.
type ModelError struct{ Provider, File string }

func (e *ModelError) Error() string {
	return fmt.Sprintf("provider %s has no model", quote(e.Provider))
}

// Choose finds the provider and the model of a run; provider and model are what the command line says, or empty. The
// provider is that, or the one the file chooses, or the only one there is; the model is that, or the provider's
// own, or the file's. The errors are ErrNoProvider, *ProviderError and *ModelError.
func (c *Config) Choose(provider, model string) (providers.Config, error) {
	names := slices.Sorted(maps.Keys(c.Providers))
	name := provider
	switch {
	case len(names) == 0:
		return providers.Config{}, ErrNoProvider
	case name == "" && c.Provider != "":
		name = c.Provider
	case name == "" && len(names) == 1:
		name = names[0]
	}
	p, ok := c.Providers[name]
	if !ok {
		return p, &ProviderError{Name: name, Names: names, File: c.Paths.String()}
	}
	for _, m := range []string{model, p.Model, c.Model} {
		if m != "" {
			p.Model = m
			return p, nil
		}
	}
	return p, &ModelError{Provider: name, File: c.Paths.String()}
}
