// Package config reads the configuration: the person's own file, and the one a project brings, which can only
// tighten. A file with anything in it that is not understood is refused, with line and column.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"

	"tricode/agent"
	"tricode/approval"
	"tricode/approval/hook"
	"tricode/providers"
)

// Config is the person's own configuration. The zero Config is that of an empty file.
type Config struct {
	Paths       Paths
	Provider    string                      // the provider to use unless the command line names one
	Model       string                      // for providers that name none
	Providers   map[string]providers.Config // by name; Name is set in each
	Permissions Permissions
	Agent       Agent
	Sandbox     Sandbox
	Notify      bool              // the terminal tells when a question waits
	Hooks       []hook.Hook       // in the order in which they are asked
	Programs    map[string]string // the sums of programs of the project that a person trusts, by absolute path
	Warnings    []string          // what a person should know about the file, a line each
}

// Permissions are the settings of the policy.
type Permissions struct {
	Mode                  approval.Mode    // never bypass
	Default               approval.Verdict // where nothing else decides: ask or deny
	Protected             []string         // globs that nothing may write to
	MaxUntrackedDeletes   int              // see approval.Policy; 0 if nothing is said
	AdditionalDirectories []string         // absolute

	Tools map[string]approval.Verdict // what usually becomes of a tool
	Rules []approval.Rule             // the project's before the person's, each in the order of its file
	Tests []Test                      // what a file wants to be decided

	Sources map[string]string // where the settings of [permissions] are written, as in "config.toml:12", by their keys; a project's items of lists have their own, "protected.GLOB"
}

// Test is a call and what shall be decided about it.
type Test struct {
	Tool   string
	Args   any // a table of arguments, or the text of the one argument that the tool needs
	Expect approval.Verdict
	Source string // where it is written
}

// Agent are the settings of the run.
type Agent struct {
	PlanRequired bool
	Limits       agent.Limits
}

// Error is a mistake in a configuration file. It quotes no more than the name of a key, or a value where only a few
// are possible: what stands around them may be a secret.
type Error struct {
	File         string // as a person wants to read it
	Line, Column int    // from 1, the column in characters; 0 if it is about the whole file
	Text         string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Text
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Text)
}

// Load reads the person's own configuration. No file is an empty one, unless a person named it. Mistakes are
// an *Error.
func Load(p Paths) (Config, error) {
	cfg := Config{Paths: p}
	f, err := os.OpenFile(p.File, os.O_RDONLY|nonblock, 0)
	if err != nil {
		if !p.Named && missing(err) {
			return cfg, nil
		}
		return cfg, &Error{File: p.String(), Text: cause(err)}
	}
	defer f.Close()
	data, info, err := read(f)
	if err != nil {
		return cfg, &Error{File: p.String(), Text: cause(err)}
	}
	d, err := parse(p.String(), data)
	if err != nil {
		return cfg, err
	}
	if err := d.settle(&cfg); err != nil {
		return cfg, err
	}
	cfg.Warnings = access(p, info.Mode(), cfg.Providers)
	return cfg, nil
}

// maxFile bounds a configuration file, in bytes. The decoder takes time with the square of the number of keys: half a
// second for this size at worst.
const maxFile = 128 << 10

// read returns the whole file, which must be a regular one: others may never end, or never begin.
func read(f *os.File) ([]byte, fs.FileInfo, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	switch {
	case info.IsDir():
		return nil, nil, errors.New("it is a directory")
	case !info.Mode().IsRegular():
		return nil, nil, errors.New("it is not a regular file")
	}
	data, err := readAll(f)
	return data, info, err
}

// missing reports whether there is no such file, for whatever reason.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, notDirectory) }

// cause is what went wrong, without the name of the system call and the file, which the message has already.
func cause(err error) string {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return failed.Err.Error()
	}
	return err.Error()
}

// access warns of a file that others can read a key from, or write to. Windows says nothing about it in a mode.
func access(p Paths, mode fs.FileMode, all map[string]providers.Config) []string {
	if runtime.GOOS == "windows" {
		return nil
	}
	var warnings []string
	if mode.Perm()&0o044 != 0 && holdKey(all) {
		warnings = append(warnings, fmt.Sprintf("%s holds a key and can be read by other users; chmod 600 %[1]s", p))
	}
	if mode.Perm()&0o022 != 0 {
		warnings = append(warnings, fmt.Sprintf("%s can be changed by other users; chmod 600 %[1]s", p))
	}
	return warnings
}

func holdKey(all map[string]providers.Config) bool {
	for _, c := range all {
		if c.HoldsKey() {
			return true
		}
	}
	return false
}
