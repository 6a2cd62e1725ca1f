package sandbox

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// boxed runs a command line for sh in a box and returns what it wrote.
func boxed(t *testing.T, b *Box, l *Limits, text string) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := b.Run(t.Context(), Cmd{Text: text, Limits: l, Stdout: &out, Stderr: &out}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestBoxWrites(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	b := box(t, dir)
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	l := &Limits{Write: []string{dir}, Protect: []string{filepath.Join(dir, ".git")}}
	for _, test := range []struct{ text, want string }{
		{"echo x >f && cat f", "x\n"},
		{"echo x >$TMPDIR/f && cat $TMPDIR/f", "x\n"},
		{"echo x >/dev/null && echo done", "done\n"},
		{"echo x >.git/config || echo no", "no\n"},
		{"echo x >" + other + "/f || echo no", "no\n"},
	} {
		if got := boxed(t, b, l, "exec 2>/dev/null; "+test.text); got != test.want {
			t.Errorf("%s: %q", test.text, got)
		}
	}
}

// A helper that somebody starts by hand, with the namespaces of everybody, changes nothing there.
func TestHelperWithoutNamespacesOfItsOwn(t *testing.T) {
	for _, args := range [][]string{helperArgs(namespaces), {helperName}, {helperName, "7"}} {
		if got := helperSpaces(args); got != 0 {
			t.Errorf("%q: %v", args, got)
		}
	}
}
