package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
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
	protected, waiting, err := d.project(c.Paths.Home)
	c.Permissions.Protected = append(c.Permissions.Protected, protected...)
	return waiting, err
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

// project divides what the document says into what counts, what waits and what must not be there.
func (d *document) project(home string) (protected, waiting []string, err error) {
	all := Config{Paths: Paths{Home: home}} // values are checked whether they count or not
	if err := d.settle(&all); err != nil {
		return nil, nil, err
	}
	for _, key := range d.keys {
		top, _, _ := strings.Cut(key, ".")
		switch {
		case top == "provider" || top == "providers":
			return nil, nil, d.wrong(d.places[key].key, top+" can be set in your own configuration only, not by a project")
		case key == "permissions.protected":
			protected = all.Permissions.Protected
		default:
			waiting = append(waiting, key)
		}
	}
	return protected, waiting, nil
}
