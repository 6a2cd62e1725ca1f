//go:build linux

package tools

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tricode/approval"
)

// asker answers with what the test has, and keeps what it was asked.
type asker struct {
	answers   []approval.Answer
	asked     []*approval.Action
	meanwhile func()
}

func (a *asker) Ask(_ context.Context, action *approval.Action, _ approval.Decision) (approval.Answer, error) {
	a.asked = append(a.asked, action)
	if len(a.asked) > 1 && a.meanwhile != nil {
		a.meanwhile()
	}
	if len(a.asked) > len(a.answers) {
		return approval.Answer{Choice: approval.Once}, nil
	}
	return a.answers[len(a.asked)-1], nil
}

// previews is a place where commands run in previews; the test is skipped where the system cannot do that.
func previews(t *testing.T, files map[string]string) (*place, *asker) {
	t.Helper()
	syscall.Umask(0o022) // modes are shown
	p := newPlace(t, files)
	p.w.Boxes = &Boxes{Box: p.w.Box, Dir: p.w.Dir, Home: p.w.Home, Layer: filepath.Join(t.TempDir(), "layer")}
	if err := p.w.Boxes.Previews(t.Context()); err != nil {
		t.Skip("no previews here: ", err)
	}
	t.Cleanup(func() { p.w.Boxes.Close() })
	a := &asker{}
	p.gate.Asker = a
	return p, a
}

// shownAs are the lines of a section of a preview.
func shownAs(a *approval.Action, title string) []string {
	for _, s := range a.Preview.Sections {
		if s.Title == title {
			return s.Lines
		}
	}
	return nil
}

func TestPreview(t *testing.T) {
	before := map[string]string{
		"a": "one\ntwo\n", "run": "#!/bin/sh\n", "d/": "", "d/x": "x\n", "d/y": "y\n", "d/e/": "", "d/e/z": "z\n", "l": "-> a", "b": "\x00\x01\x02",
	}
	for _, test := range []struct {
		command string
		places  string            // what the person is shown
		want    map[string]string // what is different afterwards; "-" is gone
	}{
		{"echo three >>a", "changed a (+1)", map[string]string{"a": "one\ntwo\nthree\n"}},
		{"echo new >n", "made n (4 B)", map[string]string{"n": "new\n"}},
		{"mkdir -p p/q && echo new >p/q/r", "made p/; made p/q/; made p/q/r (4 B)", map[string]string{"p/": "", "p/q/": "", "p/q/r": "new\n"}},
		{"rm a", "deleted a (1 file, 8 B, not tracked by git)", map[string]string{"a": "-"}},
		{"rm -r d", "deleted d (3 files, 6 B, not tracked by git)", map[string]string{"d/": "-", "d/x": "-", "d/y": "-", "d/e/": "-", "d/e/z": "-"}},
		{"rm -r d && mkdir d && echo new >d/x", "deleted d/e (1 file, 2 B, not tracked by git); deleted d/y (1 file, 2 B, not tracked by git); changed d/x (+1 -1)",
			map[string]string{"d/x": "new\n", "d/y": "-", "d/e/": "-", "d/e/z": "-"}},
		{"rm -r d && echo file >d", "deleted d (3 files, 6 B, not tracked by git); made d (5 B)", map[string]string{"d": "file\n", "d/": "-", "d/x": "-", "d/y": "-", "d/e/": "-", "d/e/z": "-"}},
		{"rm a && mkdir a && echo in >a/in", "deleted a (1 file, 8 B, not tracked by git); made a/; made a/in (3 B)", map[string]string{"a": "-", "a/": "", "a/in": "in\n"}},
		{"mv d/x d/w", "made d/w (2 B); deleted d/x (1 file, 2 B, not tracked by git)", map[string]string{"d/x": "-", "d/w": "x\n"}},
		{"mv d/e f", "deleted d/e (1 file, 2 B, not tracked by git); made f/; made f/z (2 B)", map[string]string{"d/e/": "-", "d/e/z": "-", "f/": "", "f/z": "z\n"}},
		{"ln -s d/x m", "made m -> d/x", map[string]string{"m": "-> d/x"}},
		{"ln -sfn d l", "changed l -> d", map[string]string{"l": "-> d"}},
		{"rm l && echo file >l", "changed l (+1; -rw-r--r--, was Lrwxrwxrwx)", map[string]string{"l": "file\n"}},
		{"rm a && ln -s b a", "changed a -> b (Lrwxrwxrwx, was -rw-r--r--)", map[string]string{"a": "-> b"}},
		{"rm l && mkdir -p l/m && echo in >l/m/n", "deleted l (a link); made l/; made l/m/; made l/m/n (3 B)", map[string]string{"l": "-", "l/": "", "l/m/": "", "l/m/n": "in\n"}},
		{"rm -r d && ln -s e d && rm d && mkdir d && ln -s ../a d/up", "deleted d/e (1 file, 2 B, not tracked by git); deleted d/x (1 file, 2 B, not tracked by git); deleted d/y (1 file, 2 B, not tracked by git); made d/up -> ../a",
			map[string]string{"d/x": "-", "d/y": "-", "d/e/": "-", "d/e/z": "-", "d/up": "-> ../a"}},
		{"echo through >l", "changed a (+1 -2)", map[string]string{"a": "through\n"}},
		{"printf '\\3\\0' >b", "changed b (2 B, was 3 B)", map[string]string{"b": "\x03\x00"}},
		{"touch a && cat a >t && rm t && chmod 600 a && chmod 644 a", "", nil},
		{"cat a >$TMPDIR/x && false", "", nil},
	} {
		p, asked := previews(t, before)
		got, err := p.call("run_command", object("command", test.command))
		if err != nil {
			t.Errorf("%s: %v", test.command, err)
			continue
		}
		places := ""
		if last := asked.asked[len(asked.asked)-1]; last.Confirm {
			places = strings.Join(shownAs(last, "Changed"), "; ")
		} else if !strings.Contains(got, "nothing in the work directory changed") {
			t.Errorf("%s: %q", test.command, got)
		}
		if places != test.places {
			t.Errorf("%s: shown as\n%s; want\n%s", test.command, places, test.places)
		}
		want := maps.Clone(before)
		for name, text := range test.want {
			if want[name] = text; text == "-" {
				delete(want, name)
			}
		}
		if files := p.files(); !maps.Equal(files, want) {
			t.Errorf("%s: %v; want %v", test.command, files, want)
		}
		if _, err := os.Stat(p.w.Boxes.Layer); err == nil {
			t.Errorf("%s: the layer is still there", test.command)
		}
	}
}

