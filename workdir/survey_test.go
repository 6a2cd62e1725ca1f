package workdir

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

func topOf(t *testing.T, top string) Path {
	t.Helper()
	dir, err := Open(top)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	p, err := dir.Resolve(".")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// surveys walks through a directory, and returns the files that it came across and the directories that were looked at anew.
func surveys(t *testing.T, s *Survey[[]string], top string) (files, looked []string) {
	t.Helper()
	p := topOf(t, top)
	look := func(rel string, names []Name) (in Surveyed[[]string]) {
		looked = append(looked, rel)
		for _, name := range names {
			if name.Dir {
				in.Below = append(in.Below, name.Name)
			} else {
				in.Found = append(in.Found, filepath.ToSlash(filepath.Join(rel, name.Name)))
			}
		}
		return in
	}
	s.Walk(p, look, func(in Surveyed[[]string], _ int) error {
		files = append(files, in.Found...)
		return nil
	})
	slices.Sort(files)
	return files, looked
}

// What did not change is not looked at again, and what did is.
func TestSurvey(t *testing.T) {
	top := t.TempDir()
	at := func(name string) string { return filepath.Join(top, filepath.FromSlash(name)) }
	must := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	put := func(name string) error {
		return errors.Join(os.MkdirAll(filepath.Dir(at(name)), 0o755), os.WriteFile(at(name), nil, 0o600))
	}
	must(put("a"), put("d/b"), put("d/e/c"), put("f/g"), put("elsewhere/h"))
	s := &Survey[[]string]{rests: time.Nanosecond}
	for _, step := range []struct {
		name   string
		change func()
		looked []string // on Linux; elsewhere all are
	}{
		{"at first", func() {}, []string{".", "d", "d/e", "elsewhere", "f"}},
		{"nothing", func() {}, nil},
		{"a file changed", func() { must(os.WriteFile(at("d/b"), []byte("more"), 0o600)) }, nil},
		{"a file made", func() { must(put("d/e/i")) }, []string{"d/e"}},
		{"a file removed", func() { must(os.Remove(at("d/e/c"))) }, []string{"d/e"}},
		{"its time set back", func() {
			info, err := os.Stat(at("f"))
			must(err, put("f/hidden"), os.Chtimes(at("f"), info.ModTime(), info.ModTime()))
		}, []string{"f"}},
		{"a directory made", func() { must(put("d/j/k")) }, []string{"d", "d/j"}},
		{"a directory became another", func() { must(os.Rename(at("d"), at("away")), os.Rename(at("elsewhere"), at("d"))) }, []string{".", "away", "away/e", "away/j", "d"}},
		{"a directory became a link", func() {
			must(os.Rename(at("f"), at("was")))
			if os.Symlink("d", at("f")) != nil {
				t.Skip("no links here")
			}
		}, []string{".", "was"}},
		{"a directory removed", func() { must(os.RemoveAll(at("was"))) }, []string{"."}},
	} {
		time.Sleep(20 * time.Millisecond) // a file system may give changes the same time that are closer together
		step.change()
		got, looked := surveys(t, s, top)
		want, all := surveys(t, &Survey[[]string]{}, top)
		if runtime.GOOS != "linux" {
			step.looked = all
		}
		if !slices.Equal(got, want) || !slices.Equal(looked, step.looked) {
			t.Errorf("%s: %q, want %q; looked at %q, want %q", step.name, got, want, looked, step.looked)
		}
	}
}

// What was changed just now may change again without another time: it is not remembered.
func TestSurveyOfWhatIsNew(t *testing.T) {
	top, s := t.TempDir(), &Survey[[]string]{rests: time.Hour}
	for range 2 {
		if _, looked := surveys(t, s, top); !slices.Equal(looked, []string{"."}) {
			t.Errorf("looked at %q", looked)
		}
	}
}

func TestSurveyEnds(t *testing.T) {
	top := t.TempDir()
	for _, name := range []string{"a/b/c", "d/e"} {
		if err := os.MkdirAll(filepath.Join(top, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p := topOf(t, top)
	for _, test := range []struct {
		answer error
		want   map[int]int // directories by depth
	}{{nil, map[int]int{0: 1, 1: 2, 2: 2, 3: 1}}, {fs.SkipDir, map[int]int{0: 1, 1: 2}}, {fs.SkipAll, map[int]int{0: 1, 1: 1}}} {
		got := map[int]int{}
		var s Survey[struct{}]
		s.Walk(p, func(_ string, names []Name) (in Surveyed[struct{}]) {
			for _, name := range names {
				in.Below = append(in.Below, name.Name)
			}
			return in
		}, func(in Surveyed[struct{}], depth int) error {
			if got[depth]++; depth > 0 {
				return test.answer
			}
			return nil
		})
		if !maps.Equal(got, test.want) {
			t.Errorf("%v: %v, want %v", test.answer, got, test.want)
		}
	}
}
