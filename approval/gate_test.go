package approval

import (
	"context"
	"errors"
	"io"
	"testing"
)

// answers is an Asker that gives the listed answers in turn and counts the questions.
type answers struct {
	list  []Answer
	err   error
	asked int
}

func (a *answers) Ask(context.Context, *Action, Decision) (Answer, error) {
	a.asked++
	if a.err != nil || a.asked > len(a.list) {
		return Answer{}, a.err
	}
	return a.list[a.asked-1], nil
}

// effect is an action that counts how often it is performed.
func effect(done *int, tool string, s Subject) *Action {
	return NewAction(tool, func(context.Context, io.Writer) (Result, error) { *done++; return Result{}, nil }, s).named(tool)
}

func TestZeroGateOnlyReads(t *testing.T) {
	var g Gate
	var read, wrote int
	if _, err := g.Do(t.Context(), effect(&read, "read_file", file(Read, "a")), io.Discard); err != nil || read != 1 {
		t.Errorf("reading: %v, done %d times", err, read)
	}
	_, err := g.Do(t.Context(), effect(&wrote, "create_file", file(Write, "a")), io.Discard)
	var denied *Denied
	if !errors.As(err, &denied) || denied.By != ByNobody || !denied.End || wrote != 0 {
		t.Errorf("writing: %v, done %d times; want a denial for want of a person that ends the run", err, wrote)
	}
}

func TestAnswers(t *testing.T) {
	edit, del := file(Write, "a"), file(Delete, "a")
	risky := command(Exec|Dangerous, "rm -rf x")
	tests := []struct {
		name  string
		list  []Answer
		calls []*Action
		asked int
		done  int
	}{
		{"1 allows one call only", []Answer{{Choice: Once}, {Choice: Once}}, two("edit_file", edit, edit), 2, 2},
		{"2 allows the tool", []Answer{{Choice: Always}}, two("edit_file", edit, file(Write, "b")), 1, 2},
		{"2 covers its tool only", []Answer{{Choice: Always}}, append(two("edit_file", edit, edit), effect(new(int), "delete_file", del)), 2, 2},
		{"2 does not cover what is dangerous", []Answer{{Choice: Always}}, two("run_command", command(Exec, "touch x"), risky), 2, 1},
		{"2 does not cover what a command deletes", []Answer{{Choice: Always}}, two("run_command", command(Exec, "touch x"), command(Exec|Delete, "rm x")), 2, 1},
		{"2 covers one session of input only", []Answer{{Choice: Always}}, append(two("send_input", typed("s1"), typed("s1")), two("send_input", typed("s2"), typed("s1"))...), 2, 3},
		{"3 blocks", nil, two("edit_file", edit, file(Write, "b")), 2, 0},
		{"what was denied is not asked about again", []Answer{{Choice: Refuse}}, two("edit_file", edit, edit), 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			asker := &answers{list: tt.list}
			g := Gate{Policy: policy(ModeAsk), Asker: asker}
			done := 0
			for _, a := range tt.calls {
				if _, err := g.Do(t.Context(), a, io.Discard); err == nil {
					done++
				}
			}
			if asker.asked != tt.asked || done != tt.done {
				t.Errorf("asked %d times, %d performed; want %d, %d", asker.asked, done, tt.asked, tt.done)
			}
		})
	}
}

// What a person wrote anew is planned again, and asked about even where it needs no question; what is denied stays denied.
func TestEdited(t *testing.T) {
	asker := &answers{list: []Answer{{Choice: Edited, Input: `{"command":"ls"}`}, {Choice: Once}}}
	g := Gate{Policy: policy(ModeAsk), Asker: asker}
	_, err := g.Do(t.Context(), effect(new(int), "run_command", command(Exec, "touch x")), io.Discard)
	var redraft *Redraft
	if !errors.As(err, &redraft) || redraft.Input != `{"command":"ls"}` {
		t.Fatalf("%v; want the new arguments", err)
	}
	done := 0
	again := effect(&done, "read_file", file(Read, "a"))
	again.Edited = true
	if _, err := g.Do(t.Context(), again, io.Discard); err != nil || asker.asked != 2 || done != 1 {
		t.Errorf("%v, asked %d times, done %d times", err, asker.asked, done)
	}
	g.Policy.Mode = ModeReadOnly
	forbidden := effect(&done, "create_file", file(Write, "a"))
	forbidden.Edited = true
	if _, err := g.Do(t.Context(), forbidden, io.Discard); err == nil || asker.asked != 2 || done != 1 {
		t.Errorf("%v, asked %d times, done %d times", err, asker.asked, done)
	}
}

func typed(session string) Subject { return Subject{Effects: Exec, Session: session} }

func two(tool string, first, second Subject) []*Action {
	return []*Action{effect(new(int), tool, first), effect(new(int), tool, second)}
}

func TestRepeatedDenialsEndTheRun(t *testing.T) {
	g := Gate{Policy: policy(ModeAsk), Asker: &answers{list: []Answer{{Choice: Refuse}}}}
	for n := 0; n <= maxRepeats; n++ {
		_, err := g.Do(t.Context(), effect(new(int), "edit_file", file(Write, "a")), io.Discard)
		var denied *Denied
		if !errors.As(err, &denied) {
			t.Fatalf("call %d: %v, want a denial", n, err)
		}
		if want := n == maxRepeats; denied.End != want {
			t.Errorf("call %d: ends the run: %v, want %v", n, denied.End, want)
		}
	}
}