func TestPreviewModes(t *testing.T) {
	p, asked := previews(t, map[string]string{"run": "#!/bin/sh\n", "d/x": "x", "g/x": "x"})
	if _, err := p.call("run_command", object("command", "chmod 755 run; chmod 700 d; mkdir -m 500 e; install -m 600 /dev/null f; chmod g+s g; mkdir h; chmod +t h")); err != nil {
		t.Fatal(err)
	}
	want := "changed d/ (drwx------, was drwxr-xr-x); made e/; made f (0 B); changed g/ (dgrwxr-xr-x, was drwxr-xr-x); made h/; changed run (-rwxr-xr-x, was -rw-r--r--)"
	if got := strings.Join(shownAs(asked.asked[1], "Changed"), "; "); got != want {
		t.Errorf("shown as\n%s; want\n%s", got, want)
	}
	for name, want := range map[string]os.FileMode{
		"run": 0o755, "d": os.ModeDir | 0o700, "e": os.ModeDir | 0o500, "f": 0o600, "g": os.ModeDir | os.ModeSetgid | 0o755, "h": os.ModeDir | os.ModeSticky | 0o755,
	} {
		if info, err := os.Stat(filepath.Join(p.dir, name)); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v; want %v", name, info.Mode(), err, want)
		}
	}
}

// What a person does not want changes nothing, and neither does what changed meanwhile.
func TestPreviewDropped(t *testing.T) {
	for _, test := range []struct {
		name, command string
		answer        approval.Answer
		meanwhile     func(p *place)
		want          string
	}{
		{"refused", "echo new >a; rm b", approval.Answer{Choice: approval.Refuse, Reason: "leave b"}, nil, "nothing of what it changed was kept: a person said no: leave b"},
		{"changed", "echo new >a; rm b", approval.Answer{Choice: approval.Once}, func(p *place) { p.put("a", "mine") }, "a: changed since it was looked at; nothing of what the command changed was kept"},
		{"changed what goes", "echo new >a; rm b", approval.Answer{Choice: approval.Once}, func(p *place) { p.put("b", "mine") }, "changed since it was looked at; nothing"},
		{"changed in what goes", "rm -r d", approval.Answer{Choice: approval.Once}, func(p *place) { p.put("d/y", "mine") }, "changed since it was looked at; nothing"},
		{"made", "echo new >c", approval.Answer{Choice: approval.Once}, func(p *place) { p.put("c", "mine") }, "c: changed since it was looked at; nothing"},
		{"made a directory", "mkdir c; echo x >c/d", approval.Answer{Choice: approval.Once}, func(p *place) { p.put("c/d", "mine") }, "c: changed since it was looked at; nothing"},
		{"became a link", "echo x >d/x", approval.Answer{Choice: approval.Once}, func(p *place) {
			os.Rename(filepath.Join(p.dir, "d"), filepath.Join(p.dir, "e"))
			os.Symlink("e", filepath.Join(p.dir, "d"))
		}, "d/x: changed since it was looked at; nothing"},
	} {
		p, asked := previews(t, map[string]string{"a": "a", "b": "b", "d/x": "x"})
		asked.answers = []approval.Answer{{Choice: approval.Once}, test.answer}
		var want map[string]string
		asked.meanwhile = func() {
			if test.meanwhile != nil {
				test.meanwhile(p)
			}
			want = p.files()
		}
		_, err := p.call("run_command", object("command", test.command))
		if err == nil || !strings.Contains(err.Error(), test.want) || errors.Is(err, approval.ErrStale) {
			t.Errorf("%s: %v; want %s", test.name, err, test.want)
		}
		if got := p.files(); !maps.Equal(got, want) {
			t.Errorf("%s: %v; want %v", test.name, got, want)
		}
	}
}

