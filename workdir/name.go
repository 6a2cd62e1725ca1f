package workdir

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Bounds of names, as Linux has them.
const (
	maxName = 4096 // bytes of a name, PATH_MAX
	maxPart = 255  // bytes of a component, NAME_MAX
)

var errLong = errors.New("name is too long")

func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("name is empty")
	case len(name) > maxName:
		return errLong
	case strings.IndexByte(name, 0) >= 0:
		return errors.New("name has a NUL byte")
	case !utf8.ValidString(name):
		return errors.New("name is not valid UTF-8")
	}
	for part := range strings.SplitSeq(filepath.ToSlash(name), "/") {
		if len(part) > maxPart {
			return errLong
		}
	}
	return checkSystem(name)
}

// brief is a name short enough for a message.
func brief(name string) string {
	const most = 80
	if name == "" {
		return `""`
	}
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "") + "…"
}

// absolute puts the directory before name that it starts from. It does not clean it.
func (d *Dir) absolute(name string) (string, error) {
	if name == "~" || strings.HasPrefix(name, "~/") {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(home) {
			return "", fmt.Errorf("home directory %s is not absolute", home)
		}
		return filepath.ToSlash(home) + name[1:], nil
	}
	if filepath.IsAbs(name) {
		return name, nil
	}
	if strings.HasPrefix(name, "/") { // on Windows: of the current drive
		volume, _ := split(d.Name())
		return volume + name, nil
	}
	return d.Name() + "/" + name, nil
}

// spelled is an absolute path cleaned as it was written, but for the spelling of the directories themselves.
func (d *Dir) spelled(written string) string {
	volume, rest := split(written)
	written = volume + rest
	for _, r := range d.roots {
		if rel, ok := below(written, r.via); ok {
			return path.Join(r.path, rel)
		}
	}
	return written
}
