package tools

import (
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tricode/approval"
	"tricode/workdir"
	"tricode/workdir/sandbox"
)

// yes is an Asker that allows everything once, after it did what a test wants done between question and answer.
type yes struct {
	asked     int
	meanwhile func()
}

func (y *yes) Ask(context.Context, *approval.Action, approval.Decision) (approval.Answer, error) {
	y.asked++
	if y.meanwhile != nil {
		y.meanwhile()
	}
	return approval.Answer{Choice: approval.Once}, nil
}

// place is a work directory with the files of a test, and a gate in front of it.
type place struct {
	t    *testing.T
	dir  string
	w    World
	gate *approval.Gate
	yes  *yes
}

// newPlace makes the files of the map: a name that ends in a slash is a directory, a text that begins with "-> " a link.
func newPlace(t *testing.T, files map[string]string) *place {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, dir: dir, yes: &yes{}}
	for name, text := range files {
		p.put(name, text)
	}
	d, err := workdir.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	p.w = World{Dir: d, Box: &sandbox.Box{Dir: dir}, Home: "/nowhere"}
	t.Cleanup(func() { p.w.Box.Close() })
	p.gate = &approval.Gate{Policy: approval.Policy{WorkDir: d.Name()}, Asker: p.yes}
	return p
}

func (p *place) put(name, text string) {
	p.t.Helper()
	at := filepath.Join(p.dir, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(at), 0o755)
	if target, ok := strings.CutPrefix(text, "-> "); ok && err == nil {
		err = os.Symlink(target, at)
	} else if strings.HasSuffix(name, "/") && err == nil {
		err = os.MkdirAll(at, 0o755)
	} else if err == nil {
		err = os.WriteFile(at, []byte(text), 0o644)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// files is everything below the directory, in the form that newPlace takes.
func (p *place) files() map[string]string {
	p.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(p.dir, func(at string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(p.dir, at)
		switch rel = filepath.ToSlash(rel); {
		case err != nil || rel == ".":
			return err
		case e.IsDir():
			all[rel+"/"] = ""
		case e.Type() == fs.ModeSymlink:
			target, err := os.Readlink(at)
			all[rel] = "-> " + target
			return err
		default:
			data, err := os.ReadFile(at)
			all[rel] = string(data)
			return err
		}
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return all
}

func (p *place) names() string {
	var names []string
	for name := range p.files() {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// plan plans one call; args are a JSON object.
func (p *place) plan(tool, args string) (*approval.Action, error) {
	p.t.Helper()
	for _, known := range All(p.w) {
		if known.Name == tool {
			return known.Plan(p.t.Context(), json.RawMessage(args))
		}
	}
	p.t.Fatalf("no tool %s", tool)
	return nil, nil
}

// call plans one call and brings it before the gate.
func (p *place) call(tool, args string) (string, error) {
	p.t.Helper()
	a, err := p.plan(tool, args)
	if err != nil {
		return "", err
	}
	got, err := p.gate.Do(p.t.Context(), a, io.Discard)
	return got.Text, err
}

// object is the JSON text of arguments, given as names and values in turn.
func object(pairs ...any) string {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	text, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(text)
}
