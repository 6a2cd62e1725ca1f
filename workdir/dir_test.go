package workdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestOpenThroughLink(t *testing.T) {
	base := tree(t, "work/file", "alias -> work", "out/file")
	d, err := Open(filepath.Join(base, "alias"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if d.Name() != base+"/work" {
		t.Errorf("Name = %q, want %q", d.Name(), base+"/work")
	}
	for _, name := range []string{"file", base + "/work/file", base + "/alias/file", base + "/alias/../work/file"} {
		if p := resolve(t, d, name); p.Rel != "file" || p.Abs != base+"/work/file" || p.Shown() != "file" {
			t.Errorf("Resolve(%q) = %+v", name, p)
		}
	}
	if p := resolve(t, d, base+"/alias/file"); p.Via != "" {
		t.Errorf("Via = %q: the link is the person's own", p.Via)
	}
	os.Remove(base + "/alias")
	os.Symlink("out", base+"/alias")
	if p, err := d.Resolve(base + "/alias/file"); err == nil {
		t.Errorf("the link leads elsewhere by now: %+v", p)
	}
}

func TestAdditional(t *testing.T) {
	base := tree(t, "work/sub/file", "lib/in/file", "libs/file", "work/link -> ../lib")
	d := open(t, base, "lib/in", "lib", "work/sub")
	for name, want := range map[string]Path{
		"sub/file":       {Rel: "sub/file", Abs: base + "/work/sub/file"},
		"../lib/in/file": {Rel: "file", Abs: base + "/lib/in/file"},
		"../lib/x":       {Rel: "x", Abs: base + "/lib/x"},
		"link/in":        {Rel: ".", Abs: base + "/lib/in", Via: base + "/work/link/in"},
	} {
		p := resolve(t, d, name)
		if p.Abs != want.Abs || p.Rel != want.Rel || p.Via != want.Via {
			t.Errorf("Resolve(%q) = %+v, want %+v", name, p, want)
		}
	}
	if p := resolve(t, d, "../lib/x"); p.Shown() != p.Abs {
		t.Errorf("Shown = %q, want %q", p.Shown(), p.Abs)
	}
	if p, err := d.Resolve("../libs/file"); err == nil {
		t.Errorf("Resolve = %+v, want an error", p)
	}
	if err := resolve(t, d, "sub/file").Rename(resolve(t, d, "link/x")); err != nil {
		t.Errorf("Rename to an additional directory: %v", err)
	}
	if data, err := resolve(t, d, "../lib/x").Read(10); string(data) != "file" {
		t.Errorf("Read = %q, %v", data, err)
	}
	for name, want := range map[string]string{
		"../lib":    "holds the additional directory",
		"../lib/in": "is the additional directory",
		"sub":       "is the additional directory",
	} {
		if err := resolve(t, d, name).RemoveAll(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("RemoveAll(%s): %v, want %s", name, err, want)
		}
	}
}

func TestUnlimited(t *testing.T) {
	base := tree(t, "work/file", "out/file", "work/link -> ../out", "out/loop -> loop")
	d := open(t, base, "/")
	p := resolve(t, d, "link/file")
	if p.Rel != "" || p.Abs != base+"/out/file" || p.Shown() != p.Abs {
		t.Errorf("Resolve = %+v", p)
	}
	if err := p.Replace([]byte("file"), []byte("new")); err != nil {
		t.Error(err)
	}
	if data, err := os.ReadFile(base + "/out/file"); string(data) != "new" {
		t.Errorf("got %q, %v", data, err)
	}
	if p := resolve(t, d, base+"/work/file"); p.Rel != "file" {
		t.Errorf("Resolve = %+v", p)
	}
	if err := resolve(t, d, base).RemoveAll(); err == nil || !strings.Contains(err.Error(), "holds the work directory") {
		t.Errorf("RemoveAll: %v", err)
	}
	if entries, err := resolve(t, d, "/").ReadDir(); err != nil || len(entries) == 0 {
		t.Errorf("ReadDir(/) = %d entries, %v", len(entries), err)
	}
	if _, err := d.Resolve("../out/loop"); err == nil || errors.As(err, new(*OutsideError)) {
		t.Errorf("Resolve of a loop: %v", err)
	}
}

// TestMoved moves the work directory away and puts another in its place: the open one counts.
func TestMoved(t *testing.T) {
	base := tree(t, "work/dir/link -> ../other", "work/other/file", "new/dir/link -> BASE/out", "out/file")
	d := open(t, base)
	if err := os.Rename(base+"/work", base+"/old"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(base+"/new", base+"/work"); err != nil {
		t.Fatal(err)
	}
	p := resolve(t, d, "dir/link/file")
	if p.Rel != "other/file" {
		t.Errorf("Rel = %q", p.Rel)
	}
	if err := p.Replace([]byte("file"), []byte("new")); err != nil {
		t.Error(err)
	}
	if data, err := os.ReadFile(base + "/old/other/file"); string(data) != "new" {
		t.Errorf("got %q, %v", data, err)
	}
}

// TestOneWins lets many make the same name at once.
func TestOneWins(t *testing.T) {
	const many = 8
	base := tree(t, "work/")
	d := open(t, base)
	to := resolve(t, d, "a/b/to")
	from := make([]Path, many)
	for i := range many {
		from[i] = resolve(t, d, fmt.Sprintf("from%d", i))
	}
	acts := map[string]func(i int) error{
		"Create": func(i int) error { return to.Create([]byte("x")) },
		"Rename": func(i int) error { return from[i].Rename(to) },
		"Mkdir":  func(i int) error { return to.Mkdir(true) },
		"Writer": func(i int) error {
			w, err := to.Writer()
			if err == nil {
				err = w.Close()
			}
			return err
		},
	}
	for name, act := range acts {
		for range 20 {
			os.RemoveAll(base + "/work/a/b/to")
			os.MkdirAll(base+"/work/a/b", 0o777)
			for _, p := range from {
				os.WriteFile(p.Abs, nil, 0o666)
			}
			var won atomic.Int32
			var wait sync.WaitGroup
			for i := range many {
				wait.Go(func() {
					switch err := act(i); {
					case err == nil:
						won.Add(1)
					case !errors.Is(err, fs.ErrExist):
						t.Errorf("%s: %v", name, err)
					}
				})
			}
			wait.Wait()
			if won.Load() != 1 {
				t.Fatalf("%s: %d won", name, won.Load())
			}
		}
	}
	if entries, _ := os.ReadDir(base + "/work/a/b"); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

// TestReplaceWhole reads a file while it is replaced.
func TestReplaceWhole(t *testing.T) {
	base := tree(t, "work/")
	d := open(t, base)
	p := resolve(t, d, "file")
	version := func(i int) []byte { return []byte(strings.Repeat(string(rune('a'+i%26)), 10_000+i)) }
	if err := p.Replace(nil, version(0)); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 50 {
			if err := p.Replace(version(i), version(i+1)); err != nil {
				t.Error(err)
			}
		}
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		data, err := p.Read(1 << 20)
		switch {
		case err != nil:
			t.Error(err)
		case len(data) < 10_000 || string(data) != string(version(len(data)-10_000)):
			t.Errorf("a mixture of %d bytes", len(data))
		}
	}
	if entries, _ := os.ReadDir(base + "/work"); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

// TestRespelled stands in for a file system that ignores letter case.
func TestRespelled(t *testing.T) {
	base := tree(t, "work/", "other/")
	d := open(t, base)
	for name, want := range map[string]*root{"work": d.roots[0], "other": nil} {
		info, err := os.Stat(base + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, spelled := range []string{"/work", "/Work"} {
			if got := d.respelled(base+spelled, info); got != want {
				t.Errorf("respelled(%s, %s) = %v, want %v", spelled, name, got, want)
			}
		}
		if got := d.respelled(base+"/mount", info); got != nil {
			t.Errorf("respelled(/mount, %s) = %v", name, got)
		}
	}
}

func TestManySteps(t *testing.T) {
	d := open(t, tree(t, "work/x/", "work/long -> "+strings.Repeat("x/../", 600)))
	resolve(t, d, strings.Repeat("long/", 5))
	if p, err := d.Resolve(strings.Repeat("long/", 20)); !errors.Is(err, errLinks) {
		t.Errorf("Resolve = %+v, %v; want %v", p, err, errLinks)
	}
}

func BenchmarkReplace(b *testing.B) {
	base := tree(b, "work/1/2/3/file")
	d := open(b, base)
	p := resolve(b, d, "1/2/3/file")
	old := []byte("file")
	b.ReportAllocs()
	for b.Loop() {
		data := make([]byte, 10_000)
		if err := p.Replace(old, data); err != nil {
			b.Fatal(err)
		}
		old = data
	}
}

func BenchmarkRead(b *testing.B) {
	p := resolve(b, open(b, tree(b, "work/1/2/3/file")), "1/2/3/file")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Read(100); err != nil {
			b.Fatal(err)
		}
	}
}
