package config

import (
	"errors"
	"testing"

	"tricode/providers"
)

func TestChoose(t *testing.T) {
	one := map[string]providers.Config{"local": {Name: "local", Model: "small"}}
	two := map[string]providers.Config{"local": {Name: "local", Model: "small"}, "openai": {Name: "openai"}}
	for _, tt := range []struct {
		name            string
		cfg             Config
		provider, model string
		want, wantModel string
		err             string
	}{
		{name: "nothing", err: "no provider is configured"},
		{name: "the only one", cfg: Config{Providers: one}, want: "local", wantModel: "small"},
		{name: "the file's", cfg: Config{Provider: "local", Providers: two}, want: "local", wantModel: "small"},
		{name: "the command line's", cfg: Config{Provider: "local", Providers: two}, provider: "openai", model: "big", want: "openai", wantModel: "big"},
		{name: "model of the command line", cfg: Config{Providers: one}, model: "big", want: "local", wantModel: "big"},
		{name: "the provider's model first", cfg: Config{Providers: one, Model: "any"}, want: "local", wantModel: "small"},
		{name: "the file's model", cfg: Config{Providers: two, Model: "any"}, provider: "openai", want: "openai", wantModel: "any"},
		{name: "no model", cfg: Config{Providers: two}, provider: "openai", err: `provider "openai" has no model`},
		{name: "several", cfg: Config{Providers: two}, err: "config.toml has several providers and none is chosen: local, openai"},
		{name: "unknown", cfg: Config{Providers: two}, provider: "opnai", err: `no provider "opnai" in config.toml (did you mean "openai"?)`},
		{name: "unknown in the file", cfg: Config{Provider: "zzz", Providers: one}, err: `no provider "zzz" in config.toml`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.cfg.Paths.shown = "config.toml"
			got, err := tt.cfg.Choose(tt.provider, tt.model)
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Errorf("Choose = %v; want %s", err, tt.err)
				}
				return
			}
			if err != nil || got.Name != tt.want || got.Model != tt.wantModel {
				t.Errorf("Choose = %s, %s, %v; want %s, %s", got.Name, got.Model, err, tt.want, tt.wantModel)
			}
		})
	}
	if _, err := (&Config{}).Choose("", ""); !errors.Is(err, ErrNoProvider) {
		t.Errorf("Choose without providers = %v; want ErrNoProvider", err)
	}
}
