//go:build unix

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

func TestPut(t *testing.T) {
	put := func(p Path, was fs.FileInfo) error { return p.Put(was, strings.NewReader("new"), 0o750) }
	link := func(p Path, was fs.FileInfo) error { return p.PutLink(was, "dir") }
	touch := func(p Path) { os.WriteFile(p.Abs, []byte("mine"), 0o666) }
	tests := []struct {
		name      string
		place     string
		do        func(p Path, was fs.FileInfo) error
		meanwhile func(p Path)
		err       error
		want      string // what is there then; empty for what was
	}{
		{"a new file", "n", put, nil, nil, "n new"},
		{"a file", "file", put, nil, nil, "file new"},
		{"a link becomes a file", "link", put, nil, nil, "link new"},
		{"a file becomes a link", "file", link, nil, nil, "file -> dir"},
		{"a new link", "n", link, nil, nil, "n -> dir"},
		{"another link", "link", link, nil, nil, "link -> dir"},
		{"a directory", "dir", put, nil, syscall.EISDIR, ""},
		{"what was made meanwhile", "n", put, touch, ErrChanged, "n mine"},
		{"a link over what was made meanwhile", "n", link, touch, ErrChanged, "n mine"},
		{"what was changed meanwhile", "file", put, touch, ErrChanged, "file mine"},
		{"what is gone", "file", put, func(p Path) { os.Remove(p.Abs) }, ErrChanged, ""},
		{"below nothing", "n/n", put, nil, ErrChanged, ""},
		{"below a link", "d/n", put, nil, nil, "dir/n new"},
	}
	for _, tt := range tests {
		base := tree(t, "work/file", "work/dir/", "work/link -> file", "work/d -> dir")
		d := open(t, base)
		p, err := d.Entry(tt.place)
		if err != nil {
			t.Fatal(err)
		}
		was, err := p.Info()
		if err != nil {
			was = nil
		}
		if tt.meanwhile != nil {
			tt.meanwhile(p)
		}
		want := contents(t, base+"/work")
		if tt.want != "" {
			name, _, _ := strings.Cut(tt.want, " ")
			want = slices.DeleteFunc(want, func(s string) bool { return strings.HasPrefix(s, name+" ") })
			want = append(want, tt.want)
			slices.Sort(want)
		}
		if err := tt.do(p, was); !errors.Is(err, tt.err) {
			t.Errorf("%s: %v; want %v", tt.name, err, tt.err)
		}
		if got := contents(t, base+"/work"); !slices.Equal(got, want) {
			t.Errorf("%s: %q; want %q", tt.name, got, want)
		}
		if strings.HasSuffix(tt.want, " new") {
			if info, err := os.Lstat(filepath.Join(base, "work", strings.TrimSuffix(tt.want, " new"))); err != nil || info.Mode() != 0o750 {
				t.Errorf("%s: %v, %v", tt.name, info.Mode(), err)
			}
		}
	}
}

func TestChmod(t *testing.T) {
	base := tree(t, "work/dir/", "work/link -> dir")
	d := open(t, base)
	if err := entry(d, "dir").Chmod(0o500); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(base + "/work/dir"); err != nil || info.Mode().Perm() != 0o500 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := entry(d, "link").Chmod(0o700); !errors.Is(err, ErrChanged) {
		t.Errorf("a link: %v", err)
	}
	if target, err := entry(d, "link").Target(); target != "dir" || err != nil {
		t.Errorf("Target = %q, %v", target, err)
	}
}
