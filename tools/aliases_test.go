//go:build unix

package tools

import (
	"os"
	"strings"
	"testing"

	"tricode/workdir/sandbox"
)

// A secret is one by each of its names.
func TestASecondNameOfASecretIsSecret(t *testing.T) {
	p := withSessions(t)
	home := t.TempDir()
	p.put(".env", "KEY=hidden\n")
	p.put("one", "word\n")
	if err := os.MkdirAll(home+"/.ssh", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(home+"/.ssh/config", []byte("KEY=hidden\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, of := range map[string]string{"notes": p.dir + "/.env", "more": home + "/.ssh/config", "two": p.dir + "/one"} {
		if err := os.Link(of, p.dir+"/"+name); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("notes", p.dir+"/link"); err != nil {
		t.Fatal(err)
	}
	p.w.Boxes = &Boxes{Box: p.w.Box, Dir: p.w.Dir, Home: home, Secrets: []string{home + "/.ssh", home + "/.nothing"}}
	p.w.Boxes.Config.Mode = sandbox.Off
	p.gate.Policy.Home, p.w.Home = home, home
	for call, asked := range map[string]int{
		"cat notes": 1, "head -1 more": 1, "cat link": 1, "wc -l < notes": 1, "cat one two": 0, "ls -l": 0, "stat notes": 0,
	} {
		if got := p.askedAbout(call); got != asked {
			t.Errorf("%s: asked %d times, want %d", call, got, asked)
		}
	}
	for _, name := range []string{"notes", "more", "link", "two"} {
		p.yes.asked = 0
		if _, err := p.do(ReadFile(p.w), object("path", name)); err != nil || (p.yes.asked == 1) != (name != "two") {
			t.Errorf("read_file %s: %v, asked %d times", name, err, p.yes.asked)
		}
	}
	p.yes.asked = 0
	if got, err := p.do(SearchContext(p.w), object("pattern", "KEY|word")); err != nil || p.yes.asked > 0 || strings.Contains(got, "KEY") || !strings.Contains(got, "two:1:word") {
		t.Errorf("search_context: %q, %v, asked %d times", got, err, p.yes.asked)
	}
}
