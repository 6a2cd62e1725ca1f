package approval_test

import (
	"strings"
	"testing"

	"tricode/approval"
)

// Rules as people bring them from other agents decide as they did there, or more strictly.
func TestRulesOfOtherAgents(t *testing.T) {
	packetcode, _, err := approval.Compile(
		[]approval.Rule{{Tool: "execute_command", Action: approval.Deny, Prefix: []string{"rm", "-rf"}, Reason: "refuse broad recursive deletes"}},
		[]approval.Rule{{Tool: "write_file", Action: approval.Allow}, {Tool: "patch_file", Action: approval.Allow}, {Tool: "execute_command"}, {Tool: "spawn_agent"}, {Tool: "mcp:*"}}, "/work", "/home/u")
	if err != nil {
		t.Fatal(err)
	}
	check(t, approval.ModeAsk, packetcode, approval.Allow, "read_file: a", "search_context: .", "create_file: a", "edit_file: a", "!delete_file: a")
	check(t, approval.ModeAsk, packetcode, approval.Ask, "make", "gh__issue: x", "!rm -r -f x")
	check(t, approval.ModeBypass, packetcode, approval.Deny, "rm -fr x", "sudo rm -r --force x", "start_session: rm -rf x", "!make", "!rm -r x")

	agentCode, warnings, err := approval.Compile([]approval.Rule{
		{Tool: "Bash", Pattern: "git *", Action: approval.Allow},
		{Tool: "Bash", Pattern: "rm -rf *", Action: approval.Deny},
		{Tool: "FileWrite", Pattern: "/tmp/*", Action: approval.Allow},
	}, nil, "/work", "/home/u")
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0].Text, "additional directory") {
		t.Fatalf("warnings %v, %v; want one about /tmp", warnings, err)
	}
	check(t, approval.ModeAsk, agentCode, approval.Allow, "git add a", "git commit -m x", "!git -c core.pager=x log", "!create_file: a")
	check(t, approval.ModeAsk, agentCode, approval.Deny, "rm -rf x", "rm -fr x", "create_file: /tmp/x", "!rm x")
	unlimited := approval.Policy{WorkDir: "/work", Home: "/home/u", Unlimited: true, Rules: agentCode}
	if d := unlimited.Decide(planned("create_file: /tmp/x"), nil); d.Verdict != approval.Allow {
		t.Errorf("/tmp/x without the limit: %s (%s)", d.Verdict, d.Reason)
	}
	if d := unlimited.Decide(planned("create_file: /tmp/a/x"), nil); d.Verdict != approval.Ask {
		t.Errorf("/tmp/a/x without the limit: %s (%s)", d.Verdict, d.Reason)
	}

	var letta []approval.Rule
	for spec, action := range map[string]approval.Verdict{
		"Bash(git diff:*)": approval.Allow, "Bash(npm test)": approval.Allow, "Read(src/**)": approval.Allow, "Edit(src/**)": approval.Allow,
		"Bash(rm:*)": approval.Deny, "Read(.env)": approval.Deny, "Edit(secrets/**)": approval.Deny, "Bash(git push:*)": approval.Ask,
	} {
		r, err := approval.ParseRule(spec, action)
		if err != nil {
			t.Fatal(err)
		}
		letta = append(letta, r)
	}
	rules, _, err := approval.Compile(letta, nil, "/work", "/home/u")
	if err != nil {
		t.Fatal(err)
	}
	check(t, approval.ModeAsk, rules, approval.Allow, "git diff HEAD", "npm test", "edit_file: src/main.go", "!npm test x", "!edit_file: a", "!create_file: src/x")
	check(t, approval.ModeBypass, rules, approval.Deny, "rm x", "/bin/rm x", "read_file: .env", "cat .env", "edit_file: secrets/key", "create_file: secrets/new", "echo x > secrets/new", "!make")
	check(t, approval.ModeBypass, rules, approval.Ask, "git push", "git -C . push")
}
