package tools

import (
	"strings"
	"testing"
	"time"
)

func TestGlobs(t *testing.T) {
	for _, test := range []struct {
		glob, path string
		want       bool
	}{
		{"", "a/b.go", true},
		{"*.go", "a/b.go", true},
		{"*.go", "a/b.go.txt", false},
		{"*.{ts,tsx}", "a/b.tsx", true},
		{"*.{ts,tsx}", "a/b.t", false},
		{"{a,b{c,d}}", "bd", true},
		{"{a,b{c,d}}", "b", false},
		{"x{,y}", "x", true},
		{"{a", "{a", true},
		{"a}", "a}", true},
		{`\{a,b\}`, "{a,b}", true},
		{"a/*.go", "a/b.go", true},
		{"a/*.go", "b/a/b.go", false},
		{"a/*.go", "a/b/c.go", false},
		{"/a.go", "a.go", true},
		{"/a.go", "b/a.go", false},
		{"./a/b", "a/b", true},
		{"a/", "a/b/c", true},
		{"a/", "b/a", false},
		{"**/b/*", "b/c", true},
		{"**/b/*", "a/a/b/c", true},
		{"a/**/c", "a/c", true},
		{"a/**/c", "a/b/b/c", true},
		{"a/**", "a", false},
		{"a/**", "a/b/c", true},
		{"!*.go", "a.go", false},
		{"!*.go", "a.c", true},
		{"[a-c]?", "bé", false}, // bytes, as git has it
		{"[!a-c]", "d", true},
		{"[[:digit:]-]", "-", true},
		{"[]]", "]", true},
		{"[^]]", "a", true},
		{"[a/]", "/", false},
	} {
		choice, err := parseGlobs(test.glob)
		if err != nil {
			t.Errorf("parseGlobs(%q): %v", test.glob, err)
		} else if got := choice.match(test.path); got != test.want {
			t.Errorf("%q matches %q: %v, want %v", test.glob, test.path, got, test.want)
		}
	}
}

// No pattern takes long, whoever wrote it.
func TestGlobTime(t *testing.T) {
	start := time.Now()
	for _, pattern := range []string{strings.Repeat("*a", 100) + "b", strings.Repeat("**/a/", 100) + "b", strings.Repeat("*a/**/", 50) + "b"} {
		g, err := parseGlob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{strings.Repeat("a", 250), strings.Repeat("a/", 2000) + "a"} {
			if g.match(path) {
				t.Errorf("%q matches %q", pattern, path)
			}
		}
	}
	if took := time.Since(start); took > 2*time.Minute {
		t.Errorf("matching took %s", took)
	}
}

// A line of an ignore file is bytes that anybody wrote.
func FuzzRule(f *testing.F) {
	for _, line := range []string{"", "!", "/", "\\", "[", "[]", "[!]a]", "[[:alpha:]]", "[a-", "[a-\\", "**/a/**", "a\\ ", "***/", "{a,{b,c}}", "{,}{,}{,}{,}{,}{,}{,}"} {
		f.Add(line, "a/b")
	}
	f.Fuzz(func(t *testing.T, line, path string) {
		if r, ok := parseRule(line); ok {
			r.glob.match(path)
		}
		if choice, err := parseGlobs(line); err == nil {
			choice.match(path)
		}
	})
}
