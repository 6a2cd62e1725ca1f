package approval_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tricode/approval"
)

// read imports a text whose TOML is a table that was decoded already.
func read(t testing.TB, from, name, text string, table map[string]any) *approval.Imported {
	t.Helper()
	p, err := approval.Import(from, approval.Foreign{Name: name, Data: []byte(text), TOML: func([]byte) (map[string]any, error) { return table, nil }})
	if err != nil {
		t.Fatalf("Import(%q): %v\n%s", from, err, text)
	}
	return p
}

// compile makes the policy that an import stands for.
func compile(t testing.TB, p *approval.Imported) approval.Policy {
	t.Helper()
	rules, _, err := approval.Compile(p.Rules, nil, "/work", "/home/u")
	if err != nil {
		t.Fatalf("what was imported is no policy: %v\n%s", err, p.TOML())
	}
	return approval.Policy{Mode: p.Mode, Default: p.Default, WorkDir: "/work", Home: "/home/u", Rules: rules}
}

// TestImport decides calls by imported policies.
func TestImport(t *testing.T) {
	for _, test := range []struct {
		name, from, text string
		table            map[string]any
		calls            map[string]string // verdict -> calls, with | between them
		warnings         []string          // words of each
	}{
		{name: "claude: deny before ask before allow", from: "claude-code",
			text: `{"permissions":{"allow":["Bash(git:*)","Bash(npm run test *)","Edit(/docs/**)","WebFetch(domain:go.dev)","mcp__gh__issue"],"ask":["Bash(git push *)"],"deny":["Bash(git push --force *)","Read(.env)","Read(//etc/passwd)"]}}`,
			calls: map[string]string{
				"allow": "git fetch|npm run test|npm run test x|edit_file: docs/a.md|create_file: docs/b/c.md|fetch_url: go.dev|gh__issue",
				"ask":   "git push|git push origin main|npm run testing|edit_file: src/a|fetch_url: x.go.dev|make",
				"deny":  "git push --force|git push origin -f|read_file: .env|read_file: a/.env|cat .env|cat /etc/passwd",
			}},
		{name: "claude: bypass stays on the command line", text: `{"hooks":{},"permissions":{"defaultMode":"bypassPermissions","disableBypassPermissionsMode":"disable"}}`,
			calls: map[string]string{"ask": "make|edit_file: a"}, warnings: []string{"--bypass-permission", "hooks", "disableBypass"}},
		{name: "claude: nobody is asked", text: `{"permissions":{"defaultMode":"dontAsk","ask":["Bash(make *)"],"allow":["Bash(npm test)"]}}`,
			calls: map[string]string{"deny": "make|make x|npm install|edit_file: a", "allow": "npm test"}},
		{name: "claude: whole tools", text: `{"permissions":{"deny":["Bash","Edit"],"ask":["Read"],"allow":["Bash(ls *)","WebSearch"]}}`,
			calls:    map[string]string{"deny": "ls|start_session: ls|send_input: x|edit_file: a|create_file: a|delete_path: a|mkdir: a", "ask": "read_file: a|search_context: ."},
			warnings: []string{"comes before it", "no such tool"}},
		{name: "claude: what cannot be said", text: `{"permissions":{"deny":["Bash(> *)","WebFetch(https://x)"],"allow":["WebFetch(https://y)","Bash(/bin/x:*)","Agent(Explore)"]}}`,
			calls:    map[string]string{"deny": "ls|fetch_url: y"},
			warnings: []string{"whole tool", "whole tool", "only domain", "bare names", "do not look at arguments"}},
		{name: "letta: a prefix ends anywhere", from: "letta-code", text: `{"permissions":{"deny":["Bash(rm:*)"],"allow":["Bash(git diff:*)","Edit(src/**)"]}}`,
			calls:    map[string]string{"deny": "rm x|rmdir x|sudo rm x", "allow": "git diff|git diff HEAD|edit_file: src/a.go", "ask": "git difftool|edit_file: src/.env|edit_file: src/.x/y"},
			warnings: []string{"longer words"}},
		{name: "codex: the strictest counts", text: `
# comment
prefix_rule(pattern = ["git", ["fetch", "push"]], match = [["git", "fetch"]], not_match = ["git x"])
prefix_rule(
    pattern = ["git", "push"],
    decision = "prompt",
    justification = '''mine''',
)
prefix_rule(["rm"], decision="forbidden")
host_executable(name = "git", paths = ["/usr/bin/git"])
`,
			calls: map[string]string{"allow": "git fetch", "ask": "git push|git push -f|git log --output=x", "deny": "rm x|/bin/rm x|env rm x"}, warnings: []string{"host_executable"}},
		{name: "opencode: the last match wins", text: `{
  // comments are fine,
  "permission": {"bash": {"*": "ask", "git *": "allow", "git push *": "deny", "npm *": "allow",}, "edit": {"*": "deny"}, "webfetch": "deny", "gh_*": "deny", "doom_loop": "ask"}
}`,
			calls:    map[string]string{"allow": "git fetch|npm test", "ask": "make|ls", "deny": "git push|git push x|edit_file: a|fetch_url: go.dev|gh__issue"},
			warnings: []string{"no such permission"}},
		{name: "opencode: no exceptions to deny", text: `{"permission": {"bash": {"*": "deny", "git *": "allow"}, "edit": {"secret/*.key": "deny", "*.env": "deny"}}}`,
			calls:    map[string]string{"deny": "make|git fetch|edit_file: secret/a/b.key|edit_file: x/.env|edit_file: x/y.env", "ask": "edit_file: secret/a"},
			warnings: []string{"no exception"}},
		{name: "opencode: everything", text: `{"permission": "allow"}`, calls: map[string]string{"ask": "make|edit_file: a"}, warnings: []string{"--bypass-permission"}},
		{name: "opencode: everything but", text: `{"permission": {"*": "deny", "read": "allow", "edit": "ask"}}`,
			calls: map[string]string{"deny": "ls|fetch_url: go.dev|gh__issue", "allow": "read_file: a", "ask": "edit_file: a"}},
		{name: "gemini: the highest priority counts", table: map[string]any{"rule": []any{
			map[string]any{"toolName": "run_shell_command", "commandPrefix": []any{"git", "npm run"}, "decision": "allow", "priority": int64(100)},
			map[string]any{"toolName": "run_shell_command", "commandRegex": "git (push|reset)", "decision": "deny", "priority": int64(200), "denyMessage": "no"},
			map[string]any{"toolName": "run_shell_command", "commandPrefix": "git push", "decision": "allow", "priority": int64(50)},
			map[string]any{"toolName": []any{"write_file", "replace"}, "decision": "allow", "modes": []any{"yolo"}},
			map[string]any{"toolName": "*", "mcpName": "gh", "decision": "deny"},
			map[string]any{"argsPattern": "x", "toolName": "web_fetch", "decision": "allow"},
		}},
			calls:    map[string]string{"allow": "git fetch|npm run x", "deny": "git push|git reset --hard|git pushy|gh__issue", "ask": "npm test|git fetch > out|edit_file: a|fetch_url: go.dev"},
			warnings: []string{"modes yolo", "modes yolo", "argsPattern", "redirections"}},
		{name: "packetcode: tools after rules", table: map[string]any{"permissions": map[string]any{
			"profile": "edit", "tools": map[string]any{"execute_command": "ask", "mcp:*": "deny"},
			"rules": []any{map[string]any{"tool": "execute_command", "action": "allow", "command_prefix": []any{"git"}},
				map[string]any{"tool": "execute_command", "action": "deny", "command": "make clean"}}}},
			calls:    map[string]string{"ask": "git fetch|make", "deny": "make clean|gh__issue", "allow": "edit_file: a"},
			warnings: []string{"comes before it"}},
		{name: "packetcode: later rules count", table: map[string]any{"trust_mode": true, "permissions": map[string]any{"rules": []any{
			map[string]any{"tool": "execute_command", "action": "ask", "command_prefix": []any{"git"}},
			map[string]any{"tool": "execute_command", "action": "allow", "command_prefix": []any{"git", "fetch"}}}}},
			calls: map[string]string{"ask": "git push", "allow": "git fetch"}, warnings: []string{"--bypass-permission"}},
		{name: "agent-code: the strictest counts", table: map[string]any{"permissions": map[string]any{"default_mode": "deny", "rules": []any{
			map[string]any{"tool": "Bash", "pattern": "git *", "action": "allow"}}}},
			calls: map[string]string{"deny": "make|edit_file: a"}},
		{name: "agent-code: wildcards", table: map[string]any{"permissions": map[string]any{"rules": []any{
			map[string]any{"tool": "bash", "pattern": "git ?ush", "action": "deny"}, map[string]any{"tool": "FileWrite", "pattern": "gen/*", "action": "allow"},
			map[string]any{"tool": "FileRead", "pattern": "*.pem", "action": "deny"}}}},
			calls: map[string]string{"deny": "git push|read_file: a/b.pem|cat x.pem", "allow": "create_file: gen/a", "ask": "create_file: gen/a/b"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := read(t, test.from, "settings", test.text, test.table)
			policy := compile(t, p)
			for want, calls := range test.calls {
				for _, call := range list(calls) {
					if d := policy.Decide(planned(call), nil); d.Verdict != verdict(t, want) {
						t.Errorf("%q is decided %s by %s (%s); want %s\n%s", call, d.Verdict, d.Layer, d.Reason, want, p.TOML())
					}
				}
			}
			if len(p.Warnings) != len(test.warnings) {
				t.Fatalf("warnings = %q; want %d", p.Warnings, len(test.warnings))
			}
			for i, w := range test.warnings {
				if !strings.Contains(p.Warnings[i], w) {
					t.Errorf("warning %q does not say %q", p.Warnings[i], w)
				}
			}
		})
	}
}

