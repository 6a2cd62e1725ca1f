package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tricode/approval"
	"tricode/tools"
)

const corpus = "../../examples/testdata/corpus"

// What explain says is what a run does: every call of the corpus goes through both, and nothing is performed, as
// nothing can be recorded.
func TestExplainAndTheGateAgree(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		t.Setenv(name, filepath.Join(dir, "home"))
	}
	work := filepath.Join(dir, "work")
	if err := os.MkdirAll(filepath.Join(work, "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	judges := map[[2]string]*judge{}
	places := strings.NewReplacer("@WORK@", work, "@ROOT@", dir, "@HOME@", filepath.Join(dir, "home"))
	for _, line := range corpusLines(t) {
		var c struct {
			ID, Tool, Policy, Mode string
			Args                   json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		key := [2]string{c.Policy, c.Mode}
		if judges[key] == nil {
			cl := &commandLine{WorkDir: work, Config: filepath.Join(corpus, "policies", c.Policy+".toml"), PermissionMode: c.Mode}
			j, err := cl.judge()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(j.close)
			judges[key] = j
		}
		args := json.RawMessage(places.Replace(string(c.Args)))
		explained := judges[key].decide(t.Context(), c.Tool, args).decision.Verdict
		if done := atTheGate(t, judges[key], c.Tool, args); done != explained {
			t.Errorf("%s: %s %s: the gate says %s, explain %s", c.ID, c.Tool, args, done, explained)
		}
	}
}

func corpusLines(t *testing.T) []string {
	f, err := os.Open(filepath.Join(corpus, "cases.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		all = append(all, lines.Text())
	}
	if lines.Err() != nil || len(all) == 0 {
		t.Fatalf("%d lines, %v", len(all), lines.Err())
	}
	return all
}

// asked is an asker that only remembers that it was asked.
type asked bool

func (a *asked) Ask(context.Context, *approval.Action, approval.Decision) (approval.Answer, error) {
	*a = true
	return approval.Answer{}, approval.ErrNobody
}

// atTheGate is what becomes of a call in a run.
func atTheGate(t *testing.T, j *judge, tool string, args json.RawMessage) approval.Verdict {
	for _, one := range j.tools {
		if one.Name != tool {
			continue
		}
		action, err := one.Plan(t.Context(), args)
		if err != nil {
			return approval.Deny
		}
		var was asked
		said := approval.Deny
		gate := approval.Gate{Policy: j.policy, Asker: &was, Record: func(_ *approval.Action, d approval.Decision) error {
			said = d.Verdict
			return errors.New("not recorded")
		}}
		gate.Do(t.Context(), action, io.Discard)
		if was {
			return approval.Ask
		}
		return said
	}
	return approval.Deny
}

// With --require-plan explain says what a run says before the model decided about a plan, and limits come first.
func TestExplainRequiresAPlanLikeTheGate(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		t.Setenv(name, filepath.Join(dir, "home"))
	}
	j, err := (&commandLine{WorkDir: dir, RequirePlan: true, BypassPermission: true}).judge()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.close)
	plan := &tools.Plan{}
	for command, want := range map[string]string{
		"ls": "allow mode bypass", "touch a": "a plan is required first", "touch ../a": "deny " + dir[:strings.LastIndex(dir, "/")] + "/a is outside the work directory",
	} {
		args, _ := encode(map[string]string{"command": command})
		v := j.unplanned(j.decide(t.Context(), "run_command", args))
		gate := approval.Gate{Policy: j.policy, Before: plan.Require, Record: func(_ *approval.Action, d approval.Decision) error {
			return errors.New(d.Verdict.String() + " " + d.Reason)
		}}
		_, err := gate.Do(t.Context(), v.action, io.Discard)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Fatalf("%s: the gate says %v, want %s", command, err, want)
		}
		if explained := v.decision.Verdict.String() + " " + v.decision.Reason; !strings.HasPrefix(strings.TrimPrefix(explained, "deny "), strings.TrimPrefix(want, "deny ")) {
			t.Errorf("%s: explained as %q, want %s", command, explained, want)
		}
	}
}

func TestSplitRules(t *testing.T) {
	for list, want := range map[string]string{
		"a": "a", "a,b": "a|b", "Bash(git log, -n 1)": "Bash(git log, -n 1)", "Bash(x(,)),Read": "Bash(x(,))|Read", "a(,b": "a(,b", "a),b": "a),b", "": "",
	} {
		if got := strings.Join(splitRules(list), "|"); got != want {
			t.Errorf("splitRules(%q) = %q, want %q", list, got, want)
		}
	}
}
