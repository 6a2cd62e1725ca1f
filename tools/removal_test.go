package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tricode/approval"
)

func (p *place) git(args ...string) {
	p.t.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@localhost"}, args...)...)
	c.Dir = p.dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	if out, err := c.CombinedOutput(); err != nil {
		p.t.Fatalf("git %s: %v\n%s", args, err, out)
	}
}

func TestDeletionShowsWhatWouldGo(t *testing.T) {
	p := newPlace(t, map[string]string{
		"a/tracked": "12", "a/b/*": "3", "a/new": "4", "a/link": "-> ../x", "a/gone": "", "x": "", "empty/a/": "", "tracked": "1234",
	})
	for i := range 12 {
		p.put(fmt.Sprintf("many/%02d", i), strings.Repeat("x", 100))
	}
	p.git("init", "-q")
	p.git("add", "--", "a/tracked", "a/b/*", "a/gone", "tracked", "many/03")
	p.drop("a/gone")
	// A link in the place of a directory that git knows does not make what is behind it tracked.
	p.put("c/d", "")
	p.git("add", "c/d")
	p.drop("c")
	p.put("c", "-> a")
	p.put("a/d", "")

	for _, tt := range []struct {
		path, summary string
		untracked     int
		lines         []string
	}{
		{"tracked", "delete tracked (4 B)", 0, []string{"1 file, 4 B", "tracked"}},
		{"x", "delete x (0 B)", 1, []string{"1 file, 0 B, not tracked by git", "x"}},
		{"c", "delete c (link)", 1, []string{"1 file, 0 B, not tracked by git", "c"}},
		{"a", "delete a (5 files, 4 B)", 3, []string{"5 files, 4 B in 2 directories, 3 of them not tracked by git", "a/b/*", "a/d", "a/link", "a/new", "a/tracked"}},
		{"a/b", "delete a/b (1 file, 1 B)", 0, []string{"1 file, 1 B", "a/b/*"}},
		{"empty", "delete empty (1 directory without files)", 0, []string{"1 directory without files"}},
		{".", "delete . (holds .git)", 0, []string{"holds .git"}},
		{"many", "delete many (12 files, 1.2 kB)", 11, []string{"12 files, 1.2 kB, 11 of them not tracked by git", "many/00", "many/01",
			"many/02", "many/03", "many/04", "many/05", "many/06", "many/07", "many/08", "many/09", "and 2 more"}},
	} {
		a, err := p.plan("delete_path", object("path", tt.path, "recursive", true))
		if err != nil {
			t.Fatal(err)
		}
		s := a.Preview.Sections[0]
		if a.Summary != tt.summary || a.Subjects[0].Untracked != tt.untracked || s.Title != "Would be deleted" || !slices.Equal(s.Lines, tt.lines) {
			t.Errorf("%s: %s, %d untracked\n%q\nwant %s, %d\n%q", tt.path, a.Summary, a.Subjects[0].Untracked, s.Lines, tt.summary, tt.untracked, tt.lines)
		}
	}
}

