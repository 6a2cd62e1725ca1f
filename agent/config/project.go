package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ProjectFile is the configuration that a project brings, below the work directory.
const ProjectFile = ".tricode/config.toml"

// errOutside is the answer of os.Root to links that lead away, which it gives no name of its own.
var errOutside = errors.New("it leads out of the work directory")

// Project is the configuration that a project brings.
type Project struct {
	Dir      string            // of the project, absolute, links followed
	Text     []byte            // the file
	Waiting  []string          // the keys that count only with trust, dotted; an array of tables by its name
	Settings Config            // all that it says
	Trusted  bool              // a person trusts exactly this text
	Changed  bool              // a person trusted another one
	Programs map[string]string // with Trusted, the sums of the programs that it names, by absolute path
}

// ReadProject reads the configuration of the project in dir, nil if it has none. The file belongs to whoever wrote the
// repository, so settings by which it could lead conversations and keys elsewhere are mistakes, not ignored. Mistakes
// are an *Error.
func (c *Config) ReadProject(dir string) (*Project, error) {
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
	p := &Project{Dir: dir, Text: data}
	p.Settings.Paths = Paths{Home: c.Paths.Home, File: filepath.Join(dir, filepath.FromSlash(ProjectFile))}
	if err := d.settle(&p.Settings); err != nil { // values are checked whether they count or not
		return nil, err
	}
	if p.Waiting, err = d.waiting(&p.Settings.Permissions); err != nil {
		return nil, err
	}
	trust, err := LoadTrust(c.Paths)
	if err != nil {
		return nil, err
	}
	known, ok := trust[dir]
	p.Trusted = ok && known.Config == Sum(data)
	p.Changed = ok && !p.Trusted
	if p.Trusted {
		p.Programs = known.Programs
	}
	return p, nil
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

// waiting lists what counts only with trust. What a project must not set is a mistake.
func (d *document) waiting(p *Permissions) ([]string, error) {
	var list []string
	for _, key := range d.keys {
		top, _, _ := strings.Cut(key, ".")
		if top == "provider" || top == "providers" || top == "sandbox" || top == "terminal" {
			return nil, d.wrong(d.places[key].key, top+" can be set in your own configuration only, not by a project")
		}
		if name := p.waits(key); name != "" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list, nil
}
