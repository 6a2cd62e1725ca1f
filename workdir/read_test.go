package workdir

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	base := tree(t, "work/empty", "work/dir/")
	content := bytes.Repeat([]byte("0123456789"), 1000)
	for name, data := range map[string][]byte{"empty": nil, "full": content} {
		if err := os.WriteFile(filepath.Join(base, "work", name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	d := open(t, base)
	tests := []struct {
		name  string
		limit int64
		want  []byte
		err   error
	}{
		{"empty", 0, []byte{}, nil},
		{"empty", 10, []byte{}, nil},
		{"empty", -1, nil, ErrTooLarge},
		{"full", 10_001, content, nil},
		{"full", 10_000, content, nil},
		{"full", 9_999, nil, ErrTooLarge},
		{"full", 0, nil, ErrTooLarge},
		{"dir", 10, nil, ErrNotRegular},
		{".", 10, nil, ErrNotRegular},
		{"nosuch", 10, nil, fs.ErrNotExist},
		{"full/x", 10, nil, nil},
	}
	for _, test := range tests {
		got, err := resolve(t, d, test.name).Read(test.limit)
		if !bytes.Equal(got, test.want) || (got == nil) != (test.want == nil) || !errors.Is(err, test.err) && test.err != nil {
			t.Errorf("Read(%s, %d) = %d bytes, %v; want %d bytes, %v",
				test.name, test.limit, len(got), err, len(test.want), test.err)
		}
		if cap(got) > max(int(test.limit), 0) {
			t.Errorf("Read(%s, %d) took %d bytes", test.name, test.limit, cap(got))
		}
	}
}

// TestReadMoreThanSize reads a file that says it is empty, as those in /proc do: a pipe.
func TestReadMoreThanSize(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789"), 300)
	for limit, want := range map[int64]error{0: ErrTooLarge, 1000: ErrTooLarge, 2999: ErrTooLarge, 3000: nil, 5000: nil} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
		w.Close()
		data, err := read(r, limit)
		r.Close()
		if err != want || err == nil && !bytes.Equal(data, content) || int64(cap(data)) > limit {
			t.Errorf("read at most %d = %d bytes (%d taken), %v; want %v", limit, len(data), cap(data), err, want)
		}
	}
}

func TestOpenSeeks(t *testing.T) {
	d := open(t, tree(t, "work/file"))
	f, err := resolve(t, d, "file").Open()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Seek(2, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if data, err := io.ReadAll(f); string(data) != "le" || err != nil {
		t.Errorf("read %q, %v; want %q", data, err, "le")
	}
}

func TestInfo(t *testing.T) {
	base := tree(t, "work/file", "work/link -> file", "work/dir/")
	if err := os.Link(filepath.Join(base, "work/file"), filepath.Join(base, "second")); err != nil {
		t.Fatal(err)
	}
	d := open(t, base)
	if info, err := entry(d, "link").Info(); err != nil || info.Mode().Type() != fs.ModeSymlink {
		t.Errorf("Info of a link = %v, %v", info, err)
	}
	if info, err := resolve(t, d, "link").Info(); err != nil || !info.Mode().IsRegular() || info.Name() != "file" {
		t.Errorf("Info of a file = %v, %v", info, err)
	}
	if info, err := resolve(t, d, ".").Info(); err != nil || !info.IsDir() {
		t.Errorf("Info of the top = %v, %v", info, err)
	}
	two := 2
	if runtime.GOOS == "windows" {
		two = 0
	}
	for name, want := range map[string]int{"file": two, "dir": 0, "nosuch": 0} {
		if got := resolve(t, d, name).Links(); got != want {
			t.Errorf("Links of %s = %d, want %d", name, got, want)
		}
	}
}

func TestWalk(t *testing.T) {
	base := tree(t, "work/a/b/c", "work/a/b.txt", "work/a/link -> ../d", "work/d/e", "work/z", "work/out -> ../secret",
		"secret/s")
	d := open(t, base)
	tests := []struct {
		name, at string
		fn       func(rel string) error
		want     string
	}{
		{"all", ".", nil, "a a/b a/b/c a/b.txt a/link d d/e out z"},
		{"below", "a", nil, "b b/c b.txt link"},
		{"skip a directory", ".", at("a", fs.SkipDir), "a d d/e out z"},
		{"skip the rest", ".", at("a/b.txt", fs.SkipDir), "a a/b a/b/c a/b.txt d d/e out z"},
		{"skip the rest of the top", ".", at("out", fs.SkipDir), "a a/b a/b/c a/b.txt a/link d d/e out"},
		{"skip all", ".", at("a/b/c", fs.SkipAll), "a a/b a/b/c"},
		{"stop", ".", at("a/b", io.ErrUnexpectedEOF), "a a/b unexpected EOF"},
		{"a file", "z", nil, "z: not a directory"},
		{"nothing", "n/n", nil, "n/n: no such file or directory"},
	}
	for _, test := range tests {
		var got []string
		err := resolve(t, d, test.at).Walk(func(rel string, e fs.DirEntry, err error) error {
			if err != nil {
				t.Errorf("%s: %s: %v", test.name, rel, err)
			}
			if info, err := e.Info(); err != nil || info.Name() != e.Name() || !strings.HasSuffix(rel, e.Name()) {
				t.Errorf("%s: Info of %s = %v, %v", test.name, rel, info, err)
			}
			if e.Type().IsRegular() {
				if data, err := e.(Entry).Read(100); string(data) != e.Name() || err != nil {
					t.Errorf("%s: Read of %s = %q, %v", test.name, rel, data, err)
				}
			} else if _, err := e.(Entry).Read(100); err == nil {
				t.Errorf("%s: %s was read", test.name, rel)
			}
			got = append(got, rel)
			if test.fn != nil {
				return test.fn(rel)
			}
			return nil
		})
		if err != nil {
			got = append(got, err.Error())
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%s: got %q, want %q", test.name, s, test.want)
		}
	}
}

// at returns a function that returns err for one path.
func at(path string, err error) func(string) error {
	return func(rel string) error {
		if rel == path {
			return err
		}
		return nil
	}
}

// TestDeep makes directories deeper than a name can be long.
func TestDeep(t *testing.T) {
	base := tree(t, "work/")
	dir, err := os.OpenRoot(filepath.Join(base, "work"))
	if err != nil {
		t.Fatal(err)
	}
	for range 300 {
		if err := dir.Mkdir("directory", 0o777); err != nil {
			t.Fatal(err)
		}
		next, err := dir.OpenRoot("directory")
		if err != nil {
			t.Fatal(err)
		}
		dir.Close()
		dir = next
	}
	dir.Close()
	d := open(t, base)
	seen, failed := 0, 0
	err = resolve(t, d, ".").Walk(func(rel string, e fs.DirEntry, err error) error {
		seen++
		if err != nil {
			failed++
		}
		return nil
	})
	if err != nil || failed != 1 || seen != maxDepth+2 {
		t.Errorf("Walk saw %d, %d errors, %v; want %d, 1 error", seen, failed, err, maxDepth+2)
	}
	if _, err := d.Resolve(strings.Repeat("directory/", 299)); !errors.Is(err, errDeep) {
		t.Errorf("Resolve: %v, want %v", err, errDeep)
	}
	if err := resolve(t, d, "directory").RemoveAll(); err != nil {
		t.Errorf("RemoveAll: %v", err)
	}
}

func TestReadDir(t *testing.T) {
	base := tree(t, "work/b", "work/a/x", "work/C", "work/link -> a")
	d := open(t, base)
	entries, err := resolve(t, d, "link/..").ReadDir()
	var got []string
	for _, e := range entries {
		got = append(got, fmt.Sprint(e.Name(), e.Type()))
	}
	if want := []string{"C----------", "ad---------", "b----------", "linkL---------"}; !slices.Equal(got, want) || err != nil {
		t.Errorf("ReadDir = %q, %v; want %q", got, err, want)
	}
}

func TestListTooMany(t *testing.T) {
	d := open(t, tree(t, "work/a", "work/b", "work/c"))
	for most, want := range map[int]error{2: ErrTooLarge, 3: nil, 4: nil} {
		entries, err := list(d.roots[0].handle, most)
		if len(entries) != min(most, 3) || err != want {
			t.Errorf("list at most %d = %d entries, %v; want %v", most, len(entries), err, want)
		}
	}
}
