package approval_test

import (
	"strings"
	"testing"

	"tricode/approval"
)

// TestImportedTraps holds that what other agents understand differently than it looks is not looser here.
func TestImportedTraps(t *testing.T) {
	command := func(more string) map[string]any {
		r := map[string]any{"tool": "execute_command", "action": "allow", "command_prefix": []any{"git"}}
		if more != "" {
			r[more] = "x"
		}
		return r
	}
	for _, test := range []struct {
		name, from, text string
		own              bool // the person's own file
		table            map[string]any
		calls            map[string]string
		warning          string // is among them
	}{
		{name: "claude: names of tools with wildcards", text: `{"permissions":{"deny":["Web*","mcp__*__delete_*","mcp__gh*"],"ask":["*Edit"],"allow":["WebFetch","mcp__x__read","Edit"]}}`,
			calls: map[string]string{"deny": "fetch_url: go.dev|x__delete_all|ghx__a|x__read", "ask": "edit_file: a"}, warning: "mcp__*__delete_* becomes a rule for all MCP tools"},
		{name: "claude: names of tools with wildcards may be those of servers", text: `{"permissions":{"deny":["m*"],"ask":["Web*"],"allow":["Read"]}}`,
			calls: map[string]string{"deny": "x__y", "ask": "fetch_url: go.dev", "allow": "read_file: a"}},
		{name: "claude: an allow rule for tools of any server counts for none", text: `{"permissions":{"allow":["mcp__*","mcp__gh*","mcp__x__*","*"]}}`,
			calls: map[string]string{"ask": "gh__a|y__z|make", "allow": "x__a"}, warning: "mcp__* is left out"},
		{name: "claude: paths count for Read and Edit only", text: `{"permissions":{"allow":["Write(src/**)","MultiEdit(src/**)","Edit(docs/**)"],"deny":["Write(docs/x)"]}}`,
			calls: map[string]string{"ask": "create_file: src/a|edit_file: src/a", "allow": "edit_file: docs/a|create_file: docs/a", "deny": "create_file: docs/x"}, warning: "paths of Read and Edit only"},
		{name: "claude: a slash in the person's own settings", own: true, text: `{"permissions":{"allow":["Edit(/src/**)"],"deny":["Read(/x/**)"]}}`,
			calls: map[string]string{"ask": "edit_file: src/a", "allow": "read_file: x/a"}},
		{name: "claude: behind a byte order mark", text: "\uFEFF" + `{"permissions":{"deny":["Bash(make *)"]}}`, calls: map[string]string{"deny": "make x"}},
		{name: "letta: names of tools with wildcards", from: "letta-code", text: `{"permissions":{"deny":["write_*","mcp__*__delete_*"]}}`,
			calls: map[string]string{"deny": "create_file: a|x__delete_all"}},
		{name: "codex: an argument that nobody knows is refused", from: "codex", text: `prefix_rule(pattern=["git"], cwd="/trusted")`},
		{name: "codex: so is one of another call", from: "codex", text: `host_executable(name="git", decision="allow", pattern=["git"])`},
		{name: "opencode: tools that are switched off", text: `{"tools":{"bash":false,"write":false,"gh_*":false,"webfetch":true},"permission":{"edit":"allow"}}`,
			calls: map[string]string{"deny": "make|create_file: a|edit_file: a|gh__issue", "ask": "fetch_url: go.dev"}},
		{name: "opencode: tools alone", text: `{"tools":{"bash":false}}`, calls: map[string]string{"deny": "make", "ask": "edit_file: a"}},
		{name: "opencode: what the agent that works says", text: `{"permission":{"bash":"allow","edit":"allow"},"agent":{"build":{"permission":{"bash":{"*":"ask","rm *":"deny"}},"tools":{"edit":false}},"review":{"permission":{"*":"deny"}}}}`,
			calls: map[string]string{"deny": "rm x|edit_file: a", "ask": "make"}, warning: "agent review is left out"},
		{name: "opencode: another agent works", text: `{"permission":{"bash":"allow"},"default_agent":"me","agent":{"me":{"permission":{"bash":"ask"}}},"mode":{"me":{"permission":{"edit":"deny"}}}}`,
			calls: map[string]string{"ask": "make", "deny": "edit_file: a"}},
		{name: "opencode: the second version", text: `{"permissions":[{"action":"*","resource":"*","effect":"ask"},{"action":"shell","resource":"git *","effect":"allow"},{"action":"shell","resource":"git push *","effect":"deny"},{"action":"edit","resource":"docs/*","effect":"allow"}]}`,
			calls: map[string]string{"ask": "make|edit_file: a", "allow": "git fetch|edit_file: docs/a", "deny": "git push"}},
		{name: "gemini: a condition that nobody knows", table: map[string]any{"rule": []any{
			map[string]any{"toolName": "run_shell_command", "commandPrefix": "git", "decision": "allow", "priority": int64(1), "workspace": "/x"},
			map[string]any{"toolName": "run_shell_command", "commandPrefix": "rm", "decision": "deny", "priority": int64(2), "workspace": "/x"}}},
			calls: map[string]string{"ask": "git fetch", "deny": "rm x"}, warning: "workspace has no counterpart"},
		{name: "gemini: MCP tools by their older names", table: map[string]any{"rule": []any{
			map[string]any{"toolName": "gh__delete", "decision": "deny", "priority": int64(2)}, map[string]any{"toolName": "gl__*", "decision": "deny", "priority": int64(2)}}},
			calls: map[string]string{"deny": "gh__delete|gl__x"}},
		{name: "packetcode: a condition that nobody knows", table: map[string]any{"permissions": map[string]any{"profile": "ask", "rules": []any{command("cwd"),
			map[string]any{"tool": "write_file", "action": "allow", "path": "src/**"}}}},
			calls: map[string]string{"ask": "git fetch|create_file: src/a"}, warning: "cwd has no counterpart"},
		{name: "packetcode: names of tools with wildcards", table: map[string]any{"permissions": map[string]any{"tools": map[string]any{"w*": "deny", "gh__*": "deny"}, "rules": []any{command("")}}},
			calls: map[string]string{"deny": "create_file: a|gh__x", "allow": "git fetch"}},
		{name: "packetcode: a profile of one's own", table: map[string]any{"permissions": map[string]any{"profile": "mine",
			"profiles": map[string]any{"mine": map[string]any{"default": "deny", "write_file": "allow", "execute_command": "ask", "mcp": "deny"}},
			"rules":    []any{command("")}}},
			calls: map[string]string{"allow": "create_file: a|git fetch", "ask": "make", "deny": "edit_file: a|read_file: a|x__y|fetch_url: go.dev"}},
		{name: "packetcode: tools of servers in a profile", table: map[string]any{"permissions": map[string]any{"profile": "mine", "profiles": map[string]any{"mine": map[string]any{"mcp": "deny"}}}},
			calls: map[string]string{"deny": "x__y", "ask": "make"}},
		{name: "packetcode: a profile that is not there", from: "packetcode", table: map[string]any{"permissions": map[string]any{"profile": "mine"}}},
		{name: "packetcode: trust", table: map[string]any{"behavior": map[string]any{"trust_mode": true}, "permissions": map[string]any{"rules": []any{command("")}}},
			calls: map[string]string{"ask": "make"}, warning: "--bypass-permission"},
		{name: "agent-code: a condition that nobody knows", table: map[string]any{"permissions": map[string]any{"rules": []any{
			map[string]any{"tool": "Bash", "pattern": "git *", "action": "allow", "cwd": "/x"},
			map[string]any{"tool": "FileWrite", "pattern": "src/*", "action": "allow", "cwd": "/x"},
			map[string]any{"tool": "Bash", "pattern": "rm *", "action": "deny", "cwd": "/x"}}}},
			calls: map[string]string{"ask": "git fetch|create_file: src/a", "deny": "rm x"}, warning: "cwd has no counterpart"},
		{name: "agent-code: patches edit", table: map[string]any{"permissions": map[string]any{"rules": []any{map[string]any{"tool": "ApplyPatch", "action": "deny"}}}},
			calls: map[string]string{"deny": "edit_file: a"}},
		{name: "a name that cannot be a tool's here", text: `{"permissions":{"deny":["mcp__a b__c"]}}`,
			calls: map[string]string{"deny": "x__y"}, warning: "mcp__a b__c becomes a rule for all MCP tools"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := approval.Import(test.from, approval.Foreign{Own: test.own, Data: []byte(test.text), TOML: func([]byte) (map[string]any, error) { return test.table, nil }})
			if test.calls == nil {
				if err == nil {
					t.Errorf("it is read as\n%s", p.TOML())
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			policy := compile(t, p)
			for want, calls := range test.calls {
				for _, call := range list(calls) {
					if d := policy.Decide(planned(call), nil); d.Verdict != verdict(t, want) {
						t.Errorf("%q is decided %s by %s (%s); want %s\n%s", call, d.Verdict, d.Layer, d.Reason, want, p.TOML())
					}
				}
			}
			if all := strings.Join(p.Warnings, "\n"); !strings.Contains(all, test.warning) {
				t.Errorf("warnings %q do not say %q", all, test.warning)
			}
		})
	}
}
