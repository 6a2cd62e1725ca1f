//go:build unix

package workdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// flip makes work/d a directory and a link to target by turns, until it is told to stop.
func flip(t *testing.T, base, target string) (stop func()) {
	d, dir, link := base+"/work/d", base+"/dir", base+"/link"
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		for {
			select {
			case <-done:
				return
			default:
			}
			os.RemoveAll(dir)
			os.Rename(d, dir)
			os.RemoveAll(d) // made meanwhile
			os.Symlink(target, link)
			os.Rename(link, d)
			os.Remove(d)
			os.Mkdir(dir, 0o777)
			os.WriteFile(dir+"/file", []byte("file"), 0o666)
			os.RemoveAll(d)
			os.Rename(dir, d)
		}
	}()
	return sync.OnceFunc(func() { close(done); <-gone })
}

// TestRace acts below a directory that turns into a link all the time: nothing may happen where the link leads.
func TestRace(t *testing.T) {
	acts := map[string]func(file, sub Path) error{
		"create":     func(_, sub Path) error { return sub.Create([]byte("x")) },
		"replace":    func(file, _ Path) error { return file.Replace([]byte("file"), []byte("x")) },
		"mkdir":      func(_, sub Path) error { return sub.Mkdir(true) },
		"remove":     func(file, _ Path) error { return file.Remove() },
		"remove all": func(file, _ Path) error { return file.RemoveAll() },
		"rename": func(file, _ Path) error {
			to := file
			to.Abs, to.Rel = to.Abs+"2", to.Rel+"2"
			return file.Rename(to)
		},
		"write": func(_, sub Path) error {
			w, err := sub.Writer()
			if err != nil {
				return err
			}
			defer w.Close()
			_, err = w.Write([]byte("x"))
			return err
		},
		"read": func(file, _ Path) error {
			data, err := file.Read(100)
			if strings.Contains(string(data), "secret") {
				return errors.New("the secret was read")
			}
			return err
		},
		"walk": func(file, _ Path) error {
			top := file
			top.Abs, top.Rel = filepath.Dir(file.Abs), "d"
			return top.Walk(func(rel string, e fs.DirEntry, err error) error {
				if strings.Contains(rel, "secret") {
					return errors.New("the secret was seen")
				}
				return nil
			})
		},
	}
	for _, target := range []string{"../out", "elsewhere"} {
		for name, act := range acts {
			t.Run(name+" "+target, func(t *testing.T) {
				base := tree(t, "work/d/file", "work/elsewhere/secret/", "out/secret/")
				content := "file" // as in d: Replace must not be kept off by the contents
				if name == "read" {
					content = "secret"
				}
				for _, dir := range []string{"work/elsewhere", "out"} {
					if err := os.WriteFile(filepath.Join(base, dir, "file"), []byte(content), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				watched := func() []string {
					return append(contents(t, base+"/out"), contents(t, base+"/work/elsewhere")...)
				}
				d := open(t, base)
				file, sub := resolve(t, d, "d/file"), resolve(t, d, "d/new/file")
				before := watched()
				stop := flip(t, base, target)
				defer stop()
				done := 0
				for end := time.Now().Add(150 * time.Millisecond); time.Now().Before(end); {
					err := act(file, sub)
					if err == nil {
						done++
					} else if strings.Contains(err.Error(), "secret") {
						t.Fatal(err)
					}
				}
				stop()
				if after := watched(); !slices.Equal(before, after) {
					t.Errorf("after %d times: got %q, want %q", done, after, before)
				}
			})
		}
	}
}
