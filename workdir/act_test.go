package workdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// contents lists everything below dir: directories end in a slash, files have their contents after a blank.
func contents(t testing.TB, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(p, dir+string(filepath.Separator)))
		switch {
		case e.IsDir():
			rel += "/"
		case e.Type() == fs.ModeSymlink:
			target, _ := os.Readlink(p)
			rel += " -> " + target
		case e.Type().IsRegular():
			data, _ := os.ReadFile(p)
			rel += " " + string(data)
		}
		list = append(list, rel)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestEffects(t *testing.T) {
	const nosuch = "no such file or directory"
	tests := []struct {
		what   string
		do     func(d *Dir, p func(string) Path) error
		err    error
		text   string
		change []string // what is new, "-" before what is gone
	}{
		{"create", func(d *Dir, p func(string) Path) error { return p("x/y/z").Create([]byte("Z")) }, nil, "",
			[]string{"x/", "x/y/", "x/y/z Z"}},
		{"create over a file", func(d *Dir, p func(string) Path) error { return p("a").Create([]byte("Z")) },
			fs.ErrExist, "a: file exists", nil},
		{"create over a directory", func(d *Dir, p func(string) Path) error { return p("dir").Create(nil) },
			fs.ErrExist, "dir: file exists", nil},
		{"create the top", func(d *Dir, p func(string) Path) error { return p(".").Create(nil) },
			fs.ErrExist, ".: file exists", nil},
		{"create below a file", func(d *Dir, p func(string) Path) error { return p("a/b").Create(nil) },
			nil, "a/b: not a directory", nil},
		{"create at a dangling link", func(d *Dir, p func(string) Path) error { return p("dangling").Create([]byte("Z")) },
			nil, "", []string{"new/", "new/file Z"}},
		{"replace", func(d *Dir, p func(string) Path) error { return p("a").Replace([]byte("a"), []byte("A")) },
			nil, "", []string{"-a a", "a A"}},
		{"replace through a link", func(d *Dir, p func(string) Path) error { return p("link").Replace([]byte("b"), nil) },
			nil, "", []string{"-dir/b b", "dir/b "}},
		{"replace nothing", func(d *Dir, p func(string) Path) error { return p("n/n").Replace(nil, []byte("N")) },
			nil, "", []string{"n/", "n/n N"}},
		{"replace what is there now", func(d *Dir, p func(string) Path) error { return p("a").Replace(nil, []byte("N")) },
			ErrChanged, "a: changed since it was looked at", nil},
		{"replace what is gone", func(d *Dir, p func(string) Path) error { return p("n/n").Replace([]byte("N"), nil) },
			ErrChanged, "n/n: changed since it was looked at", nil},
		{"replace what is shorter", func(d *Dir, p func(string) Path) error { return p("a").Replace([]byte("aa"), nil) },
			ErrChanged, "a: changed since it was looked at", nil},
		{"replace what is different", func(d *Dir, p func(string) Path) error { return p("a").Replace([]byte("b"), nil) },
			ErrChanged, "a: changed since it was looked at", nil},
		{"replace a directory", func(d *Dir, p func(string) Path) error { return p("dir").Replace([]byte{}, nil) },
			ErrNotRegular, "dir: not a regular file", nil},
		{"mkdir", func(d *Dir, p func(string) Path) error { return p("m").Mkdir(false) }, nil, "", []string{"m/"}},
		{"mkdir without parents", func(d *Dir, p func(string) Path) error { return p("m/n").Mkdir(false) },
			fs.ErrNotExist, "m/n: " + nosuch, nil},
		{"mkdir with parents", func(d *Dir, p func(string) Path) error { return p("m/n").Mkdir(true) },
			nil, "", []string{"m/", "m/n/"}},
		{"mkdir what exists", func(d *Dir, p func(string) Path) error { return p("dir").Mkdir(true) },
			fs.ErrExist, "dir: file exists", nil},
		{"mkdir the top", func(d *Dir, p func(string) Path) error { return p(".").Mkdir(true) },
			fs.ErrExist, ".: file exists", nil},
		{"remove", func(d *Dir, p func(string) Path) error { return p("a").Remove() }, nil, "", []string{"-a a"}},
		{"remove a full directory", func(d *Dir, p func(string) Path) error { return p("dir").Remove() },
			syscall.ENOTEMPTY, "dir: directory not empty", nil},
		{"remove nothing", func(d *Dir, p func(string) Path) error { return p("n").Remove() },
			fs.ErrNotExist, "n: " + nosuch, nil},
		{"remove all of nothing", func(d *Dir, p func(string) Path) error { return p("n").RemoveAll() },
			fs.ErrNotExist, "n: " + nosuch, nil},
		{"remove all", func(d *Dir, p func(string) Path) error { return p("dir").RemoveAll() },
			nil, "", []string{"-dir/", "-dir/b b", "-dir/out -> ../../out"}},
		{"remove the top", func(d *Dir, p func(string) Path) error { return p("dir/..").Remove() },
			nil, ".: is the work directory", nil},
		{"remove all of the top", func(d *Dir, p func(string) Path) error { return p(".").RemoveAll() },
			nil, ".: is the work directory", nil},
		{"remove a link", func(d *Dir, p func(string) Path) error { return entry(d, "link").RemoveAll() },
			nil, "", []string{"-link -> dir/b"}},
		{"remove a link with a slash", func(d *Dir, p func(string) Path) error { return entry(d, "dirlink/").RemoveAll() },
			nil, "", []string{"-dirlink -> dir"}},
		{"rename", func(d *Dir, p func(string) Path) error { return p("a").Rename(p("dir/c")) },
			nil, "", []string{"-a a", "dir/c a"}},
		{"rename a link", func(d *Dir, p func(string) Path) error { return entry(d, "dangling").Rename(p("d2")) },
			nil, "", []string{"-dangling -> new/file", "d2 -> new/file"}},
		{"rename onto a file", func(d *Dir, p func(string) Path) error { return p("a").Rename(p("dir/b")) },
			fs.ErrExist, "dir/b: file exists", nil},
		{"rename onto itself", func(d *Dir, p func(string) Path) error { return p("a").Rename(p("a")) },
			fs.ErrExist, "a: file exists", nil},
		{"rename into nothing", func(d *Dir, p func(string) Path) error { return p("a").Rename(p("n/a")) },
			fs.ErrNotExist, "n/a: " + nosuch, nil},
		{"rename nothing", func(d *Dir, p func(string) Path) error { return p("n").Rename(p("m")) },
			fs.ErrNotExist, "n: " + nosuch, nil},
		{"rename into itself", func(d *Dir, p func(string) Path) error { return p("dir").Rename(p("dir/x/y")) },
			nil, "dir/x/y: a directory cannot be moved into itself", nil},
		{"rename the top", func(d *Dir, p func(string) Path) error { return p(".").Rename(p("x")) },
			nil, ".: is the work directory", nil},
		{"the zero path", func(d *Dir, p func(string) Path) error { return Path{}.RemoveAll() },
			nil, ": not a path of a directory that is open", nil},
		{"after close", func(d *Dir, p func(string) Path) error {
			n := p("n")
			d.Close()
			return n.Create(nil)
		}, fs.ErrClosed, "n: file already closed", nil},
	}
	for _, test := range tests {
		t.Run(test.what, func(t *testing.T) {
			base := tree(t, "work/a", "work/dir/b", "work/dir/out -> ../../out", "work/link -> dir/b", "work/dirlink -> dir",
				"work/dangling -> new/file", "out/secret")
			d := open(t, base)
			before := contents(t, base)
			err := test.do(d, func(name string) Path { return resolve(t, d, name) })
			text := ""
			if err != nil {
				text = err.Error()
			}
			if text != test.text || test.err != nil && !errors.Is(err, test.err) {
				t.Errorf("got error %q, want %q, %v", text, test.text, test.err)
			}
			want := before
			for _, c := range test.change {
				if old, gone := strings.CutPrefix(c, "-"); gone {
					want = slices.DeleteFunc(want, func(s string) bool { return s == "work/"+old })
				} else {
					want = append(want, "work/"+c)
				}
			}
			slices.Sort(want)
			got := contents(t, base)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

func entry(d *Dir, name string) Path {
	p, err := d.Entry(name)
	if err != nil {
		panic(err)
	}
	return p
}
