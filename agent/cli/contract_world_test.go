//go:build unix

package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tricode/agent/config"
	"tricode/approval"
	"tricode/tools"
)

// contractWorld is a home, a work directory and what is beside it.
type contractWorld struct {
	root   string
	places *strings.Replacer // @ROOT@, @HOME@
}

func newContractWorld(t *testing.T) *contractWorld {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(root, "home")
	w := &contractWorld{root, strings.NewReplacer("@ROOT@", root, "@HOME@", home)}
	t.Setenv("HOME", home)
	t.Setenv("PATH", os.Getenv("PATH")+":"+filepath.Join(root, "work/bin"))
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "TRICODE_CONFIG"} {
		t.Setenv(name, "")
	}
	for _, name := range []string{
		"work/old.txt", "work/src/main.go", "work/.env", "work/secrets/key", "work/secrets/server.pem", "work/go.lock", "work/-rf", "work/ours", "work/one", "work/many/x", "work/bin/nearby", "lib/x", "beside/x", "home/x", "home/.config/shared-lib/x",
	} {
		w.write(t, filepath.Join(root, name), "x")
	}
	for i := range 60 {
		w.write(t, filepath.Join(root, "work/many", fmt.Sprint(i)), "")
	}
	for link, target := range map[string]string{"work/out": "../beside", "work/link": "secrets", "work/hooks": ".git/hooks", "beside/.husky": "../lib", "work/linked.toml": "mine.toml"} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	w.write(t, filepath.Join(root, "work/mine.toml"), "")
	if err := os.Link(filepath.Join(root, "work/one"), filepath.Join(root, "work/two")); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *contractWorld) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

// prepare writes the files of a statement.
func (w *contractWorld) prepare(t *testing.T, s statement) {
	t.Helper()
	for _, variable := range strings.Fields(w.places.Replace(s.env)) {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
	own, project := filepath.Join(w.root, "home/.config/tricode"), filepath.Join(w.root, "work/.tricode")
	for dir, text := range map[string]string{own: s.config, project: s.project} {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if text != "" {
			w.write(t, filepath.Join(dir, "config.toml"), w.places.Replace(text))
		}
	}
	paths, err := config.Locate("", os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	trust := config.Trust{}
	if s.trusted {
		trust[filepath.Join(w.root, "work")] = config.Trusted{Config: config.Sum([]byte(w.places.Replace(s.project)))}
	}
	if err := config.SaveTrust(paths, trust); err != nil {
		t.Fatal(err)
	}
}

// judge reads flags and files as a run does.
func (w *contractWorld) judge(t *testing.T, s statement) (*conversation, *judge, error) {
	t.Helper()
	return w.typed(t, s, words(w.places.Replace(s.flags)))
}

// typed is judge with the words of the command line.
func (w *contractWorld) typed(t *testing.T, s statement, flags []string) (*conversation, *judge, error) {
	t.Helper()
	w.prepare(t, s)
	var c commandLine
	if _, _, err := parse(&c, append(flags, "-C", filepath.Join(w.root, "work"), "task"), io.Discard); err != nil {
		return nil, nil, err
	}
	j, err := c.judge()
	if err != nil {
		return nil, nil, err
	}
	t.Cleanup(j.close)
	talk, plan := &conversation{performs: s.done}, &tools.Plan{}
	talk.gate = approval.Gate{Policy: j.policy, Asker: talk, NobodyContinues: true, Record: talk.record}
	j.gate = &talk.gate
	if j.tools = j.allTools(plan); j.planRequired {
		talk.gate.Before = plan.Require
	}
	if talk.gate.Hooks, err = j.newHooks(&config.Config{Hooks: j.asked}); err != nil {
		t.Fatal(err)
	}
	return talk, j, nil
}

// words splits at blanks outside single quotes.
func words(line string) (all []string) {
	for i, part := range strings.Split(line, "'") {
		switch {
		case i%2 == 0:
			all = append(all, strings.Fields(part)...)
		default:
			all = append(all, part)
		}
	}
	return all
}