func TestDeniedBeforeHoldsInEveryMode(t *testing.T) {
	g := Gate{Policy: policy(ModeAsk), Asker: &answers{list: []Answer{{Choice: Refuse}}}}
	touch := action("run_command", command(Exec, "touch x"))
	if _, err := g.Do(t.Context(), touch, io.Discard); err == nil {
		t.Fatal("a call that a person denied is done")
	}
	for _, mode := range []Mode{ModeAsk, ModeAcceptEdits, ModePlan, ModeReadOnly, ModeBypass} {
		for _, skip := range []bool{false, true} {
			p := policy(mode)
			p.SkipAll = skip
			if d := p.Decide(touch, &g.memory); d.Verdict != Deny || d.Layer != LayerDeny {
				t.Errorf("mode %s, skip %v: %s by %s", mode, skip, d.Verdict, d.Layer)
			}
		}
	}
	p := policy(ModeBypass)
	for _, other := range []*Action{action("start_session", command(Exec, "touch x")), action("run_command", command(Exec, "touch y"))} {
		if d := p.Decide(other, &g.memory); d.Verdict != Allow {
			t.Errorf("%s %s: %s by %s; want another call to be another", other.Tool, other.Subjects[0], d.Verdict, d.Layer)
		}
	}
}

// Only repeats in a row end the run: a call that is done in between counts from the beginning.
func TestRepeatsInARow(t *testing.T) {
	g := Gate{Policy: policy(ModeAsk), Asker: &answers{list: []Answer{{Choice: Refuse}}}}
	for n := range 3 * maxRepeats {
		a := action("edit_file", file(Write, "a"))
		if n > 0 && n%maxRepeats == 0 {
			a = action("read_file", file(Read, "a"))
		}
		var denied *Denied
		if _, err := g.Do(t.Context(), a, io.Discard); errors.As(err, &denied) && denied.End {
			t.Fatalf("call %d ends the run: %v", n, err)
		}
	}
}

func TestNothingHappensUnrecorded(t *testing.T) {
	done := 0
	g := Gate{Policy: policy(ModeBypass), Record: func(*Action, Decision) error { return errBoom }}
	_, err := g.Do(t.Context(), effect(&done, "create_file", file(Write, "a")), io.Discard)
	var broken *RecordError
	if !errors.As(err, &broken) || !errors.Is(err, errBoom) || done != 0 {
		t.Errorf("Do = %v, done %d times; want a record error and nothing done", err, done)
	}
}

func TestBeforeRefusesWithoutADenial(t *testing.T) {
	g := Gate{Policy: policy(ModeBypass), Before: func(*Action) error { return errBoom }}
	if _, err := g.Do(t.Context(), effect(new(int), "create_file", file(Write, "a")), io.Discard); err != errBoom {
		t.Errorf("a gated call: %v, want %v", err, errBoom)
	}
	if _, err := g.Do(t.Context(), effect(new(int), "read_file", file(Read, "a")), io.Discard); err != nil {
		t.Errorf("a reading call: %v", err)
	}
	if _, err := g.Do(t.Context(), effect(new(int), "read_file", file(Read, ".env")), io.Discard); err != nil {
		t.Errorf("reading a secret: %v", err)
	}
	var denied *Denied
	if _, err := g.Do(t.Context(), effect(new(int), "create_file", file(Write, ".git/x")), io.Discard); !errors.As(err, &denied) {
		t.Errorf("a call that no answer can allow: %v, want a denial", err)
	}
}

func TestImpossibleIsNeverAsked(t *testing.T) {
	asker := &answers{}
	g := Gate{Policy: policy(ModeAsk), Asker: asker}
	_, err := g.Do(t.Context(), Impossible("create a", errBoom, file(Write, "a")).named("create_file"), io.Discard)
	if err != errBoom || asker.asked != 0 {
		t.Errorf("Do = %v, asked %d times; want the reason and no question", err, asker.asked)
	}
	var denied *Denied
	_, err = g.Do(t.Context(), Impossible("create x", errBoom, file(Write, ".git/x")).named("create_file"), io.Discard)
	if !errors.As(err, &denied) {
		t.Errorf("Do = %v, want what is forbidden to be refused first", err)
	}
}

func TestAnAskerThatFailsIsANo(t *testing.T) {
	done := 0
	g := Gate{Policy: policy(ModeAsk), Asker: &answers{err: errBoom}}
	_, err := g.Do(t.Context(), effect(&done, "create_file", file(Write, "a")), io.Discard)
	var denied *Denied
	if !errors.As(err, &denied) || !denied.End || done != 0 {
		t.Errorf("Do = %v, done %d times; want a denial that ends the run", err, done)
	}
}

// changer changes the policy at the first question and says no at every other.
type changer struct {
	gate  *Gate
	mode  Mode
	asked int
}

func (c *changer) Ask(context.Context, *Action, Decision) (Answer, error) {
	if c.asked++; c.asked > 1 {
		return Answer{Choice: Refuse}, nil
	}
	c.gate.Policy.Mode = c.mode
	return Answer{Choice: Again}, nil
}

func TestAPolicyThatChangesAtTheQuestionDecidesAnew(t *testing.T) {
	for mode, want := range map[Mode]struct{ done, asked int }{
		ModeAcceptEdits: {1, 1}, ModeReadOnly: {0, 1}, ModeAsk: {0, 2},
	} {
		g := &Gate{Policy: policy(ModeAsk)}
		person := &changer{gate: g, mode: mode}
		g.Asker = person
		done := 0
		_, err := g.Do(t.Context(), effect(&done, "create_file", file(Write, "a")), io.Discard)
		if done != want.done || person.asked != want.asked || (err == nil) != (want.done == 1) {
			t.Errorf("mode %s: performed %d times, asked %d times, %v; want %d, %d", mode, done, person.asked, err, want.done, want.asked)
		}
	}
}