// TestImportRefuses holds that what may be a rule is never skipped.
func TestImportRefuses(t *testing.T) {
	tables := map[string]any{"rule": []any{map[string]any{"decision": "maybe"}}}
	for from, texts := range map[string][]string{
		"":            {"", "{", "hello", `{"a": 1}`, `[1]`},
		"nobody":      {`{"permissions": {}}`},
		"claude-code": {`{"permissions": 1}`, `{"permissions": {"deny": "x("}}`, `{"permissions": {"deny": [1]}}`, `{"permissions": {"deny": [], "deny": []}}`, `{"permissions": {}} x`},
		"codex":       {"x = 1", "prefix_rule()", "prefix_rule(pattern = [])", `prefix_rule(pattern = ["a" + "b"])`, `prefix_rule(pattern = ["a"`, `load("x")`, `prefix_rule(pattern=["a"], decision="b")`, `prefix_rule(["a"], pattern=["b"])`, `[prefix_rule(pattern=["a"])]`},
		"opencode":    {`{"permission": {"bash": 1}}`, `{"permission": {"bash": {"*": "maybe"}}}`, `{"permission": {"bash": {"*": []}}}`},
		"gemini":      {"x"}, "packetcode": {"x"}, "agent-code": {"x"},
	} {
		for _, text := range texts {
			p, err := approval.Import(from, approval.Foreign{Data: []byte(text), TOML: func([]byte) (map[string]any, error) { return tables, nil }})
			if err == nil && !(from == "" && p.Format == "gemini") {
				t.Errorf("Import(%q, %q) = %s; want an error", from, text, p.TOML())
			}
		}
	}
}

