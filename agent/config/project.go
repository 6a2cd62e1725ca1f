package config

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tricode/approval"
)

// ProjectFile is the configuration that a project brings, below the work directory.
const ProjectFile = ".tricode/config.toml"

// errOutside is the answer of os.Root to links that lead away, which it gives no name of its own.
var errOutside = errors.New("it leads out of the work directory")

// AddProject reads the configuration of the project in dir and adds what makes the rules stricter. All else in it waits
// until a person trusts it: waiting has those keys, dotted. The file belongs to whoever wrote the repository, so
// settings by which it could lead conversations and keys elsewhere are mistakes, not ignored. No file is an empty
// one. Mistakes are an *Error.
func (c *Config) AddProject(dir string) (waiting []string, err error) {
	data, err := readProject(dir)
	switch {
	case err != nil && missing(err):
		return nil, nil
	case err != nil:
		return nil, &Error{File: ProjectFile, Text: cause(err)}
	}
	d, err := parse(ProjectFile, data)
	if err != nil {
		return nil, err
	}
	p, waiting, err := d.project(c.Paths.Home)
	if err != nil {
		return nil, err
	}
	c.Permissions.Protected = append(c.Permissions.Protected, p.Protected...)
	c.Permissions.Rules = append(strict(p, c.Permissions.Default), c.Permissions.Rules...)
	return waiting, nil
}

// strict are the rules of a project that count without trust: those that deny or ask. Where the default is to deny,
// a question would be less strict.
func strict(p Permissions, otherwise approval.Verdict) []approval.Rule {
	var rules []approval.Rule
	for _, r := range p.Rules {
		if r.Action == approval.Ask && otherwise == approval.Deny {
			r.Action = approval.Deny
		}
		if r.Action != approval.Allow {
			rules = append(rules, r)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Tools)) {
		if p.Tools[name] == approval.Deny {
			rules = append(rules, approval.Rule{Tool: name, Action: approval.Deny, Source: p.Sources[join("tools", name)]})
		}
	}
	return rules
}

func readProject(dir string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.OpenFile(filepath.FromSlash(ProjectFile), os.O_RDONLY|nonblock, 0)
	if err != nil {
		if strings.Contains(err.Error(), "escapes from parent") {
			return nil, errOutside
		}
		return nil, err
	}
	defer f.Close()
	data, _, err := read(f)
	return data, err
}

// project is what the document says of permissions, and the keys in it that wait for trust, or an error for what
// must not be there.
func (d *document) project(home string) (p Permissions, waiting []string, err error) {
	all := Config{Paths: Paths{Home: home}} // values are checked whether they count or not
	if err := d.settle(&all); err != nil {
		return p, nil, err
	}
	for _, key := range d.keys {
		top, _, _ := strings.Cut(key, ".")
		if top == "provider" || top == "providers" {
			return p, nil, d.wrong(d.places[key].key, top+" can be set in your own configuration only, not by a project")
		}
		if name := all.Permissions.waits(key); name != "" && !slices.Contains(waiting, name) {
			waiting = append(waiting, name)
		}
	}
	return all.Permissions, waiting, nil
}
