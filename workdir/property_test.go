package workdir

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"
)

// checkInside holds a resolved path against what every one of them must be: in a directory, and free of links.
func checkInside(t interface{ Fatalf(string, ...any) }, name string, p Path, dirs ...string) {
	for _, dir := range dirs {
		if rel, ok := below(p.Abs, dir); ok {
			if rel != p.Rel {
				t.Fatalf("Resolve(%q): Abs %q, Rel %q; want Rel %q", name, p.Abs, p.Rel, rel)
			}
			for at := p.Abs; len(at) >= len(dir); at = path.Dir(at) {
				if info, err := os.Lstat(at); err == nil && info.Mode().Type() == fs.ModeSymlink {
					t.Fatalf("Resolve(%q) = %q, but %q is a link", name, p.Abs, at)
				}
			}
			return
		}
	}
	t.Fatalf("Resolve(%q) = %q, which is outside", name, p.Abs)
}

// TestResolveAsSystem makes random trees with links and compares Resolve with filepath.EvalSymlinks.
func TestResolveAsSystem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, err := os.MkdirTemp("", "workdir")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(base)
		if base, err = filepath.EvalSymlinks(base); err != nil {
			t.Fatal(err)
		}
		base = filepath.ToSlash(base)
		parts := rapid.SampledFrom([]string{"a", "b", "c", "d", "..", ".", "", "work", "lib", "out"})
		name := rapid.Custom(func(t *rapid.T) string {
			top := rapid.SampledFrom([]string{"", "", "", base + "/", base + "/work/", base + "/out/"}).Draw(t, "top")
			return top + strings.Join(rapid.SliceOfN(parts, 1, 6).Draw(t, "parts"), "/")
		})
		plain := rapid.SampledFrom([]string{"work", "lib", "out", "work/a", "work/b", "work/a/b", "work/a/c", "out/a", "lib/b/d"})
		for _, dir := range []string{"work/a", "lib", "out"} {
			if err := os.MkdirAll(base+"/"+dir, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		for range rapid.IntRange(0, 12).Draw(t, "entries") {
			at := base + "/" + plain.Draw(t, "in") + "/" + rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "new")
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				os.Mkdir(at, 0o777) // what fails makes a smaller tree
			case 1:
				os.WriteFile(at, nil, 0o666)
			default:
				if target := name.Draw(t, "target"); target != "" {
					os.Symlink(target, at)
				}
			}
		}
		d, err := Open(base+"/work", base+"/lib")
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		for range 8 {
			compare(t, d, base, name.Draw(t, "name"))
		}
	})
}

func compare(t *rapid.T, d *Dir, base, name string) {
	if name == "" {
		return
	}
	p, err := d.Resolve(name)
	var outside *OutsideError
	switch {
	case err == nil:
		checkInside(t, name, p, base+"/work", base+"/lib")
	case errors.As(err, &outside):
		if _, in := d.rootOf(outside.Path); in != "" {
			t.Fatalf("Resolve(%q): %q is called outside", name, outside.Path)
		}
		p.Abs = outside.Path
	}
	full := name
	if !path.IsAbs(name) {
		full = base + "/work/" + name
	}
	want, evalErr := filepath.EvalSymlinks(full)
	switch {
	case evalErr == nil && p.Abs != want:
		t.Fatalf("Resolve(%q) = %q, %v; the system says %q", name, p.Abs, err, want)
	case evalErr != nil && err == nil && !errors.Is(evalErr, fs.ErrNotExist) && !errors.Is(evalErr, syscall.ENOTDIR):
		t.Fatalf("Resolve(%q) = %q, the system says %v", name, p.Abs, evalErr)
	}
}

func FuzzResolve(f *testing.F) {
	base := tree(f, "work/file", "work/dir/sub/file", "work/in -> dir/sub", "work/up -> ..", "work/loop -> loop/x",
		"work/abs -> BASE/out", "work/lib -> ../lib", "lib/file", "lib/back -> BASE/work/in", "out/back -> ../work/dir",
		"work/dangling -> nosuch/../../out", "work/root -> /")
	d := open(f, base, "lib")
	for _, name := range []string{
		"file", "", ".", "..", "/", "~", "~/x", "in/../file", "up/out", "abs/back/sub", "loop/x", "lib/back/../x",
		"dangling/x", "nosuch/../../x", "root" + base + "/work/in", base + "/work", base + "/work/../lib/", "a//b\x00", "\xff",
		`C:\x`, `..\x`, "root/proc/self/cwd", "root/dev/fd/0/..", strings.Repeat("../", 100) + base + "/work",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if p, err := d.Resolve(name); err == nil {
			checkInside(t, name, p, base+"/work", base+"/lib")
		}
		if p, err := d.Entry(name); err == nil && p.Rel != "." {
			p.Abs, p.Rel = path.Dir(p.Abs), path.Dir(p.Rel)
			checkInside(t, name, p, base+"/work", base+"/lib")
		}
	})
}

func BenchmarkResolve(b *testing.B) {
	base := tree(b, "work/file", "work/1/2/3/4/5/6/file", "work/link -> 1/2/3")
	d := open(b, base)
	for _, name := range []string{"file", "1/2/3/4/5/6/file", "link/4/5/6/file", base + "/work/file", "nosuch/file"} {
		b.Run(strings.Replace(name, base, "BASE", 1), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := d.Resolve(name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