// Looking at what git tracks starts nothing that the repository names.
func TestTrackedStartsNothing(t *testing.T) {
	p := newPlace(t, map[string]string{"a": ""})
	p.git("init", "-q")
	p.git("add", "a")
	mark := filepath.Join(p.dir, "started")
	p.git("config", "core.fsmonitor", "touch "+mark+"; false")
	if a, err := p.plan("delete_file", `{"path":"a"}`); err != nil || a.Subjects[0].Untracked != 0 {
		t.Errorf("%v, %d untracked", err, a.Subjects[0].Untracked)
	}
	p.put("bin/git", "#!/bin/sh\ntouch "+mark+"\n")
	if err := os.Chmod(filepath.Join(p.dir, "bin/git"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Join(p.dir, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	if a, err := p.plan("delete_file", `{"path":"a"}`); err != nil || a.Subjects[0].Untracked != 1 {
		t.Errorf("with a git of the project: %v, %d untracked", err, a.Subjects[0].Untracked)
	}
	if _, err := os.Lstat(mark); err == nil {
		t.Error("a program of the repository was started")
	}
}

// Many files that git does not know are a catastrophe, even in bypass.
func TestManyUntracked(t *testing.T) {
	p := newPlace(t, nil)
	for i := range approval.DefaultMaxUntracked + 1 {
		p.put(fmt.Sprintf("a/%d", i), "")
	}
	p.gate.Policy.Mode, p.gate.Asker = approval.ModeBypass, nil
	for _, args := range []string{`{"path":"a","recursive":true}`, `{"path":".","recursive":true}`} {
		_, err := p.call("delete_path", args)
		var denied *approval.Denied
		if !errors.As(err, &denied) || !denied.Decision.Effects.Has(approval.Catastrophic) {
			t.Errorf("%s: %v, want it denied as a catastrophe", args, err)
		}
	}
}

// A tree that is too deep to be looked through holds more files than may go, and nobody is told otherwise.
func TestDeepUntracked(t *testing.T) {
	p := newPlace(t, map[string]string{"f": ""})
	if err := os.MkdirAll(p.dir+strings.Repeat("/d", 300), 0o755); err != nil {
		t.Fatal(err)
	}
	p.gate.Policy.Mode, p.gate.Asker = approval.ModeBypass, nil
	for _, command := range []string{"rm -rf d", "rm -rf f d"} {
		_, err := p.call("run_command", object("command", command))
		var denied *approval.Denied
		if !errors.As(err, &denied) || !denied.Decision.Effects.Has(approval.Catastrophic) {
			t.Errorf("%s: %v, want it denied as a catastrophe", command, err)
		}
		a, err := p.plan("run_command", object("command", command))
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(a.Preview.Sections, func(s approval.Section) bool { return s.Title == "Would be deleted" })
		if at < 0 || !strings.HasPrefix(a.Preview.Sections[at].Lines[0], "at least ") {
			t.Errorf("%s: %+v, want to be told that there is more", command, a.Preview.Sections)
		}
	}
}

// A credential under another name could be read by anybody.
func TestMoveSecret(t *testing.T) {
	p := newPlace(t, map[string]string{".env": "KEY=a\n"})
	a, err := p.plan("move_path", `{"source":".env","destination":"notes.txt"}`)
	if err != nil {
		t.Fatal(err)
	}
	if d := p.gate.Policy.Decide(a, nil); !d.Effects.Has(approval.Secret) {
		t.Errorf("effects are %s", d.Effects)
	}
}

// What could not be looked through is not offered for deletion.
func TestInterruptedLook(t *testing.T) {
	p := newPlace(t, map[string]string{"a/b/c": ""})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a, err := DeletePath(p.w).Plan(ctx, json.RawMessage(`{"path":"a","recursive":true}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.gate.Do(t.Context(), a, io.Discard); !errors.Is(err, context.Canceled) || p.yes.asked > 0 {
		t.Errorf("%v, asked %d times", err, p.yes.asked)
	}
}

// git is asked once for each directory, however many files of it a command names.
func TestUntrackedOfManyFiles(t *testing.T) {
	p := newPlace(t, map[string]string{"sub/deep/x": "", "sub/new": "", "top": ""})
	for i := range 200 {
		p.put(fmt.Sprintf("sub/%03d", i), "")
	}
	p.git("init", "-q")
	p.git("add", "sub/deep", "sub/000", "sub/199")
	for command, want := range map[string]int{"rm sub/*": 199, "rm sub/199 sub/000": 0, "rm sub/deep/x top": 1, "rm -r sub/deep": 0} {
		a, err := RunCommand(p.w).Plan(t.Context(), json.RawMessage(object("command", command)))
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		for _, s := range a.Subjects {
			got += s.Untracked
		}
		if got != want {
			t.Errorf("%s: %d untracked, want %d", command, got, want)
		}
	}
}
