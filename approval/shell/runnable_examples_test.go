package shell

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestRefusals(t *testing.T) {
	seen := map[string]bool{}
	list := Refusals()
	if want := len(refused) + len(calls); len(list) != want {
		t.Errorf("%d refusals; want %d", len(list), want)
	}
	for _, u := range list {
		if seen[u.What] || u.What == "" || u.Instead == "" {
			t.Errorf("%q, %q: empty, or a second time", u.What, u.Instead)
		}
		seen[u.What] = true
	}
	for _, text := range refused {
		if !errors.As(Interpretable(text), new(*Unrunnable)) {
			t.Errorf("%s is not refused", text)
		}
	}
}

// TestReadmeRefusals holds that what the README says is refused is.
func TestReadmeRefusals(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), "cannot do like bash (")
	said, _, ok := strings.Cut(rest, ")")
	names := regexp.MustCompile("`[^`]+`").FindAllString(said, -1)
	if !ok || len(names) < 5 {
		t.Fatalf("README.md names %q", names)
	}
	list := Refusals()
	for _, name := range names {
		found := false
		for _, u := range list {
			found = found || u.What == strings.Trim(name, "`")
		}
		if !found {
			t.Errorf("README.md: %s is not refused", name)
		}
	}
}
