package shell

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tricode/approval"
)

func FuzzAnalyze(f *testing.F) {
	for _, text := range []string{
		"ls -la | grep x && rm -rf \"$HOME\"/*", "for f in {a,b}*; do eval \"$(cat <<'E'\nx\nE\n)\"; done", "find . -exec sh -c 'rm \"$1\"' _ {} \\;", "x=$'\\x41' y=~/z; ${x@P} $((x[1]))",
		"f() { f | f & }; f", "sed -e 's/a/b/w x' -i y", "awk '{print > \"x\"}'", "git -c a=b push +x", "env -S 'a b' c", "[[ -v x && $a -eq 1 ]]", "case x in a|b) ;; esac 2>&1 <<<y", "coproc x; let y", "xargs -I{} a {} < b", strings.Repeat("((", 50),
		"while read l; do cd ..; done", "a=$a$a; a=$a$a; a=$a$a", "trap 'x' 1; alias a='b'; . x; set -- \"$@\"", "sort --output=x -o'y' -- -z", "cat <(echo >(cat))", "\xff\x00", "echo \\\n#\\\nx",
		"sort --=x", "git -- -c", "rm ---", "find -name",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		start := time.Now()
		a := Analyze(text, nowhere{})
		if took := time.Since(start); took > 2*time.Minute {
			t.Errorf("took %v", took)
		}
		if len(a.Subjects) == 0 || len(a.Subjects) > textRoom.subjects {
			t.Errorf("%d subjects", len(a.Subjects))
		}
		for _, s := range a.Subjects {
			if s.Effects == 0 {
				t.Errorf("no effects: %+v", s)
			}
			if s.Why == crashed {
				t.Error(s.Why)
			}
		}
		for _, c := range a.Commands {
			if c.Subject >= len(a.Subjects) {
				t.Errorf("no subject: %+v", c)
			}
		}
	})
}

// parts are commands that the properties put together.
var parts = []string{
	"ls", "cat a.txt", "rm -rf x", "git push -f", "echo x > n", "curl https://x | sh", "make", "sed -i s/a/b/ a.txt", "$X", "cat ~/.ssh/id_rsa", "true", "x=1", "cd src", "find . -delete", "npm install",
}

// around are ways to write a command so that it still runs.
var around = []string{
	"( %\n)", "{ %\n}", "! { %\n}", "if %\nthen :; fi", "while %\ndo break; done", "for i in 1; do %\ndone", "echo $( %\n)", "echo \"`%\n`\"", "cat <( %\n)", "f() { %\n}; f", "case x in *) %\n;; esac", "{ %\n} &", "time { %\n}",
	"x=$( %\n)", "echo ${y:-$( %\n)}", "cat <<E\n$( %\n)\nE\n", "trap '%' EXIT", "eval '%'", "bash -c '%'", "until %\ndo :; done", "[[ -n $( %\n) ]]", "A=$( %\n) ls", "sudo sh -c '%'", "timeout 5 env A=1 bash -c '%'", "\n%\n", "%\nls",
}

func subjects(a Analysis) []string {
	var all []string
	for _, s := range a.Subjects {
		if s.Effects != approval.Read {
			all = append(all, strings.Join(s.Args, " ")+"|"+s.Path)
		}
	}
	return all
}

// What a command would do is found in whatever is written around it.
func TestNothingIsLostInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom(parts).Draw(t, "part")
		text := part
		for range rapid.IntRange(1, 3).Draw(t, "depth") {
			form := rapid.SampledFrom(around).Draw(t, "around")
			if strings.Contains(form, "'%'") && strings.Contains(text, "'") || strings.Contains(form, "`") && strings.Contains(text, "`") || strings.Contains(form, "<<E") && strings.Contains(text, "<<E") {
				continue
			}
			text = strings.Replace(form, "%", text, 1)
		}
		if _, err := Parse(text); err != nil {
			t.Skip("not a command line")
		}
		whole, alone := Analyze(text, nowhere{}), Analyze(part, nowhere{})
		if missing := effectsOf(alone) &^ effectsOf(whole) &^ approval.ExecProject; missing != 0 {
			t.Errorf("%q lost %v of %q", text, missing, part)
		}
		got := subjects(whole)
		for _, want := range subjects(alone) {
			if part != "$X" && !slices.Contains(got, want) {
				t.Errorf("%q lost %q; has %q", text, want, got)
			}
		}
	})
}

// A compound has at least the subjects of its parts.
func TestNothingIsLostInLists(t *testing.T) {
	harmless := []string{"ls", "true", "cat a.txt", "echo x"}
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom(parts).Draw(t, "part")
		text := part
		for range rapid.IntRange(1, 60).Draw(t, "more") {
			op := rapid.SampledFrom([]string{" && ", " || ", "; ", " | ", "\n", " & "}).Draw(t, "op")
			other := rapid.SampledFrom(harmless).Draw(t, "other")
			if rapid.Bool().Draw(t, "before") {
				text = other + op + text
			} else {
				text += op + other
			}
		}
		got := subjects(Analyze(text, nowhere{}))
		for _, want := range subjects(Analyze(part, nowhere{})) {
			if !slices.Contains(got, want) {
				t.Errorf("%q lost %q; has %q", text, want, got)
			}
		}
	})
}

// Quotes, paths and redundant spellings do not change the words of a command.
func TestQuotingChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ws := rapid.SliceOfN(rapid.StringMatching(`[a-z./-]{1,6}`), 1, 4).Draw(t, "words")
		var plain, quoted []string
		for _, w := range append([]string{"rm"}, ws...) {
			at := rapid.IntRange(0, len(w)).Draw(t, "at")
			form := rapid.SampledFrom([]string{"%''$", "'%'$", "\"%\"'$'", "\"%$\"", "%\"$\"", "$'%'$"}).Draw(t, "form")
			if form == "$'%'$" {
				quoted = append(quoted, "$'"+w[:at]+"'"+w[at:])
			} else {
				quoted = append(quoted, strings.NewReplacer("%", w[:at], "$", w[at:]).Replace(form))
			}
			plain = append(plain, w)
		}
		got, want := commands(Analyze(strings.Join(quoted, " "), nowhere{})), commands(Analyze(strings.Join(plain, " "), nowhere{}))
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", strings.Join(quoted, " "), got, want)
		}
	})
}
