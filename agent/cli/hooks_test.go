//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tricode/workdir/sandbox"
)

func TestProgramsOfCommands(t *testing.T) {
	dir, away := t.TempDir(), t.TempDir()
	for name, mode := range map[string]os.FileMode{
		dir + "/check": 0o700, dir + "/script.py": 0o600, dir + "/data": 0o600, away + "/tool": 0o700, away + "/config": 0o600,
	} {
		if err := os.WriteFile(name, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{dir + "/out": away + "/tool", away + "/in": dir + "/check"} {
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	box := &sandbox.Box{Dir: dir}
	for _, tt := range []struct {
		command   []string
		programs  []string
		protected []string // beside them
	}{
		{[]string{"./check"}, []string{dir + "/check"}, nil},
		{[]string{"./check", "data"}, []string{dir + "/check"}, nil},
		{[]string{dir + "/check"}, []string{dir + "/check"}, nil},
		{[]string{"sh", "script.py", "-v"}, []string{dir + "/script.py"}, []string{"sh"}},
		{[]string{"sh", "-c", "cat data | ./check>x"}, []string{dir + "/check"}, []string{"sh"}},
		{[]string{"env", "A=./check", "true"}, []string{dir + "/check"}, []string{"env"}},
		{[]string{away + "/in"}, []string{away + "/in"}, []string{dir + "/check"}},
		{[]string{"./out"}, []string{dir + "/out"}, []string{away + "/tool"}},
		{[]string{away + "/tool", "config"}, nil, []string{away + "/tool"}},
		{[]string{"./missing"}, nil, []string{dir + "/missing"}},
		{[]string{"no-such-program"}, nil, nil},
	} {
		if got := programs(box, tt.command); !slices.Equal(got, tt.programs) {
			t.Errorf("programs(%q) = %q; want %q", tt.command, got, tt.programs)
		}
		got := protectedPaths(box, tt.command)
		for _, want := range slices.Concat(tt.programs, tt.protected) {
			if at, err := box.LookPath(want); err == nil && !filepath.IsAbs(want) {
				want = at
			}
			if !slices.Contains(got, want) {
				t.Errorf("protectedPaths(%q) = %q; want %s in it", tt.command, got, want)
			}
		}
	}
}

func TestUnchanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "check")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	known := map[string]string{}
	if err := sums(known, []string{name}); err != nil {
		t.Fatal(err)
	}
	if err := unchanged(known, []string{name}, "then"); err != nil {
		t.Error(err)
	}
	write("two")
	if err := unchanged(known, []string{name}, "then"); err == nil || err.Error() != name+" changed since then" {
		t.Errorf("unchanged(changed) = %v", err)
	}
	if err := unchanged(nil, []string{name}, "then"); err == nil {
		t.Error("a file that nobody knows is taken for unchanged")
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := unchanged(known, []string{name}, "then"); err == nil {
		t.Error("a file that is gone is taken for unchanged")
	}
}
