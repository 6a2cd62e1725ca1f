package workdir

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// asNobody runs fn without root's power over files, which Linux lets a single thread lay down (setfsuid(2)).
func asNobody(t *testing.T, fn func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		fn()
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const nobody = 65534
	if err := unix.Setfsuid(nobody); err != nil {
		t.Fatal(err)
	}
	defer unix.Setfsuid(0)
	fn()
}

func TestPermission(t *testing.T) {
	base := tree(t, "work/dir/file", "work/closed/file", "work/readonly", "work/closed/out -> ../../out", "out/dir/file",
		"out/back -> ../work/dir/file")
	before := contents(t, base)
	for name, mode := range map[string]fs.FileMode{
		"work/dir": 0o555, "work/dir/file": 0o666, "work/closed": 0, "work/readonly": 0o444, "work": 0o777, "out": 0o700,
	} {
		if err := os.Chmod(base+"/"+name, mode); err != nil {
			t.Fatal(err)
		}
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(base+"/work/readonly", 65534, -1); err != nil {
			t.Fatal(err)
		}
	} else if err := os.Chmod(base+"/out", 0); err != nil {
		t.Fatal(err)
	}
	d := open(t, base)
	p := func(name string) Path { return resolve(t, d, name) }
	asNobody(t, func() {
		acts := []struct {
			want string
			act  func() error
		}{
			{"dir/new", func() error { return p("dir/new").Create(nil) }},
			{"dir/file", func() error { return p("dir/file").Replace([]byte("file"), nil) }},
			{"dir/sub", func() error { return p("dir/sub").Mkdir(true) }},
			{"dir/file", func() error { return p("dir/file").Remove() }},
			{"readonly", func() error { return p("readonly").Replace([]byte("readonly"), nil) }},
			{"closed", func() error { _, err := p("closed").ReadDir(); return err }},
			{"closed/x", func() error { _, err := d.Resolve("closed/x"); return err }},
			{"closed/out/x", func() error { _, err := d.Resolve("closed/out/x"); return err }},
		}
		for _, test := range acts {
			err := test.act()
			if want := test.want + ": permission denied"; !errors.Is(err, fs.ErrPermission) || err.Error() != want {
				t.Errorf("got error %v, want %v", err, want)
			}
		}
		var outside *OutsideError
		if _, err := d.Resolve("../out/back/../x"); !errors.As(err, &outside) || outside.Path != base+"/out/x" {
			t.Errorf("a link that cannot be read: %v", err)
		}
		if err := p("dir/file").Rename(p("dir2")); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("Rename out of a read-only directory: %v", err)
		}
	})
	for _, name := range []string{"work/dir", "work/closed", "out"} {
		if err := os.Chmod(base+"/"+name, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if after := contents(t, base); !slices.Equal(before, after) {
		t.Errorf("got %q, want %q", after, before)
	}
}

// TestOtherGroup replaces a file whose group the writer cannot give: that group's rights must not go to another.
func TestOtherGroup(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make a file of a group that it is not in")
	}
	base := tree(t, "work/file")
	for name, mode := range map[string]fs.FileMode{"work": 0o777, "work/file": 0o676} {
		if err := os.Chmod(base+"/"+name, mode); err != nil {
			t.Fatal(err)
		}
	}
	d := open(t, base)
	if err := os.Chown(base+"/work/file", 0, 12345); err != nil {
		t.Fatal(err)
	}
	asNobody(t, func() {
		if err := resolve(t, d, "file").Replace([]byte("file"), []byte("new")); err != nil {
			t.Error(err)
		}
	})
	info, err := os.Stat(base + "/work/file")
	if err != nil || info.Mode() != 0o666 {
		t.Errorf("mode %v, %v; want %v", info.Mode(), err, fs.FileMode(0o666))
	}
}
