package config

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"

	"tricode/providers"
)

// provider finishes the section of a provider, and finds values that make no sense.
func (d *document) provider(name string, p *providers.Config, paths Paths) error {
	p.Name = name
	key := join("providers", name) + "."
	if err := d.atLeastOne(key+"max_tokens", p.MaxTokens); err != nil {
		return err
	}
	if t := p.Temperature; t != nil && !(*t >= 0 && *t <= 10) {
		return d.wrongValue(key+"temperature", "must be a number from 0 on")
	}
	if _, err := json.Marshal(p.ExtraBody); err != nil {
		return d.wrong(d.within(key+"extra_body"), "extra_body has a value in it that JSON does not have")
	}
	for _, header := range slices.Sorted(maps.Keys(p.Headers)) {
		if !token(header) || strings.ContainsFunc(p.Headers[header], func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			return d.wrong(d.places[join(key+"headers", header)].key, quote(header)+" is no header of a request")
		}
	}
	for _, other := range p.Fallback {
		if _, ok := d.file.Providers[other]; !ok || other == name {
			return d.wrongValue(key+"fallback", "has %s in it, which is no other provider of this file", quote(other))
		}
	}
	if p.CAFile != "" {
		files, err := d.paths(key+"ca_file", []string{p.CAFile}, paths)
		if err != nil {
			return err
		}
		p.CAFile = files[0]
	}
	if err := d.keyring(key, p); err != nil {
		return err
	}
	return d.models(key+"models", p.Models)
}

// within is where the first of what stands in a table is.
func (d *document) within(table string) int {
	first := len(d.data)
	for key, at := range d.places {
		if strings.HasPrefix(key, table+".") {
			first = min(first, at.key)
		}
	}
	return first
}

// token reports whether a text can be the name of a header (RFC 9110, 5.6.2).
func token(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

// keyring makes the command of a key that lies in the keyring of the system, by the program that comes with that.
func (d *document) keyring(key string, p *providers.Config) error {
	if _, ok := d.places[key+"keyring"]; !ok {
		return nil
	}
	service, user, ok := strings.Cut(p.Keyring, "/")
	switch {
	case !ok || service == "" || user == "" || strings.ContainsRune(p.Keyring, 0):
		return d.wrongValue(key+"keyring", `must be "SERVICE/USER"`)
	case len(p.KeyCommand) > 0:
		return d.wrongValue(key+"keyring", "and api_key_command contradict each other")
	}
	command, err := keyringCommand(runtime.GOOS, service, user)
	if err != nil {
		return d.wrongValue(key+"keyring", "%v", err)
	}
	p.KeyCommand = command
	return nil
}

// keyringCommand prints a password of a keyring: security(1) of macOS, elsewhere secret-tool(1) of libsecret, with
// the attributes by which most programs store one.
func keyringCommand(system, service, user string) ([]string, error) {
	switch system {
	case "darwin":
		return []string{"security", "find-generic-password", "-w", "-s", service, "-a", user}, nil
	case "windows":
		return nil, errors.New("is not known on Windows; api_key_command names a program that prints the key")
	}
	return []string{"secret-tool", "lookup", "service", service, "username", user}, nil
}

// models checks what is said about models.
func (d *document) models(key string, models []providers.Model) error {
	seen := map[string]bool{}
	for i, m := range models {
		key := elementKey(key, i)
		switch {
		case m.ID == "":
			return d.wrong(d.places[key].key, "the model has no id")
		case seen[m.ID]:
			return d.wrongValue(key+".id", "%s is there already", quote(m.ID))
		}
		seen[m.ID] = true
		if err := d.atLeastOne(key+".context_window", m.ContextWindow); err != nil {
			return err
		}
		for _, price := range []struct {
			key   string
			value *float64
		}{{"input_price", &m.InputPrice}, {"cached_price", m.CachedPrice}, {"output_price", &m.OutputPrice}} {
			if price.value != nil && !(*price.value >= 0 && *price.value < math.MaxInt32) {
				return d.wrongValue(key+"."+price.key, "must be US dollars for a million tokens")
			}
		}
	}
	return nil
}
