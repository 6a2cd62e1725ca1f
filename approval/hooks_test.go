package approval

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// opinions are hooks that say the same about everything, and count how often they are asked.
type opinions struct {
	before, permission *Opinion
	note               string
	asked, asked2      int
}

func (o *opinions) Before(context.Context, *Action) *Opinion     { o.asked++; return o.before }
func (o *opinions) Permission(context.Context, *Action) *Opinion { o.asked2++; return o.permission }
func (o *opinions) After(context.Context, *Action, Result, error) string {
	return o.note
}

func says(v Verdict) *Opinion { return &Opinion{Given: true, Verdict: v, Reason: "hook x: because"} }

func TestHooksBeforeACall(t *testing.T) {
	write, read := file(Write, "a"), file(Read, "a")
	tests := []struct {
		name    string
		mode    Mode
		skip    bool
		opinion *Opinion
		subject Subject
		want    string // done, asked or denied, and the layer that decided
		asked   int
	}{
		{"none concerned", ModeBypass, false, nil, write, "done bypass", 1},
		{"no opinion", ModeBypass, false, &Opinion{}, write, "done bypass", 1},
		{"deny", ModeBypass, false, says(Deny), write, "denied hooks", 1},
		{"deny under skip", ModeBypass, true, says(Deny), write, "denied hooks", 1},
		{"deny reading", ModeAsk, false, says(Deny), read, "denied hooks", 1},
		{"ask under bypass", ModeBypass, false, says(Ask), write, "asked hooks", 1},
		{"ask about reading", ModeAsk, false, says(Ask), read, "asked hooks", 1},
		{"nothing is asked under skip", ModeBypass, true, says(Ask), write, "done bypass", 1},
		{"allow does not count", ModeAsk, false, says(Allow), write, "asked default", 1},
		{"a limit comes first", ModeBypass, false, says(Ask), file(Write, ".git/x"), "denied protected paths", 0},
		{"the mode too", ModePlan, false, says(Ask), write, "denied mode", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hooks := &opinions{before: tt.opinion}
			g := Gate{Policy: policy(tt.mode), Hooks: hooks}
			g.Policy.SkipAll = tt.skip
			var last Decision
			g.Record = func(_ *Action, d Decision) error { last = d; return nil }
			_, err := g.Do(t.Context(), effect(new(int), "edit_file", tt.subject), io.Discard)
			got := "done"
			var denied *Denied
			if errors.As(err, &denied) {
				got = map[By]string{ByPolicy: "denied", ByNobody: "asked"}[denied.By]
			}
			if got += " " + last.Layer.String(); got != tt.want || hooks.asked != tt.asked {
				t.Errorf("%s, hooks asked %d times; want %s, %d", got, hooks.asked, tt.want, tt.asked)
			}
			traced := strings.Contains(trace(last), "hooks")
			if want := tt.asked > 0 && tt.opinion != nil; traced != want {
				t.Errorf("hooks in the trace: %v, want %v:\n%s", traced, want, trace(last))
			}
		})
	}
}

func trace(d Decision) string {
	var b strings.Builder
	for _, s := range d.Trace {
		b.WriteString(s.String() + "\n")
	}
	return b.String()
}

func TestPermissionHooks(t *testing.T) {
	write := file(Write, "a")
	rules := compiled(t, Rule{Tool: "edit_file", Action: Ask, Path: "a"}, Rule{Tool: "Bash", Action: Deny, Prefix: []string{"rm"}})
	usual, _, err := Compile(nil, []Rule{{Tool: "edit_file", Action: Ask}}, "/work", "")
	if err != nil {
		t.Fatal(err)
	}
	allowed := compiled(t, Rule{Tool: "edit_file", Action: Allow})
	tests := []struct {
		name               string
		before, permission *Opinion
		tool               string
		subject            Subject
		rules              *Rules
		want               string
	}{
		{"not where only [permissions.tools] asks", nil, says(Allow), "edit_file", write, usual, "asked"},
		{"not what a person changed, whatever hooks say before", &Opinion{}, says(Allow), "edit_file", write, allowed, "asked"},
		{"not what a person changed", nil, says(Allow), "edit_file", write, allowed, "asked"},
		{"allow where the default asks", nil, says(Allow), "edit_file", write, nil, "done"},
		{"allow where a rule asks", nil, says(Allow), "edit_file", write, rules, "done"},
		{"allow what is dangerous", nil, says(Allow), "run_command", command(Exec|Dangerous, "x"), nil, "done"},
		{"never a catastrophe", nil, says(Allow), "delete_path", Subject{Effects: Delete, Path: "/w", Rel: "."}, nil, "asked"},
		{"not where a hook wants a person", says(Ask), says(Allow), "edit_file", write, nil, "asked"},
		{"not where rules cannot tell", nil, says(Allow), "run_command", command(ExecOpaque, "$X"), rules, "asked"},
		{"deny", nil, says(Deny), "edit_file", write, nil, "denied"},
		{"ask", nil, says(Ask), "edit_file", write, nil, "asked"},
		{"no opinion", nil, &Opinion{}, "edit_file", write, nil, "asked"},
		{"none concerned", nil, nil, "edit_file", write, nil, "asked"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := Gate{Policy: policy(ModeAsk), Hooks: &opinions{before: tt.before, permission: tt.permission}}
			g.Policy.Rules = tt.rules
			a := effect(new(int), tt.tool, tt.subject)
			a.Edited = tt.rules == allowed
			_, err := g.Do(t.Context(), a, io.Discard)
			got := "done"
			var denied *Denied
			if errors.As(err, &denied) {
				got = map[By]string{ByPolicy: "denied", ByNobody: "asked"}[denied.By]
			}
			if got != tt.want {
				t.Errorf("%s (%v); want %s", got, err, tt.want)
			}
			void := denied != nil && strings.Contains(trace(denied.Decision), "only a person can allow this")
			if want := tt.want == "asked" && tt.permission != nil && *tt.permission == *says(Allow); void != want {
				t.Errorf("the trace says that the hook's leave does not count: %v, want %v", void, want)
			}
		})
	}
}