// Rules and limits hold for what was really changed, whatever the command line showed.
func TestPreviewPolicy(t *testing.T) {
	for _, test := range []struct {
		name, command string
		rules         []approval.Rule
		want          string // in the error
		asked         int
	}{
		{"what a script writes", "python3 -c 'open(\"src/x\",\"w\").write(\"y\")'", []approval.Rule{{Tool: "edit_file", Action: approval.Deny, Path: "src/**"}}, "denied", 1},
		{"protected", "python3 -c 'import os; os.mkdir(\".husky\")'", nil, ".husky is protected", 1},
		{"too many", "python3 -c 'import shutil; shutil.rmtree(\"many\")'", nil, "", 2},
		{"git's own", "git init -q . && git config user.name x", nil, "", 2},
	} {
		files := map[string]string{"src/x": "x"}
		for i := range 60 {
			files["many/"+strings.Repeat("x", i+1)] = "x"
		}
		p, asked := previews(t, files)
		rules, _, err := approval.Compile(test.rules, nil, p.dir, "/nowhere")
		if err != nil {
			t.Fatal(err)
		}
		p.gate.Policy.Rules = rules
		before := p.files()
		_, err = p.call("run_command", object("command", test.command))
		if len(asked.asked) != test.asked || test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: asked %d times, %v; want %d, %q", test.name, len(asked.asked), err, test.asked, test.want)
		}
		if err != nil && !maps.Equal(p.files(), before) {
			t.Errorf("%s: something changed", test.name)
		}
		if test.name == "too many" && !p.gate.Policy.Decide(asked.asked[1], nil).Effects.Has(approval.Catastrophic) {
			t.Errorf("%s: no catastrophe", test.name)
		}
	}
}

// A session has no preview, and its question claims none.
func TestSessionsHaveNoPreview(t *testing.T) {
	p, _ := previews(t, nil)
	p.w.Sessions = NewSessions(p.w.Box)
	t.Cleanup(p.w.Sessions.Close)
	for _, tt := range []struct {
		tool    Tool
		claimed bool
	}{{RunCommand(p.w), true}, {StartSession(p.w), false}} {
		a, err := tt.tool.Plan(t.Context(), json.RawMessage(object("command", "touch x")))
		if err != nil {
			t.Fatal(err)
		}
		enforced := strings.Join(slices.Concat(shownAs(a, "Enforced by the system"), shownAs(a, "Not enforced by the system")), "; ")
		if enforced == "" || strings.Contains(enforced, "before you have seen it") != tt.claimed {
			t.Errorf("%s: %q", tt.tool.Name, enforced)
		}
	}
}

// What is not a file, a link or a directory is kept by nobody, and a preview sees the work directory alone as writable.
func TestPreviewRefuses(t *testing.T) {
	p, asked := previews(t, map[string]string{"a": "a"})
	if _, err := p.call("run_command", object("command", "mkfifo f")); err == nil || !strings.Contains(err.Error(), "f is a special file") {
		t.Errorf("a FIFO: %v", err)
	}
	other := t.TempDir()
	p.w.Boxes.Config.Writable = []string{other}
	got, err := p.call("run_command", object("command", "python3 -c 'open(\""+other+"/x\",\"w\")' 2>&1 | tail -1"))
	if err != nil || !strings.Contains(got, "Read-only file system") {
		t.Errorf("%q, %v", got, err)
	}
	if n := len(asked.asked); n != 2 {
		t.Errorf("asked %d times", n)
	}
}

// What a killed run left is no trouble for the next, and a command that is interrupted leaves nothing.
func TestPreviewInterrupted(t *testing.T) {
	p, _ := previews(t, map[string]string{"a": "a"})
	left := filepath.Join(p.w.Boxes.Layer, "upper", "a")
	if err := os.MkdirAll(left, 0o700); err != nil {
		t.Fatal(err)
	}
	a, err := p.plan("run_command", object("command", "echo new >a; sleep 60"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := errors.New("ended")
	p.gate.Record = func(*approval.Action, approval.Decision) error {
		go func() {
			for {
				if data, _ := os.ReadFile(left); string(data) == "new\n" {
					cancel(ended)
					return
				}
			}
		}()
		return nil
	}
	if _, err := p.gate.Do(ctx, a, io.Discard); !errors.Is(err, ended) {
		t.Errorf("%v", err)
	}
	if got := p.files(); !slices.Equal(slices.Collect(maps.Keys(got)), []string{"a"}) || got["a"] != "a" {
		t.Errorf("%v", got)
	}
}
