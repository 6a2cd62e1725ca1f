package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Paths are the places where tricode looks for what is the person's own.
type Paths struct {
	File  string // the configuration, absolute
	Named bool   // File was named by a person, so it must exist
	Dir   string // where the configuration is unless one is named, absolute; empty where no home directory is known
	State string // directory of transcripts and the like, absolute; made when it is needed
	Home  string // the home directory; may be empty
	shown string // File as it appears in messages
}

// Locate finds the paths. The configuration is the file named by flag or by TRICODE_CONFIG, otherwise
// $XDG_CONFIG_HOME/tricode/config.toml; the state is in $XDG_STATE_HOME/tricode
// (https://specifications.freedesktop.org/basedir-spec/latest/).
func Locate(flag string, env func(string) string) (Paths, error) {
	home, _ := os.UserHomeDir() // without one the two variables must be set
	if home != "" && !filepath.IsAbs(home) {
		return Paths{}, fmt.Errorf("the home directory (HOME) is %q, which is no absolute path", home)
	}
	p := Paths{Home: home}
	state, err := base(env("XDG_STATE_HOME"), home, ".local/state")
	if err != nil {
		return p, err
	}
	p.State = filepath.Join(state, "tricode")
	dir, nowhere := base(env("XDG_CONFIG_HOME"), home, ".config")
	if nowhere == nil {
		p.Dir = filepath.Join(dir, "tricode")
	}
	p.shown, err = named(flag, env("TRICODE_CONFIG"))
	switch {
	case err != nil:
		return p, err
	case p.shown != "":
		p.Named = true
		p.File, err = filepath.Abs(p.shown)
		return p, err
	case nowhere != nil:
		return p, nowhere
	}
	p.File = filepath.Join(p.Dir, "config.toml")
	p.shown = p.Tilde(p.File)
	return p, nil
}

// String is the file as a person wants to read it.
func (p Paths) String() string {
	if p.shown == "" {
		return p.File
	}
	return p.shown
}

// Tilde writes the home directory at the beginning of a path as "~".
func (p Paths) Tilde(path string) string {
	if rest, ok := strings.CutPrefix(path, p.Home+string(filepath.Separator)); ok && p.Home != "" {
		return "~" + string(filepath.Separator) + rest
	}
	return path
}

// base is a base directory: what the variable says if that is absolute, as the specification wants it, or the usual place.
func base(value, home, usual string) (string, error) {
	if filepath.IsAbs(value) {
		return value, nil
	}
	if home == "" {
		return "", fmt.Errorf("there is no home directory to find ~/%s in", usual)
	}
	return filepath.Join(home, filepath.FromSlash(usual)), nil
}

// named is the file that a person named, by one way or the other.
func named(flag, env string) (string, error) {
	switch {
	case flag == "":
		return env, nil
	case env == "" || same(flag, env):
		return flag, nil
	}
	return "", fmt.Errorf("--config %s and TRICODE_CONFIG=%s name different files", flag, env)
}

func same(a, b string) bool {
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	if errA == nil && errB == nil && absA == absB {
		return true
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