// TestImportSamples reads the samples that people brought; the decisions are what their comments say.
func TestImportSamples(t *testing.T) {
	for file, calls := range map[string]map[string]string{
		"claude-code.json": {"allow": "npm run test x|git commit -m x|edit_file: a|fetch_url: docs.example.com", "ask": "git push|make", "deny": "curl x|cat .env|read_file: .env"},
		"letta-code.json":  {"allow": "git diff HEAD|npm test|edit_file: src/a.go|read_file: a", "ask": "git push|make", "deny": "rm x|read_file: .env|edit_file: secrets/a"},
	} {
		data, err := os.ReadFile(filepath.Join("..", "examples", "testdata", "samples", file))
		if err != nil {
			t.Fatal(err)
		}
		p := read(t, "", file, string(data), nil)
		policy := compile(t, p)
		if want := strings.TrimSuffix(file, ".json"); p.Format != want || len(p.Directories) != 1 {
			t.Errorf("%s: format %s, directories %q", file, p.Format, p.Directories)
		}
		for _, want := range slices.Sorted(maps.Keys(calls)) {
			for _, call := range list(calls[want]) {
				if d := policy.Decide(planned(call), nil); d.Verdict != verdict(t, want) {
					t.Errorf("%s: %q is decided %s by %s (%s); want %s", file, call, d.Verdict, d.Layer, d.Reason, want)
				}
			}
		}
	}
}
