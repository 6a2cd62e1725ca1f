package cli

import (
	_ "embed"
	"os"
	"path/filepath"

	"tricode/agent"
	"tricode/providers/scripted"
)

//go:embed demo.toml
var demoScript []byte

// demoTask is what the script does.
const demoTask = "Tidy up this project."

// demoFarewell is said at the end, however the demo ended.
const demoFarewell = `The demo is over and its directory removed. Next: "tricode init" sets up a real model.`

// demonstration is a project in a directory of its own, and a model that plays a script on it.
type demonstration struct {
	dir   string
	model agent.Model
}

// newDemonstration makes the directory; remove takes it away again.
func newDemonstration() (*demonstration, error) {
	model, err := scripted.Parse("demo.toml", demoScript)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "tricode-demo-")
	if err != nil {
		return nil, err
	}
	d := &demonstration{dir: dir, model: model}
	if err := makeProject(dir); err != nil {
		d.remove()
		return nil, err
	}
	return d, nil
}

// remove takes the directory away: nothing in it is worth keeping, and nobody would think of it later.
func (d *demonstration) remove() error { return os.RemoveAll(d.dir) }

// demoProject is a small project that could be tidier.
var demoProject = map[string]string{
	"greet.sh":         "#!/bin/sh\n# Says hello to somebody.\necho \"Helo, $1!\"\n",
	"test.sh":          "#!/bin/sh\nsaid=$(sh greet.sh Ann)\nif [ \"$said\" = \"Hello, Ann!\" ]; then\n\techo \"ok: $said\"\nelse\n\techo \"wrong: $said\"\n\texit 1\nfi\n",
	"old/greet-1.sh":   "echo hi\n",
	"old/greet-2.sh":   "echo hello\n",
	"old/notes (2).md": "- find out which greet.sh is the right one\n",
}

// makeProject fills an empty directory.
func makeProject(dir string) error {
	for name, text := range demoProject {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
