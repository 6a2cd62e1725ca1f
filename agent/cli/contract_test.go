//go:build unix

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tricode/agent/config"
	"tricode/approval"
	"tricode/tools"
)

// The contract of the permission system, statement by statement, is in TestPolicySection1 to TestPolicySection5: words,
// modes, the order of a decision, rules, and where these come from. Flags and files are read, calls planned and decided
// as in a run; nothing is performed.

// statement is one sentence of the contract and what follows from it.
type statement struct {
	says    string
	flags   string // of the command line; single quotes keep blanks
	config  string // the person's own file
	project string // the file of the project
	trusted bool   // the project's file is trusted

	// want has a line for each call of one run: what becomes of it, with the number of the layer that says so perhaps,
	// and the call: "deny/4 rm x". Words that begin with no tool are a command. A call that is asked about is answered
	// with 1, 2 or n where that stands instead, with nobody after "ask". An "error" has the text of the mistake.
	want string
}

// holds tries statements in a world of their own.
func holds(t *testing.T, statements []statement) {
	w := newContractWorld(t)
	for _, s := range statements {
		t.Run(s.says, func(t *testing.T) {
			if strings.TrimSpace(s.want) == "" {
				t.Fatal("nothing follows from it")
			}
			c, j, err := w.judge(t, s)
			for line := range strings.Lines(w.places.Replace(s.want)) {
				want, call, _ := strings.Cut(strings.TrimSpace(line), " ")
				switch call = strings.TrimSpace(call); {
				case want == "":
				case want == "error":
					if err == nil || statusOf(err) != statusUsage || !strings.Contains(err.Error(), call) {
						t.Errorf("%v; want a mistake with %q", err, call)
					}
				case err != nil:
					t.Fatal(err)
				default:
					c.call(t, j, want, call)
				}
			}
		})
	}
}

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
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "TRICODE_CONFIG"} {
		t.Setenv(name, "")
	}
	for _, name := range []string{
		"work/old.txt", "work/src/main.go", "work/.env", "work/secrets/key", "work/secrets/server.pem", "work/go.lock", "work/-rf", "work/ours", "work/one", "work/many/x", "lib/x", "beside/x", "home/x",
	} {
		w.write(t, filepath.Join(root, name), "x")
	}
	for i := range 60 {
		w.write(t, filepath.Join(root, "work/many", fmt.Sprint(i)), "")
	}
	for link, target := range map[string]string{"work/out": "../beside", "work/link": "secrets"} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
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

// judge reads flags and files as a run does.
func (w *contractWorld) judge(t *testing.T, s statement) (*conversation, *judge, error) {
	t.Helper()
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
	var c commandLine
	if _, _, err := parse(&c, append(words(w.places.Replace(s.flags)), "-C", filepath.Join(w.root, "work"), "task"), io.Discard); err != nil {
		return nil, nil, err
	}
	j, err := c.judge()
	if err != nil {
		return nil, nil, err
	}
	t.Cleanup(j.close)
	talk := &conversation{}
	talk.gate = approval.Gate{Policy: j.policy, Asker: talk, NobodyContinues: true, Record: talk.record}
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

// conversation is a gate with a person who answers as told.
type conversation struct {
	gate   approval.Gate
	answer string
	asked  bool
	before approval.Decision // the question
	last   approval.Decision
}

var errNotPerformed = errors.New("not performed")

func (c *conversation) record(_ *approval.Action, d approval.Decision) error {
	c.last = d
	if d.Verdict == approval.Allow {
		return errNotPerformed
	}
	return nil
}

func (c *conversation) Ask(_ context.Context, _ *approval.Action, d approval.Decision) (approval.Answer, error) {
	c.asked, c.before = true, d
	choices := map[string]approval.Choice{"1": approval.Once, "2": approval.Always, "n": approval.Refuse}
	if choice, ok := choices[c.answer]; ok {
		return approval.Answer{Choice: choice}, nil
	}
	return approval.Answer{}, approval.ErrNobody
}

// call takes one call to the gate.
func (c *conversation) call(t *testing.T, j *judge, want, call string) {
	t.Helper()
	action := j.plan(t, call)
	verdict, layer, _ := strings.Cut(want, "/")
	c.answer, c.asked, c.last = verdict, false, approval.Decision{}
	_, err := c.gate.Do(t.Context(), action, io.Discard)
	if action.Fault() != nil && c.last.Verdict != approval.Deny {
		t.Fatalf("%s cannot be done: %v", call, err)
	}
	got, by := c.last.Verdict.String(), c.last.Layer
	if c.asked {
		if (got == "allow") != (verdict == "1" || verdict == "2") {
			t.Errorf("%s: %s after the answer %s", call, got, verdict)
		}
		got, by = "ask", c.before.Layer
	}
	if strings.Contains("12n", verdict) {
		verdict = "ask"
	}
	if got != verdict || layer != "" && fmt.Sprint(int(by)) != layer {
		t.Errorf("%s: %s by layer %d, %s (%s); want %s", call, got, int(by), by, c.last.Reason, want)
	}
}

// plan plans a call as words name it.
func (j *judge) plan(t *testing.T, call string) *approval.Action {
	t.Helper()
	name, what, _ := strings.Cut(call, " ")
	find := func() int {
		return slices.IndexFunc(j.tools, func(one tools.Tool) bool { return one.Name == name })
	}
	if find() < 0 {
		name, what = "run_command", call
	}
	args, err := j.arguments(name, what)
	if err != nil {
		t.Fatal(err)
	}
	if rest := map[string]string{
		"create_file": `,"content":"new"}`, "edit_file": `,"mode":"overwrite","content":"new"}`, "delete_path": `,"recursive":true}`,
		"move_path": `,"destination":"moved"}`,
	}[name]; rest != "" && what[0] != '{' {
		args = append(args[:len(args)-1], rest...)
	}
	action, err := j.tools[find()].Plan(t.Context(), args)
	if err != nil {
		t.Fatalf("%s %s: %v", name, args, err)
	}
	return action
}
