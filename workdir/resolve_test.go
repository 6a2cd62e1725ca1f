package workdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree makes a tree in a new directory and returns its real path. A name that ends in a slash is a directory, an entry "a -> b" is
// a link, anything else is a file that holds its base name. BASE in a target stands for the directory.
func tree(t testing.TB, entries ...string) string {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name, target, link := strings.Cut(entry, " -> ")
		full := filepath.Join(base, name)
		err := os.MkdirAll(filepath.Dir(full), 0o777)
		switch {
		case err != nil:
		case link:
			err = os.Symlink(strings.ReplaceAll(target, "BASE", base), full)
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(full, 0o777)
		default:
			err = os.WriteFile(full, []byte(filepath.Base(name)), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return base
}

// open opens base/work with extra directories of base.
func open(t testing.TB, base string, extra ...string) *Dir {
	t.Helper()
	for i, e := range extra {
		if e != "/" {
			extra[i] = filepath.Join(base, e)
		}
	}
	d, err := Open(filepath.Join(base, "work"), extra...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func resolve(t testing.TB, d *Dir, name string) Path {
	t.Helper()
	p, err := d.Resolve(name)
	if err != nil {
		t.Fatalf("Resolve(%q): %v", name, err)
	}
	return p
}

func TestResolve(t *testing.T) {
	base := tree(t,
		"work/file", "work/dir/sub/file", "work/dir/sub/deep/", "work-evil/file", "lib/file", "out/file",
		"work/in -> dir/sub", "work/inabs -> BASE/work/dir/sub", "work/twice -> in", "work/lib -> ../lib",
		"work/esc -> ..", "work/escabs -> BASE/out", "work/outfile -> ../out/file", "work/dangling -> nosuch/x",
		"work/danglingout -> ../nosuch", "work/loop -> loop", "work/loopa -> loopb", "work/loopb -> loopa/x",
		"out/back -> ../work/dir", "work/evil -> ../work-evil", "alias -> work", "work/self -> .", "work/root -> /",
		"work/dir/up -> ..", "work/slash -> dir/sub/", "work/dots -> ./dir/.././dir//sub/.",
		"work/~/file",
	)
	home := filepath.Join(base, "work", "dir")
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	d := open(t, base, "lib")
	tests := []struct {
		name string
		want string // relative to base, or "outside: " and where, or an error
		rel  string
		via  string
	}{
		{name: "file", want: "work/file", rel: "file"},
		{name: ".", want: "work", rel: "."},
		{name: "./", want: "work", rel: "."},
		{name: "..", want: "outside: "},
		{name: "../work", want: "work", rel: "."},
		{name: "../work/file", want: "work/file", rel: "file"},
		{name: "../work-evil", want: "outside: work-evil"},
		{name: "BASE/work-evil/file", want: "outside: work-evil/file"},
		{name: "BASE/work", want: "work", rel: "."},
		{name: "BASE/work/", want: "work", rel: "."},
		{name: "BASE/work//dir/./sub", want: "work/dir/sub", rel: "dir/sub"},
		{name: "BASE/alias/file", want: "work/file", rel: "file", via: "alias/file"},
		{name: "BASE/./work/file", want: "work/file", rel: "file"},
		{name: "dir//sub/", want: "work/dir/sub", rel: "dir/sub"},
		{name: "dir/sub/../sub/file", want: "work/dir/sub/file", rel: "dir/sub/file"},
		{name: "nosuch/../file", want: "work/file", rel: "file"},
		{name: "nosuch/a/b", want: "work/nosuch/a/b", rel: "nosuch/a/b"},
		{name: "nosuch/../../out/file", want: "outside: out/file"},
		{name: "a/b/../../../out", want: "outside: out"},
		{name: "nosuch/../in/file", want: "work/dir/sub/file", rel: "dir/sub/file", via: "work/in/file"},
		{name: "file/x", want: "work/file/x", rel: "file/x"},
		{name: "in", want: "work/dir/sub", rel: "dir/sub", via: "work/in"},
		{name: "in/", want: "work/dir/sub", rel: "dir/sub", via: "work/in"},
		{name: "in/../x", want: "work/dir/x", rel: "dir/x", via: "work/x"},
		{name: "inabs/file", want: "work/dir/sub/file", rel: "dir/sub/file", via: "work/inabs/file"},
		{name: "twice/new", want: "work/dir/sub/new", rel: "dir/sub/new", via: "work/twice/new"},
		{name: "slash/file", want: "work/dir/sub/file", rel: "dir/sub/file", via: "work/slash/file"},
		{name: "dots/file", want: "work/dir/sub/file", rel: "dir/sub/file", via: "work/dots/file"},
		{name: "self/self/file", want: "work/file", rel: "file", via: "work/self/self/file"},
		{name: "dir/up/file", want: "work/file", rel: "file", via: "work/dir/up/file"},
		{name: "lib/file", want: "lib/file", rel: "file", via: "work/lib/file"},
		{name: "../lib", want: "lib", rel: "."},
		{name: "esc", want: "outside: "},
		{name: "esc/work/file", want: "work/file", rel: "file", via: "work/esc/work/file"},
		{name: "esc/out", want: "outside: out"},
		{name: "escabs/back/sub/file", want: "work/dir/sub/file", rel: "dir/sub/file", via: "work/escabs/back/sub/file"},
		{name: "escabs/back/../../out", want: "outside: out"},
		{name: "outfile", want: "outside: out/file"},
		{name: "evil/file", want: "outside: work-evil/file"},
		{name: "dangling", want: "work/nosuch/x", rel: "nosuch/x", via: "work/dangling"},
		{name: "danglingout", want: "outside: nosuch"},
		{name: "danglingout/../work/file", want: "work/file", rel: "file", via: "work/work/file"},
		{name: "loop", want: "loop: too many levels of symbolic links"},
		{name: "loopa/file", want: "loopa/file: too many levels of symbolic links"},
		{name: "rootBASE/work/file", want: "work/file", rel: "file", via: "work/rootBASE/work/file"},
		{name: "root", want: "outside: /"},
		{name: "/", want: "outside: /"},
		{name: "/../..", want: "outside: /"},
		{name: "~", want: "work/dir", rel: "dir"},
		{name: "~/sub", want: "work/dir/sub", rel: "dir/sub"},
		{name: "~/../../out", want: "outside: out"},
		{name: "./~/file", want: "work/~/file", rel: "~/file"},
		{name: "~user", want: "work/~user", rel: "~user"},
		{name: "", want: `"": name is empty`},
		{name: "a\x00b", want: "a\x00b: name has a NUL byte"},
		{name: "a\xff", want: "a\xff: name is not valid UTF-8"},
		{name: strings.Repeat("a", 256), want: strings.Repeat("a", 80) + "…: name is too long"},
		{name: strings.Repeat("a", 255), want: "work/" + strings.Repeat("a", 255), rel: strings.Repeat("a", 255)},
		{name: strings.Repeat("a/", 2049), want: strings.Repeat("a/", 40) + "…: name is too long"},
	}
	for _, test := range tests {
		name := strings.ReplaceAll(test.name, "BASE", base)
		p, err := d.Resolve(name)
		var outside *OutsideError
		got := "?"
		switch {
		case errors.As(err, &outside):
			got = "outside: " + outside.Path
			if outside.Path != "/" {
				got = "outside: " + strings.TrimPrefix(strings.TrimPrefix(outside.Path, base), "/")
			}
		case err != nil:
			got = err.Error()
		default:
			got = strings.TrimPrefix(p.Abs, base+"/")
		}
		via := strings.TrimPrefix(strings.ReplaceAll(p.Via, base, "BASE"), "BASE/")
		if got != test.want || p.Rel != test.rel || via != test.via {
			t.Errorf("Resolve(%q) = %q, Rel %q, Via %q, %v; want %q, Rel %q, Via %q",
				test.name, got, p.Rel, via, err, test.want, test.rel, test.via)
		}
	}
}

func TestNotExist(t *testing.T) {
	d := open(t, tree(t, "work/"))
	if _, err := resolve(t, d, "x").Read(10); !errors.Is(err, fs.ErrNotExist) || err.Error() != "x: no such file or directory" {
		t.Errorf("Read of nothing: %v", err)
	}
}
