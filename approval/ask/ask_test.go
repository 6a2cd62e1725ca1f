package ask

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tricode/approval"
)

func TestParse(t *testing.T) {
	tests := []struct {
		line    string
		want    approval.Answer
		decided bool
	}{
		{"1", approval.Answer{Choice: approval.Once}, true},
		{" 2 ", approval.Answer{Choice: approval.Always}, true},
		{"3", approval.Answer{Choice: approval.End}, true},
		{"n", approval.Answer{Choice: approval.Refuse}, true},
		{"n use  the other file ", approval.Answer{Choice: approval.Refuse, Reason: "use  the other file"}, true},
		{"N no", approval.Answer{Choice: approval.Refuse, Reason: "no"}, true},
		{"", approval.Answer{}, false}, {"1 2", approval.Answer{}, false}, {"11", approval.Answer{}, false},
		{"y", approval.Answer{}, false}, {"no", approval.Answer{}, false}, {"１", approval.Answer{}, false},
		{"v", approval.Answer{}, false}, {"?", approval.Answer{}, false}, {"0~1", approval.Answer{}, false},
	}
	for _, tt := range tests {
		if got, decided := parse(tt.line); got != tt.want || decided != tt.decided {
			t.Errorf("parse(%q) = %+v, %v; want %+v, %v", tt.line, got, decided, tt.want, tt.decided)
		}
	}
}

func TestReply(t *testing.T) {
	q := &question{action: create(), width: 80, decision: approval.Decision{Trace: []approval.Step{
		{Layer: approval.LayerDefault, Verdict: "ask", Subject: "/w/\x1b[2J"},
	}}}
	for line, want := range map[string]string{
		"?": "n REASON  deny", "v": "Tool: create_file\n", "V": "Tool: create_file\n",
		"w": "  /w/\\x1b[2J\n    11 default: ask\n", "": "Type 1, 2 or 3", "x": "Type 1, 2 or 3", "/plan": "Type 1, 2 or 3",
		"s": "There are no rules", "e": "Nothing of this call can be edited",
	} {
		x := exchange{question: q, options: &Options{}}
		if _, decided, got := x.answer(t.Context(), line); decided || !strings.Contains(got, want) {
			t.Errorf("%q: %v, %q; want in it %q", line, decided, got, want)
		}
	}
}

// The rules of s are shown first, and count when s is said twice in a row.
func TestShape(t *testing.T) {
	taken := 0
	var fault error
	x := exchange{question: &question{action: create(), width: 80}, options: &Options{
		Shape: func(*approval.Action) ([]string, func() error, error) {
			return []string{"allow create_file(*.\x1b[2J)"}, func() error { taken++; return nil }, fault
		},
	}}
	say := func(line, want string, ends bool) {
		t.Helper()
		answer, decided, got := x.answer(t.Context(), line)
		if decided != ends || !strings.Contains(got, want) || ends && answer.Choice != approval.Again {
			t.Errorf("%q: %v, %v, %q; want in it %q", line, answer, decided, got, want)
		}
	}
	say("s", "  allow create_file(*.\\x1b[2J)\nType s again to take it.\n", false)
	say("", "Type 1", false)
	say("S", "Type s again", false)
	if taken != 0 {
		t.Fatal("a rule was taken before it was confirmed")
	}
	say("s", "", true)
	if taken != 1 {
		t.Errorf("the rule was taken %d times", taken)
	}
	fault = errors.New("no rule can say this\x07")
	say("s", `no rule can say this\x07`, false)
	say("s", `no rule can say this`, false)
}

// A subject with a long trace is named once, and so is the trace of subjects that have the same.
func TestWhy(t *testing.T) {
	steps := func(subject string, last approval.Step) []approval.Step {
		last.Subject = subject
		return []approval.Step{
			{Layer: approval.LayerTools, Verdict: "-", Subject: subject}, {Layer: approval.LayerWorkDir, Verdict: "-", Subject: subject}, last,
		}
	}
	asks := approval.Step{Layer: approval.LayerDefault, Verdict: "ask", Reason: "it deletes"}
	lost := func(path string) []approval.Step {
		return steps(path, approval.Step{Layer: approval.LayerDefault, Verdict: "ask", Reason: path + " would be lost"})
	}
	reads := approval.Step{Layer: approval.LayerBuiltin, Verdict: "allow", Reason: "it only reads"}
	q := question{action: create(), width: 80, decision: approval.Decision{
		Trace: slices.Concat(steps("rm a b", asks), steps("/w/a", asks), steps("/w/a", asks), lost("/w/b"), lost("/w/c"), steps("ls", reads)),
	}}
	want := `  rm a b
  /w/a
  /w/a
    no answer from tool list, work directory
    11 default: ask, it deletes
  /w/b
  /w/c
    no answer from tool list, work directory
    11 default: ask, it would be lost
  ls
    no answer from tool list, work directory
    10 built in: allow, it only reads
`
	if got := q.why(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
