package tools

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

func TestListDirectory(t *testing.T) {
	p := newPlace(t, map[string]string{
		"b.txt":            "12345",
		"a/one":            "1",
		"a/sub/two":        "22",
		"a/skip.o":         "",
		"a/sub/.gitignore": "!skip.o\n",
		"a/sub/skip.o":     "",
		"build/out":        "",
		".gitignore":       "*.o\n/build/\n",
		".git/config":      "",
		".github/x":        "",
		"empty/":           "",
		"new\nline":        "",
		"to file":          "-> a/one",
		"to dir":           "-> a/sub",
		"to nothing":       "-> none",
		"to outside":       "-> /etc/hostname",
		"loop":             "-> loop",
	})
	const links = "\"new\\nline\"\t0\nto dir -> a/sub/\nto file -> a/one\nto nothing -> none (does not exist)\nto outside -> /etc/hostname (outside)\n"
	for _, test := range []struct{ args, want string }{
		{`{}`, "a/\nb.txt\t5\nbuild/\nempty/\nloop -> ?\n" + links + "[3 hidden left out; show_hidden shows them]"},
		{`{"show_hidden":true}`, ".git/\n.github/\n.gitignore\t12\na/\nb.txt\t5\nbuild/\nempty/\nloop -> ?\n" + links},
		{`{"recursive":true}`, "a/\na/one\t1\na/sub/\na/sub/skip.o\t0\na/sub/two\t2\nb.txt\t5\nempty/\nloop -> ?\n" + links +
			"[2 git-ignored left out; 4 hidden left out; show_hidden shows them]"},
		{`{"path":"a","recursive":true,"show_hidden":true}`, "one\t1\nsub/\nsub/.gitignore\t8\nsub/skip.o\t0\nsub/two\t2\n[1 git-ignored left out]"},
		{`{"path":"build","recursive":true}`, "out\t0\n"},
		{`{"path":"to dir"}`, "skip.o\t0\ntwo\t2\n[1 hidden left out; show_hidden shows them]"},
		{`{"path":"empty"}`, "[nothing to show]"},
		{`{"path":".git"}`, "config\t0\n"},
	} {
		got, err := p.call("list_directory", test.args)
		if err != nil || got != test.want {
			t.Errorf("list_directory(%s) = %q, %v\nwant %q", test.args, got, err, test.want)
		}
	}
	got, err := p.call("list_directory", `{"recursive":true,"show_hidden":true}`)
	if err != nil || !strings.HasPrefix(got, ".git/\n.github/\n.github/x\t0\n") {
		t.Errorf("list_directory of everything = %q, %v", got, err)
	}
	for _, test := range []struct{ args, want string }{
		{`{"path":"none"}`, "none does not exist"},
		{`{"path":"b.txt"}`, "b.txt is not a directory; read_file reads files"},
		{`{"path":".."}`, "denied: " + filepath.Dir(p.dir) + " is outside the work directory " + p.dir},
		{`{"path":"to outside"}`, "denied: /etc/hostname is outside the work directory " + p.dir},
	} {
		if _, err := p.call("list_directory", test.args); err == nil || err.Error() != test.want {
			t.Errorf("list_directory(%s): %v\nwant %s", test.args, err, test.want)
		}
	}
	if p.yes.asked > 0 {
		t.Errorf("a person was asked %d times", p.yes.asked)
	}
}

func TestListDirectoryBounds(t *testing.T) {
	files := map[string]string{}
	for i := range 1500 {
		files[fmt.Sprintf("d%d/f%04d", i%3, i)] = ""
	}
	p := newPlace(t, files)
	got, err := p.call("list_directory", `{"recursive":true}`)
	if err != nil || strings.Count(got, "\n") != mostListed || !strings.HasSuffix(got, "\n[503 more not shown; list a directory of it]") {
		t.Errorf("list_directory of 1503 entries = %d lines, %v, ends in %q", strings.Count(got, "\n"), err, got[max(0, len(got)-80):])
	}
}
