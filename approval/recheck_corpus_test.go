package approval_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"tricode/approval"
	"tricode/approval/shell"
)

// What was shown is never denied when it happens: every command of every line of the corpus that is not denied, with its words as
// they were shown.
func TestWhatWasShownMayHappen(t *testing.T) {
	rules := parseRules(t, "ask prefix git push", "ask run_command(rm *)", "ask read_file(src/**)", "ask edit_file(docs/**)", "deny prefix terraform", "deny read_file(secrets/**)")
	n := 0
	for _, line := range corpusLines(t) {
		for _, mode := range []approval.Mode{approval.ModeAsk, approval.ModeBypass, approval.ModeReadOnly} {
			p := approval.Policy{Mode: mode, WorkDir: "/work", Home: "/home/u", Rules: rules}
			a := planned(line)
			if a.Rechecked = true; p.Decide(a, nil).Verdict == approval.Deny {
				continue
			}
			r := approval.Recheck{Approved: a}
			for _, c := range shell.Analyze(line, world{}).Commands {
				s := a.Subjects[c.Subject]
				if c.Inside > 0 || len(c.Open) > 0 || c.Dir == "" || c.Program == "" {
					continue
				}
				n++
				now := approval.NewAction("", nil, shell.Arguments(world{}, c.Dir, c.Program, s.Args).Subjects...)
				if d := r.Decide(&p, now); d.Verdict != approval.Allow {
					t.Errorf("mode %s: %q was not denied, but %q is: %s (%s)", mode, line, s.Args, d.Reason, d.Trace[len(d.Trace)-1])
				}
			}
		}
	}
	if n < 1000 {
		t.Errorf("only %d commands", n)
	}
}

// corpusLines are the command lines of the corpus.
func corpusLines(t *testing.T) []string {
	f, err := os.Open("../examples/testdata/corpus/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct {
			Args struct{ Command string }
		}
		if json.Unmarshal(lines.Bytes(), &c) == nil && c.Args.Command != "" && !slices.Contains(all, c.Args.Command) {
			all = append(all, c.Args.Command)
		}
	}
	return all
}
