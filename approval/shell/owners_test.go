package shell

import (
	"slices"
	"strings"
	"testing"

	"tricode/approval"
)

// A file belongs to the commands whose words or redirects name it, and to all of them where there are several.
func TestFilesBelongToCommands(t *testing.T) {
	d := project(t)
	for _, test := range []struct {
		text, file string
		want       []string // the first words of the commands
	}{
		{"make > new.txt", "new.txt", []string{"make"}},
		{"ls; make 2>&1 > new.txt", "new.txt", []string{"make"}},
		{"{ make; go test; } > new.txt", "new.txt", []string{"make", "go"}},
		{"make > new.txt; echo x > new.txt", "new.txt", []string{"make", "echo"}},
		{"timeout 5 make > new.txt", "new.txt", []string{"timeout", "make"}},
		{"echo $(make) > new.txt", "new.txt", []string{"make", "echo"}},
		{"ls | tee new.txt", "new.txt", []string{"tee"}},
		{"> new.txt", "new.txt", nil},
	} {
		a := Analyze(test.text, d)
		i := slices.IndexFunc(a.Subjects, func(s approval.Subject) bool { return s.Rel == test.file && s.Effects.Has(approval.Write) })
		if i < 0 {
			t.Errorf("%q does not write %s: %+v", test.text, test.file, a.Subjects)
			continue
		}
		var got []string
		for _, s := range a.Subjects {
			if s.Command != nil && slices.Contains(a.Subjects[i].By, s.Command) {
				got = append(got, s.Args[0])
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s of %q belongs to %q, want %q", test.file, test.text, got, test.want)
		}
	}
}

// A flood of redirects leaves files without a known owner rather than memory without a bound.
func TestOwnersAreBounded(t *testing.T) {
	a := Analyze("{ "+strings.Repeat(":;", 500)+" }"+strings.Repeat(">n", 3000), project(t))
	for _, s := range a.Subjects {
		if len(s.By) > 0 {
			t.Fatalf("%s belongs to %d commands", s.Path, len(s.By))
		}
	}
}

// A command that recurses reads what lies below too.
func TestRecursionReadsTrees(t *testing.T) {
	d := project(t)
	for text, want := range map[string]bool{"grep -r x src": true, "grep x src/main.go": false, "rg x src": true, "ls src": false} {
		got := slices.ContainsFunc(Analyze(text, d).Subjects, func(s approval.Subject) bool { return s.Tree })
		if got != want {
			t.Errorf("%q reads a tree: %v, want %v", text, got, want)
		}
	}
}
