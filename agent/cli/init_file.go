package cli

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tricode/agent/config"
	"tricode/approval/plain"
	"tricode/providers"
)

// noTerminalError says that there is nobody to ask, and what to do instead.
type noTerminalError struct{ paths config.Paths }

func (e *noTerminalError) Error() string {
	return "init needs a terminal to ask questions, and there is none"
}

func (e *noTerminalError) hint() string {
	return fmt.Sprintf("write into %s: %s", e.paths, minimalConfig)
}

const minimalConfig = `providers.openai = { base_url = "https://api.openai.com/v1", api_key_env = "OPENAI_API_KEY", model = "NAME" }`

// mayReplace shows the configuration that is there and asks whether there should be a new one.
func (s *setup) mayReplace(ctx context.Context) (bool, error) {
	if _, err := os.Lstat(s.paths.File); err != nil {
		return true, nil // where it cannot be read it cannot be written either, and that will be said
	}
	cfg, err := config.Load(s.paths)
	if err != nil {
		s.say("There is a configuration already, with a mistake in it: %s", plain.Line(err.Error()))
	} else {
		s.say("There is a configuration already, %s, with %s.", plain.Line(s.paths.String()), describe(cfg))
	}
	yes, err := s.yes(ctx, "Write a new one and keep this one as "+filepath.Base(s.paths.File)+".bak?", false)
	if err == nil && !yes {
		s.say("Nothing was changed.")
	}
	return yes, err
}

// describe names what is in a configuration.
func describe(cfg config.Config) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(cfg.Providers)) {
		text := name
		if model := cfg.Providers[name].Model; model != "" {
			text += " (" + model + ")"
		}
		list = append(list, plain.Line(text))
	}
	if list == nil {
		return "no provider in it"
	}
	return strings.Join(list, ", ")
}

// save writes the configuration and says what comes next.
func (s *setup) save(p providers.Config) error {
	kept, err := config.Save(s.paths, config.Compose(p))
	if err != nil {
		return err
	}
	if kept != "" {
		s.say("The old configuration is kept as %s.", plain.Line(s.paths.Tilde(kept)))
	}
	s.say("Saved in %s.", plain.Line(s.paths.String()))
	s.say(`Next: tricode "explain this directory"`)
	return nil
}