func TestHooksAfterACall(t *testing.T) {
	g := Gate{Policy: policy(ModeBypass), Hooks: &opinions{note: "hook x: look"}}
	r, err := g.Do(t.Context(), action("edit_file", file(Write, "a")), io.Discard)
	if err != nil || r.Text != "done\nhook x: look" {
		t.Errorf("Do = %q, %v; want the note behind the result", r.Text, err)
	}
	for _, failed := range []error{errBoom, ErrStale} {
		a := NewAction("x", func(context.Context, io.Writer) (Result, error) { return Result{}, failed }, file(Write, "a")).named("edit_file")
		_, err := g.Do(t.Context(), a, io.Discard)
		noted := strings.HasSuffix(err.Error(), "\nhook x: look")
		if !errors.Is(err, failed) || noted != (failed == errBoom) {
			t.Errorf("Do = %q; want the note behind %v, but not if nothing was done", err, failed)
		}
	}
}

func TestInterruptedHooks(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errBoom)
	done := 0
	g := Gate{Policy: policy(ModeBypass), Hooks: &opinions{before: says(Allow)}}
	if _, err := g.Do(ctx, effect(&done, "edit_file", file(Write, "a")), io.Discard); err != errBoom || done != 0 {
		t.Errorf("Do = %v, done %d times; want the cause of the context", err, done)
	}
}

// Whatever hooks say before a call, nothing becomes more allowed by it.
func TestHooksOnlyTighten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := policy(Mode(rapid.IntRange(0, int(ModeBypass)).Draw(t, "mode")))
		p.SkipAll = rapid.Bool().Draw(t, "skip")
		var subjects []Subject
		for _, e := range rapid.SliceOfN(rapid.Uint32Range(0, 1<<14-1), 1, 3).Draw(t, "effects") {
			subjects = append(subjects, file(Effects(e), rapid.SampledFrom([]string{"a", ".git/x", ".env", "."}).Draw(t, "name")))
		}
		a := action("edit_file", subjects...)
		said := &Opinion{Given: rapid.Bool().Draw(t, "given"), Verdict: Verdict(rapid.IntRange(0, 2).Draw(t, "verdict")), Reason: "x"}
		without, with := p.Decide(a, nil), p.decide(a, nil, said)
		if stricter(without.Verdict, with.Verdict) != with.Verdict {
			t.Errorf("%v made %v of %v", said, with.Verdict, without.Verdict)
		}
		if said.Given && said.Verdict == Deny && with.Verdict != Deny {
			t.Errorf("a hook denied and the decision is %v", with.Verdict)
		}
		if with.negotiable && with.Verdict == Ask && with.Effects.Has(Catastrophic) {
			t.Errorf("a hook may allow a catastrophe: %v", with.Effects)
		}
	})
}

func TestMatchTools(t *testing.T) {
	for _, tt := range []struct {
		names []string
		yes   string
		no    string
	}{
		{nil, "run_command mkdir github__issue", ""},
		{[]string{"Bash"}, "run_command start_session", "send_input mkdir"},
		{[]string{"run_*", "mcp:github"}, "run_command github__issue", "start_session gitlab__issue"},
	} {
		match, err := MatchTools(tt.names)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range strings.Fields(tt.yes) {
			if !match(tool) {
				t.Errorf("%q does not match %s", tt.names, tool)
			}
		}
		for _, tool := range strings.Fields(tt.no) {
			if match(tool) {
				t.Errorf("%q matches %s", tt.names, tool)
			}
		}
	}
	if _, err := MatchTools([]string{"mkdir", "nosuch"}); err == nil {
		t.Error("a tool that is none is no error")
	}
}

func compiled(t *testing.T, rules ...Rule) *Rules {
	r, _, err := Compile(rules, nil, "/work", "/home/u")
	if err != nil {
		t.Fatal(err)
	}
	return r
}
