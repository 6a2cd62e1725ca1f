package cli

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// What was typed in a way that the parser refuses, or that would waste a task, gets one line and perhaps what to type.
func TestMistakes(t *testing.T) {
	const general = "tricode --help lists what can be typed"
	for _, tt := range []struct{ line, want, hint string }{
		{"dmo", `"dmo" is no command; did you mean "demo"?`, "tricode -- dmo makes a task of it"},
		{"docter --json", `"docter" is no command; did you mean "doctor"?`, "tricode -- docter makes a task of it"},
		{"permisions explain x", `"permisions" is no command; did you mean "permissions"?`, "tricode -- permisions makes a task of it"},
		{"version", `"version" is no command; did you mean "--version"?`, "tricode -- version makes a task of it"},
		{"resume", `"resume" is no command; did you mean "--resume"?`, "tricode -- resume makes a task of it"},
		{"login", `"login" is no command; did you mean "init"?`, "tricode -- login makes a task of it"},
		{"hello", "", ""}, {"debug", "", ""}, {"plan", "", ""}, {"-- dmo", "", ""}, {"-- version", "", ""}, {"doctor", "", ""},
		{"fix the test", "unexpected argument the; the task is one argument, in quotes", `tricode "fix the test"`},
		{"fix the $test", "unexpected argument the; the task is one argument, in quotes", general},
		{"-q fix the test", "unexpected argument the; the task is one argument, in quotes", general},
		{"init x", "unexpected argument x to init", ""},
		{"permissions check x", "unexpected argument x to permissions check", ""},
		{"permissions expln", `unexpected argument expln, did you mean "explain"?`, ""},
		{"providers foo", "unexpected argument foo to providers; there are list, test", ""},
		{"completion", "completion needs a shell: bash, zsh or fish", ""},
		{"--modle x hi", `unknown flag --modle, did you mean "--model"?`, ""},
		{"--yolo hi", `unknown flag --yolo, did you mean "--bypass-permission"?`, ""},
		{"-m x hi", `unknown flag -m, did you mean "--model"?`, ""},
		{"-x hi", "unknown flag -x", general},
		{"--nonsense hi", "unknown flag --nonsense", general},
		{"permissions explain --batc x", `unknown flag --batc, did you mean "--batch"?`, ""},
		{"hi --model", "--model needs a value", ""},
		{"hi --max-turns x", "--max-turns needs a number", ""},
		{"hi --max-cost x", "--max-cost needs a number", ""},
		{"hi --max-turns -1", "--max-turns needs a value that does not begin with -", ""},
		{"hi --max-time 5", "--max-time needs a time such as 90s or 30m", ""},
	} {
		_, _, err := parse(&commandLine{}, strings.Fields(tt.line), io.Discard)
		got, hint := "", ""
		if err != nil {
			got, hint = err.Error(), hintFor(err)
		}
		if got != tt.want || hint != tt.hint {
			t.Errorf("tricode %s: %q, hint %q; want %q, hint %q", tt.line, got, hint, tt.want, tt.hint)
		}
		if usage := (*usageError)(nil); err != nil && !errors.As(err, &usage) {
			t.Errorf("tricode %s: %T is no mistake of a person", tt.line, err)
		}
	}
}

// What other programs have other names for is there.
func TestElsewhere(t *testing.T) {
	parser, err := newParser(&commandLine{}, io.Discard, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, name := range commandNames(parser.Model.Node) {
		known[name] = true
	}
	for _, f := range flagsOf(parser.Model.Node) {
		known["--"+f.Name] = true
	}
	for other, own := range elsewhere {
		if word, _, _ := strings.Cut(own, " "); !known[word] || known[other] {
			t.Errorf("%s is not %s", other, own)
		}
	}
}

func TestSlipped(t *testing.T) {
	for _, tt := range []struct {
		word, name string
		want       bool
	}{
		{"dmo", "demo", true}, {"demmo", "demo", true}, {"deno", "demo", true}, {"deom", "demo", true}, {"doctro", "doctor", true}, {"providrs", "providers", true},
		{"edit", "init", false}, {"test", "trust", false}, {"look", "demo", false}, {"x", "init", false}, {"docs", "doctor", false}, {"réparer", "trust", false},
	} {
		if got := slipped(tt.word, tt.name); got != tt.want {
			t.Errorf("slipped(%q, %q) = %v", tt.word, tt.name, got)
		}
	}
}

// Whatever is typed is understood or refused with a line.
func FuzzParse(f *testing.F) {
	for _, line := range []string{"permissions explain x -f", "--allow Bash( hi", "help a b", "--max-cost=x", "-- init", "completion", "--resume", "-vq x", "help permissions -h"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if _, _, err := parse(&commandLine{}, strings.Split(line, " "), io.Discard); err != nil && (err.Error() == "" || statusOf(err) != statusUsage) {
			t.Errorf("tricode %q: %q, status %d", line, err, statusOf(err))
		}
	})
}
