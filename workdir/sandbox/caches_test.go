package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A program may put a link where a cache is looked for next, or a place that a person lists: what that leads to is none.
func TestPlacesAreNotLedAstray(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(top, filepath.FromSlash(name)) }
	for _, name := range []string{"work", "elsewhere/pip", "home/.cache/go-build", "home/.npm", "home/.cache/uv", "real/yarn"} {
		if err := os.MkdirAll(at(name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(
		os.Symlink(at("elsewhere"), at("work/link")), os.Symlink("../elsewhere/pip", at("work/pip")), os.Symlink(at("work/link"), at("home/way")),
		os.Symlink("../real", at("home/own")), os.Symlink("loop", at("home/loop")), os.Symlink(at("elsewhere"), at("home/.npm/link")),
		os.Symlink(at("elsewhere"), at("home/.cache/uv/link")),
	); err != nil {
		t.Skip("not run: ", err)
	}
	for _, c := range caches {
		if c.variable != "" {
			t.Setenv(c.variable, "")
		}
	}
	t.Setenv("XDG_CACHE_HOME", "")
	usual := []string{at("home/.cache/go-build"), at("home/.cache/uv"), at("home/.npm")}
	for _, test := range []struct {
		name, place string
		want        string // beside the usual ones
	}{
		{"in the work directory", "work/cache", ""},
		{"a link in the work directory", "work/pip", ""},
		{"below a link in the work directory", "work/link/pip", ""},
		{"through a link to one in the work directory", "home/way/pip", ""},
		{"below a link in another cache", "home/.npm/link/pip", ""},
		{"in a cache that is looked for later", "home/.cache/uv/pip", ""},
		{"below a link in a cache that is looked for later", "home/.cache/uv/link/pip", ""},
		{"not there, below a link in a cache that is looked for later", "home/.cache/uv/link/new", ""},
		{"an endless link", "home/loop/pip", ""},
		{"back and forth", "work/../elsewhere/pip", ""},
		{"through the person's own link", "home/own/yarn", "real/yarn"},
		{"elsewhere", "elsewhere/pip", "elsewhere/pip"},
	} {
		want := usual
		if test.want != "" {
			want = append(slices.Clone(usual), at(test.want))
		}
		slices.Sort(want)
		place := top + "/" + test.place
		for cache, listed := range map[string][]string{place: nil, "": {place}} {
			t.Setenv("PIP_CACHE_DIR", cache)
			got := Writable(at("home"), listed, []string{at("work")}, func(p string) bool { return p == "pip" && cache != "" })
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s, listed %q: %q, want %q", test.name, listed, got, want)
			}
		}
		for _, name := range []string{"work/cache", "elsewhere/new"} {
			if _, err := os.Lstat(at(name)); err == nil {
				t.Errorf("%s: %s was made", test.name, name)
			}
		}
	}
}

// A program that may write to one of several directories does not say where another one of them is.
func TestPlacesAreApart(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"out", "elsewhere", "other"} {
		if err := os.Mkdir(filepath.Join(top, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink("../elsewhere", filepath.Join(top, "out", "link")), os.Symlink("other", filepath.Join(top, "way"))); err != nil {
		t.Skip("not run: ", err)
	}
	var paths []string
	for _, name := range []string{"out/link", "none", "out", "way", "other"} {
		paths = append(paths, filepath.Join(top, filepath.FromSlash(name)))
	}
	if got, want := Apart(paths, nil), []string{filepath.Join(top, "out"), filepath.Join(top, "other")}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
