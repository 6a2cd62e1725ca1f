package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// overlaid is a box whose programs write to an overlay of its directory; the test is skipped where there is none.
func overlaid(t *testing.T, dir, at string) (*Box, *Overlay, *Limits) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	b := box(t, dir)
	o, err := NewOverlay(at)
	if err != nil {
		t.Fatal(err)
	}
	l := &Limits{Write: []string{dir}, Overlay: o.At()}
	if held, err := b.Holds(t.Context(), l); err != nil || !held.Has(Mounts) {
		t.Skip("no namespaces for mounts here: ", held, err)
	}
	return b, o, l
}

func TestOverlay(t *testing.T) {
	for _, name := range []string{"plain", "a:b", `back\slash`, "comma,and blank", `end\`} {
		top := t.TempDir()
		dir := filepath.Join(top, name)
		b, o, l := overlaid(t, dir, filepath.Join(top, "to", name))
		for _, file := range []string{"gone", "old/one", "kept/two"} {
			os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755)
			if err := os.WriteFile(filepath.Join(dir, file), []byte("was\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got := boxed(t, b, l, "rm gone; rm -r old; mkdir old; echo new >kept/new; mkdir -p no/no; chmod 0 no; cat kept/two kept/new; stat -c %a ."); got != "was\nnew\n755\n" {
			t.Errorf("%s: %q", name, got)
		}
		info, err := os.Lstat(filepath.Join(o.Changed, "gone"))
		if err != nil || !Gone(info) {
			t.Errorf("%s: no mark for what is gone: %v", name, err)
		}
		for at, want := range map[string]bool{"old": true, "kept": false} {
			if got, err := Anew(filepath.Join(o.Changed, at)); got != want || err != nil {
				t.Errorf("%s: Anew(%s) = %v, %v", name, at, got, err)
			}
		}
		if data, err := os.ReadFile(filepath.Join(dir, "gone")); string(data) != "was\n" {
			t.Errorf("%s: the directory itself was changed: %q, %v", name, data, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "kept/new")); err == nil {
			t.Errorf("%s: the directory itself was written to", name)
		}
		if err := o.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(o.At()); err == nil {
			t.Errorf("%s: the overlay is still there", name)
		}
	}
}

// Where nothing can be mounted nothing runs: it would write to the directory itself.
func TestNoOverlay(t *testing.T) {
	top := t.TempDir()
	b, _, l := overlaid(t, filepath.Join(top, "dir"), filepath.Join(top, "to"))
	l.Without = Mounts
	if _, err := b.Run(t.Context(), Cmd{Text: "echo x >f", Limits: l}); !errors.Is(err, ErrNoOverlay) {
		t.Errorf("%v; want %v", err, ErrNoOverlay)
	}
	if _, err := os.Stat(filepath.Join(top, "dir", "f")); err == nil {
		t.Error("it was written")
	}
}
