//go:build unix

package workdir

import (
	"bytes"
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// soon fails the test if fn takes longer than it can take without waiting for somebody.
func soon(t *testing.T, what string, fn func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); fn() }()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal(what + " hangs")
	}
}

// TestSpecial acts on files that turned into something else since they were looked at.
func TestSpecial(t *testing.T) {
	socket := func(p string) error {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: p})
		if err == nil {
			t.Cleanup(func() { l.Close() })
		}
		return err
	}
	kinds := []struct {
		name string
		make func(p string) error
		want error
	}{
		{"FIFO", func(p string) error { return unix.Mkfifo(p, 0o666) }, ErrNotRegular},
		{"socket", socket, ErrNotRegular},
		{"directory", func(p string) error { return os.Mkdir(p, 0o777) }, ErrNotRegular},
		{"link", func(p string) error { return os.Symlink("../out/file", p) }, ErrChanged},
		{"inner link", func(p string) error { return os.Symlink("other", p) }, ErrChanged},
	}
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			base := tree(t, "work/file", "work/other", "work/dir/file", "out/file")
			t.Chdir(base) // the name of a socket must be short
			d := open(t, base)
			file, below := resolve(t, d, "file"), resolve(t, d, "dir/file")
			for _, name := range []string{"work/file", "work/dir"} {
				if err := os.RemoveAll(name); err != nil {
					t.Fatal(err)
				}
				if err := kind.make(name); err != nil {
					t.Fatal(err)
				}
			}
			acts := map[string]func(Path) error{
				"Open":    func(p Path) error { _, err := p.Open(); return err },
				"Read":    func(p Path) error { _, err := p.Read(100); return err },
				"Replace": func(p Path) error { return p.Replace([]byte("file"), []byte("x")) },
			}
			for name, act := range acts {
				soon(t, name, func() {
					if err := act(file); !errors.Is(err, kind.want) && !(name == "Replace" && errors.Is(err, ErrChanged)) {
						t.Errorf("%s of a %s: %v, want %v", name, kind.name, err, kind.want)
					}
					if err := act(below); err == nil {
						t.Errorf("%s below a %s: no error", name, kind.name)
					}
				})
			}
			soon(t, "Create", func() {
				if err := file.Create(nil); !errors.Is(err, fs.ErrExist) {
					t.Errorf("Create at a %s: %v", kind.name, err)
				}
			})
			if got, _ := os.ReadFile("out/file"); string(got) != "file" {
				t.Errorf("a file outside now holds %q", got)
			}
		})
	}
}

func TestOpenFIFO(t *testing.T) {
	base := tree(t, "work/")
	if err := unix.Mkfifo(base+"/fifo", 0o666); err != nil {
		t.Fatal(err)
	}
	soon(t, "Open", func() {
		if _, err := Open(base + "/fifo"); err == nil || !strings.HasSuffix(err.Error(), "/fifo: not a directory") {
			t.Errorf("Open of a FIFO: %v", err)
		}
		if _, err := Open(base+"/work", base+"/nosuch"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Open of nothing: %v", err)
		}
	})
}

func TestDevice(t *testing.T) {
	d := open(t, tree(t, "work/"), "/")
	null := resolve(t, d, "/dev/null")
	if null.Rel != "" || null.Shown() != "/dev/null" {
		t.Errorf("Rel %q, shown as %q", null.Rel, null.Shown())
	}
	if _, err := null.Read(10); !errors.Is(err, ErrNotRegular) {
		t.Errorf("Read of a device: %v", err)
	}
	if err := null.Replace([]byte{}, []byte("x")); !errors.Is(err, ErrNotRegular) {
		t.Errorf("Replace of a device: %v", err)
	}
}

// TestFull writes more than the system lets a file have, as when the disk is full: nothing may change. The limit
// cannot be lifted again for what go test itself writes, so another process has it.
func TestFull(t *testing.T) {
	base := os.Getenv("WORKDIR_TEST_FULL")
	if base != "" {
		writeTooMuch(t, base)
		return
	}
	base = tree(t, "work/file")
	before := contents(t, base)
	child := exec.Command(os.Args[0], "-test.run=^TestFull$")
	child.Env = append(os.Environ(), "WORKDIR_TEST_FULL="+base)
	if out, err := child.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if after := contents(t, base); !slices.Equal(before, after) {
		t.Errorf("got %q, want %q", after, before)
	}
}

func writeTooMuch(t *testing.T, base string) {
	d := open(t, base)
	file, fresh := resolve(t, d, "file"), resolve(t, d, "fresh")
	const most = 1 << 16
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: most, Max: most}); err != nil {
		t.Fatal(err)
	}
	data := bytes.Repeat([]byte("x"), 2*most)
	for _, err := range []error{file.Replace([]byte("file"), data), fresh.Create(data)} {
		if !errors.Is(err, unix.EFBIG) {
			t.Errorf("got error %v, want %v", err, unix.EFBIG)
		}
	}
}

func TestKeepsMode(t *testing.T) {
	base := tree(t, "work/file")
	name := base + "/work/file"
	if os.Getuid() == 0 {
		if err := os.Chown(name, 12, 34); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(name, 0o751|fs.ModeSetuid); err != nil {
		t.Fatal(err)
	}
	was, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := resolve(t, open(t, base), "file").Replace([]byte("file"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	is, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	old, now := was.Sys().(*syscall.Stat_t), is.Sys().(*syscall.Stat_t)
	if is.Mode() != 0o751 || now.Uid != old.Uid || now.Gid != old.Gid {
		t.Errorf("mode %v, owner %d:%d; want %v, %d:%d", is.Mode(), now.Uid, now.Gid, fs.FileMode(0o751), old.Uid, old.Gid)
	}
}

// TestClaim is about file systems without hard links.
func TestClaim(t *testing.T) {
	base := tree(t, "work/taken", "work/temp", "work/dir/")
	dir := open(t, base).roots[0].handle
	if err := claim(dir, "temp", "free"); err != nil {
		t.Error(err)
	}
	if err := claim(dir, "dir", "other"); err == nil {
		t.Error("a directory replaced a file")
	}
	if err := os.WriteFile(base+"/work/temp", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := claim(dir, "temp", "taken"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("claim of a name that is taken: %v", err)
	}
	if got, want := strings.Join(contents(t, base+"/work"), ", "), "free temp, taken taken"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOtherFileSystem(t *testing.T) {
	shm, err := os.MkdirTemp("/dev/shm", "workdir")
	if err != nil {
		t.Skipf("no second file system to move to: %v", err)
	}
	defer os.RemoveAll(shm)
	base := tree(t, "work/file")
	d, err := Open(base+"/work", shm)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	to := resolve(t, d, shm+"/file")
	want := "file: cannot be moved to " + to.Abs + ", which is on another file system"
	if err := resolve(t, d, "file").Rename(to); err == nil || err.Error() != want {
		t.Errorf("Rename: %v, want %s", err, want)
	}
}
