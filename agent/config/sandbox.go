package config

import (
	"path/filepath"
	"slices"
	"strings"

	"tricode/workdir/sandbox"
)

// sandboxTable is [sandbox] as a file has it, see sandbox.Config.
type sandboxTable struct {
	Mode     string   `toml:"mode"`
	Network  *bool    `toml:"network"`
	Writable []string `toml:"writable"`
	Readable []string `toml:"readable"`
	Secrets  bool     `toml:"secrets"`
	Caches   *bool    `toml:"caches"`
	Sockets  []string `toml:"sockets"`
	Env      []string `toml:"env"`
	Shell    string   `toml:"shell"`
}

// Sandbox is what is said about the boxes of programs, and where: the keys of Sources are those of [sandbox].
type Sandbox struct {
	sandbox.Config
	Sources map[string]string
}

func (d *document) sandbox(s *Sandbox, p Paths) error {
	in := &d.file.Sandbox
	s.NoNetwork, s.NoCaches = in.Network != nil && !*in.Network, in.Caches != nil && !*in.Caches
	s.Secrets, s.Env = in.Secrets, in.Env
	s.Sources = d.sources("sandbox.")
	var err error
	if _, ok := d.places["sandbox.mode"]; ok {
		if s.Mode, err = sandbox.ParseMode(in.Mode); err != nil {
			return d.wrongValue("sandbox.mode", "%s is not one of auto, require, off", quote(in.Mode))
		}
	}
	for _, list := range []struct {
		key   string
		paths []string
		to    *[]string
	}{
		{"sandbox.writable", in.Writable, &s.Writable}, {"sandbox.readable", in.Readable, &s.Readable}, {"sandbox.sockets", in.Sockets, &s.Sockets},
	} {
		if *list.to, err = d.paths(list.key, list.paths, p); err != nil {
			return err
		}
	}
	if slices.Contains(s.Writable, string(filepath.Separator)) {
		return d.wrongValue("sandbox.writable", "has the root directory in it; mode = \"off\" enforces nothing")
	}
	for _, name := range in.Env {
		if !variable(name) {
			return d.wrongValue("sandbox.env", "has %s in it, which is no name of a variable", quote(name))
		}
	}
	return d.realShell(s, p)
}

// realShell is the shell that takes the place of the interpreter.
func (d *document) realShell(s *Sandbox, p Paths) error {
	const key = "sandbox.shell"
	if _, ok := d.places[key]; !ok {
		return nil
	}
	shell := d.file.Sandbox.Shell
	if !strings.HasPrefix(shell, "~/") && !filepath.IsAbs(shell) {
		return d.wrongValue(key, "must be an absolute path")
	}
	paths, err := d.paths(key, []string{shell}, p)
	if err != nil {
		return err
	}
	s.Shell = paths[0]
	return nil
}

// variable reports whether a variable of the environment can have a name. Windows has names with parentheses.
func variable(name string) bool {
	return name != "" && !strings.ContainsAny(name, "=*? \t\n\x00$")
}
