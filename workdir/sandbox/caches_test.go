package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A program may put a link where a cache is looked for next: what that leads to is none.
func TestCachesAreNotLedAstray(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(top, filepath.FromSlash(name)) }
	for _, name := range []string{"work", "elsewhere/pip", "home/.cache/go-build", "home/.npm", "real/yarn"} {
		if err := os.MkdirAll(at(name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(
		os.Symlink(at("elsewhere"), at("work/link")), os.Symlink("../elsewhere/pip", at("work/pip")), os.Symlink(at("work/link"), at("home/way")),
		os.Symlink("../real", at("home/own")), os.Symlink("loop", at("home/loop")), os.Symlink(at("elsewhere"), at("home/.npm/link")),
	); err != nil {
		t.Skip("not run: ", err)
	}
	for _, c := range caches {
		if c.variable != "" {
			t.Setenv(c.variable, "")
		}
	}
	t.Setenv("XDG_CACHE_HOME", "")
	usual := []string{at("home/.cache/go-build"), at("home/.npm")}
	for _, test := range []struct {
		name, place string
		want        string // beside the usual ones
	}{
		{"in the work directory", "work/cache", ""},
		{"a link in the work directory", "work/pip", ""},
		{"below a link in the work directory", "work/link/pip", ""},
		{"through a link to one in the work directory", "home/way/pip", ""},
		{"below a link in another cache", "home/.npm/link/pip", ""},
		{"an endless link", "home/loop/pip", ""},
		{"back and forth", "work/../elsewhere/pip", ""},
		{"through the person's own link", "home/own/yarn", "real/yarn"},
		{"elsewhere", "elsewhere/pip", "elsewhere/pip"},
	} {
		t.Setenv("PIP_CACHE_DIR", top+"/"+test.place)
		got := Caches(at("home"), []string{at("work")}, func(p string) bool { return p == "pip" })
		want := usual
		if test.want != "" {
			want = append(slices.Clone(usual), at(test.want))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", test.name, got, want)
		}
		if _, err := os.Lstat(at("work/cache")); err == nil {
			t.Errorf("%s: it was made in the work directory", test.name)
		}
	}
}
