package approval

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// What follows from an action is decided about by its own subjects, and always asked about.
func TestNext(t *testing.T) {
	rules := compiled(t, Rule{Tool: "run_command", Action: Allow}, Rule{Tool: "run_command", Action: Deny, Path: "secret/**"})
	tests := []struct {
		name   string
		policy func(p *Policy)
		list   []Answer
		what   Subject
		asked  int
		kept   bool
		want   string // in the error
	}{
		{"kept", nil, []Answer{{Choice: Once}, {Choice: Once}}, file(Write, "a"), 2, true, ""},
		{"dropped", nil, []Answer{{Choice: Once}, {Choice: Refuse, Reason: "not b"}}, file(Write, "a"), 2, false, "nothing of what it changed was kept: a person said no: not b"},
		{"2 does not cover it", nil, []Answer{{Choice: Always}, {Choice: Always}}, file(Write, "a"), 2, true, ""},
		{"a rule does not cover it", func(p *Policy) { p.Rules = rules }, []Answer{{Choice: Once}}, file(Write, "a"), 1, true, ""},
		{"a deny rule forbids it", func(p *Policy) { p.Rules = rules }, nil, file(Write, "secret/a"), 0, false, "nothing of what it changed was kept"},
		{"bypass does not cover it", func(p *Policy) { p.Mode = ModeBypass }, []Answer{{Choice: Once}}, file(Write, "a"), 1, true, ""},
		{"accept_edits does not cover it", func(p *Policy) { p.Mode = ModeAcceptEdits }, []Answer{{Choice: Once}, {Choice: Once}}, file(Write, "a"), 2, true, ""},
		{"nothing is asked", func(p *Policy) { p.Mode, p.SkipAll = ModeBypass, true }, nil, file(Write, "a"), 0, true, ""},
		{"not even then is it protected no more", func(p *Policy) { p.Mode, p.SkipAll = ModeBypass, true }, nil, file(Write, ".git/x"), 0, false, "protected"},
		{"the default is to deny", func(p *Policy) { p.Rules, p.Default = rules, Deny }, []Answer{{Choice: Once}}, file(Write, "a"), 1, true, ""},
	}
	for _, tt := range tests {
		g := Gate{Policy: policy(ModeAsk), Asker: &answers{list: tt.list}}
		if tt.policy != nil {
			tt.policy(&g.Policy)
		}
		kept, recorded := 0, 0
		g.Record = func(a *Action, _ Decision) error {
			if recorded++; a.Tool != "run_command" || a.Call != "7" {
				t.Errorf("%s: recorded %+v", tt.name, a)
			}
			return nil
		}
		next := NewAction("keep", func(context.Context, io.Writer) (Result, error) { kept++; return Result{Text: "kept"}, nil }, tt.what)
		next.Confirm = true
		a := NewAction("run", func(context.Context, io.Writer) (Result, error) { return Result{Text: "ran", Next: next}, nil }, command(Exec, "make"))
		a.Tool, a.Call = "run_command", "7"
		r, err := g.Do(t.Context(), a, io.Discard)
		if got := g.Asker.(*answers).asked; got != tt.asked || kept > 0 != tt.kept || recorded != 2 {
			t.Errorf("%s: asked %d times, kept %d times, recorded %d", tt.name, got, kept, recorded)
		}
		if tt.want == "" && (err != nil || r.Text != "ran\nkept") || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %q, %v; want %q", tt.name, r.Text, err, tt.want)
		}
	}
}

// The answer of hooks does not stand for that of a person.
func TestNextNobody(t *testing.T) {
	next := NewAction("keep", func(context.Context, io.Writer) (Result, error) { t.Error("kept"); return Result{}, nil }, file(Write, "a"))
	next.Confirm = true
	g := Gate{Policy: policy(ModeBypass)}
	a := NewAction("run", func(context.Context, io.Writer) (Result, error) { return Result{Next: next}, nil }, command(Exec, "make")).named("run_command")
	_, err := g.Do(t.Context(), a, io.Discard)
	if denied := (*Denied)(nil); !errors.As(err, &denied) || denied.By != ByNobody {
		t.Errorf("%v; want a denial for want of a person", err)
	}
	if d := g.Policy.Decide(next.named("run_command"), nil); d.Verdict != Ask || d.negotiable {
		t.Errorf("%+v; want a question for a person alone", d)
	}
}
