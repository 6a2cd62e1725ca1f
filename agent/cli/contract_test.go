//go:build unix

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"tricode/approval"
	"tricode/tools"
)

// The contract of the permission system, statement by statement, is in TestPolicySection1 to TestPolicySection7, words,
// modes, the order of a decision, rules, where these come from, what is built in, and what the system enforces, and in
// TestPolicySection9 to TestPolicySection11, nobody there, looking and testing, hooks. Flags and files are read, calls
// planned and decided as in a run; nothing is performed unless a statement needs it.

// statement is one sentence of the contract and what follows from it.
type statement struct {
	says    string
	flags   string // of the command line; single quotes keep blanks
	env     string // variables: "NAME=value NAME=value"
	config  string // the person's own file
	project string // the file of the project
	trusted bool   // the project's file is trusted
	done    bool   // what is allowed is performed

	// want has a line for each call of one run: what becomes of it, with the number of the layer that says so perhaps,
	// and the call: "deny/4 rm x". Words that begin with no tool are a command. A call that is asked about is answered
	// with 1, 2 or n where that stands instead, with nobody after "ask". An effect can follow, "ask:dangerous rm -r x",
	// for which there must be a reason if only a person lifts it, and behind " # " a part of the reason. What is "refused" is not decided about. An "error" has the text of the
	// mistake.
	want string
}

// holds tries statements in a world of their own.
func holds(t *testing.T, statements []statement) {
	w := newContractWorld(t)
	for _, s := range statements {
		t.Run(s.says, func(t *testing.T) {
			if strings.TrimSpace(s.want) == "" {
				t.Fatal("nothing follows from it")
			}
			c, j, err := w.judge(t, s)
			for line := range strings.Lines(w.places.Replace(s.want)) {
				want, call, _ := strings.Cut(strings.TrimSpace(line), " ")
				switch call = strings.TrimSpace(call); {
				case want == "":
				case want == "error":
					if err == nil || statusOf(err) != statusUsage || !strings.Contains(err.Error(), call) {
						t.Errorf("%v; want a mistake with %q", err, call)
					}
				case err != nil:
					t.Fatal(err)
				default:
					c.call(t, j, want, call)
				}
			}
		})
	}
}

// each wants the same of each of the calls.
func each(want, calls string) string {
	return want + " " + strings.ReplaceAll(calls, "|", "\n"+want+" ")
}

// conversation is a gate with a person who answers as told.
type conversation struct {
	gate     approval.Gate
	performs bool
	answer   string
	asked    bool
	before   approval.Decision // the question
	last     approval.Decision
}

var errNotPerformed = errors.New("not performed")

func (c *conversation) record(_ *approval.Action, d approval.Decision) error {
	c.last = d
	if d.Verdict == approval.Allow && !c.performs {
		return errNotPerformed
	}
	return nil
}

func (c *conversation) Ask(_ context.Context, _ *approval.Action, d approval.Decision) (approval.Answer, error) {
	c.asked, c.before = true, d
	choices := map[string]approval.Choice{"1": approval.Once, "2": approval.Always, "n": approval.Refuse}
	if choice, ok := choices[c.answer]; ok {
		return approval.Answer{Choice: choice}, nil
	}
	return approval.Answer{}, approval.ErrNobody
}

// call takes one call to the gate.
func (c *conversation) call(t *testing.T, j *judge, want, call string) {
	t.Helper()
	call, reason, _ := strings.Cut(call, " # ")
	action := j.plan(t, call)
	verdict, effect, _ := strings.Cut(want, ":")
	verdict, layer, _ := strings.Cut(verdict, "/")
	c.answer, c.asked, c.last = verdict, false, approval.Decision{Reason: "it was not decided about"}
	_, err := c.gate.Do(t.Context(), action, io.Discard)
	if action.Fault() != nil && c.last.Verdict != approval.Deny || c.performs && c.last.Verdict == approval.Allow && err != nil {
		t.Fatalf("%s cannot be done: %v", call, err)
	}
	d, got := c.last, c.last.Verdict.String()
	switch {
	case d.Layer == 0:
		got = "refused"
	case c.asked:
		if (got == "allow") != (verdict == "1" || verdict == "2") {
			t.Errorf("%s: %s after the answer %s", call, got, verdict)
		}
		d, got = c.before, "ask"
	}
	if strings.Contains("12n", verdict) {
		verdict = "ask"
	}
	switch {
	case got != verdict || layer != "" && fmt.Sprint(int(d.Layer)) != layer:
		t.Errorf("%s: %s by layer %d, %s (%s); want %s", call, got, int(d.Layer), d.Layer, d.Reason, want)
	case effect != "" && !slices.Contains(d.Effects.Names(), effect):
		t.Errorf("%s: effects %s; want %s", call, d.Effects, want)
	case effect != "" && action.Personal(d.Effects) && d.Reason == "", !strings.Contains(d.Reason, reason):
		t.Errorf("%s: %s because of %q; want a reason with %q", call, d.Effects, d.Reason, reason)
	}
}

// plan plans a call as words name it.
func (j *judge) plan(t *testing.T, call string) *approval.Action {
	t.Helper()
	name, what, _ := strings.Cut(call, " ")
	find := func() int {
		return slices.IndexFunc(j.tools, func(one tools.Tool) bool { return one.Name == name })
	}
	switch {
	case find() >= 0:
	case strings.Contains(name, "__") || strings.HasSuffix(name, "_agent") || strings.HasSuffix(name, "_results"):
		later := approval.NewAction(call, nil, approval.Subject{Effects: approval.Exec}) // a tool that only rules know so far
		later.Tool = name
		return later
	default:
		name, what = "run_command", call
	}
	args, err := j.arguments(name, what)
	if err != nil {
		t.Fatal(err)
	}
	if rest := map[string]string{
		"create_file": `,"content":"new"}`, "edit_file": `,"mode":"overwrite","content":"new"}`, "delete_path": `,"recursive":true}`,
		"move_path": `,"destination":"moved"}`,
	}[name]; rest != "" && what[0] != '{' {
		args = append(args[:len(args)-1], rest...)
	}
	action, err := j.tools[find()].Plan(t.Context(), args)
	if err != nil {
		t.Fatalf("%s %s: %v", name, args, err)
	}
	action.Input = string(args)
	return action
}
