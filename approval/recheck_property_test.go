package approval_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tricode/approval"
	"tricode/approval/shell"
)

// Nobody is asked at execution; what limits, protected paths and deny rules forbid before is forbidden then, whatever was approved;
// and nothing is that was approved as it is.
func TestExecutionIsAsStrictAsTheQuestion(t *testing.T) {
	words := rapid.SampledFrom([]string{"rm", "-rf", ".", "/", "git", "push", "-f", "cat", ".env", "/srv/x", "src", "secrets/key", "tee", ".git/config", "sudo", "sh", "-c", "find", "-delete", "-exec", "{}", ";", "cp", "/etc/x", "xargs", "rg", "x", "link/key", "--"})
	rules := parseRules(t, "deny run_command(rm -rf*)", "ask prefix git push", "deny read_file(secrets/**)", "ask edit_file(src/**)", "allow prefix cat")
	rapid.Check(t, func(t *rapid.T) {
		args := rapid.SliceOfN(words, 1, 6).Draw(t, "args")
		p := approval.Policy{Mode: rapid.SampledFrom([]approval.Mode{approval.ModeAsk, approval.ModeBypass}).Draw(t, "mode"), WorkDir: "/work", Home: "/home/u", Rules: rules}
		now := approval.NewAction("", nil, shell.Arguments(world{}, "/work", "/usr/bin/"+args[0], args).Subjects...)
		now.Tool = "run_command"
		before := p.Decide(now, nil)
		after := (&approval.Recheck{Approved: planned("$X")}).Decide(&p, now)
		if after.Verdict == approval.Ask || before.Verdict == approval.Deny && after.Verdict != approval.Deny {
			t.Fatalf("%q: %s (%s), then %s (%s)", strings.Join(args, " "), before.Verdict, before.Reason, after.Verdict, after.Reason)
		}
		same := (&approval.Recheck{Approved: now}).Decide(&p, now)
		if (same.Verdict == approval.Deny) != (before.Verdict == approval.Deny) {
			t.Fatalf("%q: %s (%s), and as it was approved %s (%s)", strings.Join(args, " "), before.Verdict, before.Reason, same.Verdict, same.Reason)
		}
	})
}
