//go:build unix

package cli

import (
	"testing"

	"tricode/approval"
)

// What only a run shows of section 10, the trace on standard error and what can be typed at a question, is in
// examples/inspect.txtar and examples/dialogue.txtar.
func TestPolicySection10(t *testing.T) {
	const policy = `[permissions]
mode = "accept_edits"
protected = ["infra/**"]
additional_directories = ["@ROOT@/lib"]
max_untracked_deletes = 7
tools = {delete_file = "deny", mkdir = "ask"}
rules = [{tool = "Bash", command_prefix = ["git", "push"], action = "deny", reason = "pushes are mine"}]
[[hooks]]
event = "before_tool"
command = ["./ours"]
`
	const project = "[permissions]\nprotected = [\"db/**\"]\nadditional_directories = [\"@ROOT@/beside\"]\nrules = [{tool = \"Bash\", action = \"ask\", pattern = \"make *\"}]\n"
	own := statement{config: policy, project: project}
	w := newContractWorld(t)
	w.write(t, w.work("calls"), `{"id": 7, "tool": "run_command", "args": {"command": "ls"}}`+"\n"+`{"id": "b", "tool": "create_file", "args": {"path": "../x", "content": ""}}`)
	w.session(t, "20260101-000001-one", []string{"touch same", "touch other"}, map[string]approval.Verdict{"touch other": approval.Deny})
	w.session(t, "20260101-000002-two", []string{"ls", "touch one"}, map[string]approval.Verdict{"touch one": approval.Deny})
	w.looks(t, []looked{
		{says: "tricode permissions: the effective policy with sources", setup: own, line: "permissions --allow 'Bash(ls *)' --tools run_command --sandbox=off", want: `
			mode: accept_edits (~/.config/tricode/config.toml:2)
			default: ask (the default)
			work directory: @ROOT@/work
			additional directory: @ROOT@/lib (~/.config/tricode/config.toml:4)
			protected: infra/** (~/.config/tricode/config.toml:3)
			protected: db/** (.tricode/config.toml:2)
			untracked files that one call may delete: 7 (~/.config/tricode/config.toml:5)
			sandbox: off (--sandbox)
			tools: run_command (--tools)
			deny rules, before all others:
			  deny  Bash(git push:*) (~/.config/tricode/config.toml:7): pushes are mine
			  deny  delete_file (~/.config/tricode/config.toml:6)
			ask and allow rules, the first that matches counts:
			  allow Bash(ls *) (--allow)
			  ask   Bash(make *) (.tricode/config.toml:4)
			tools, where no rule matches:
			  ask   mkdir (~/.config/tricode/config.toml:6)
			hook, before_tool of all tools: ./ours (~/.config/tricode/config.toml:8)`},
		{says: "tricode permissions: sources of a trusted project", setup: statement{config: policy, project: project, trusted: true}, line: "permissions", want: `
			additional directory: @ROOT@/lib (~/.config/tricode/config.toml:4)
			additional directory: @ROOT@/beside (.tricode/config.toml:3)`},
		{says: "explain: the parse", line: "permissions explain run_command 'cd src && cat main.go | sort >../../new'", want: `
			parts:
			  cd src […
			  @ROOT@/work/src [read]
			  cat main.go [read] /…/cat
			  @ROOT@/work/src/main.go [read]
			  @ROOT@/new [write, …outside]…
			  sort [read] /…/sort`},
		{says: "explain: effects", line: "permissions explain run_command 'git push -f'", want: `
			effects: exec, network, dangerous, history
			  git push -f [exec, network, dangerous, history] /…/git: forces a push`},
		{says: "explain: every layer consulted", line: "permissions explain run_command 'touch x'", want: `
			layers for touch x
			   and for @ROOT@/work/x:
			  1 tool list: -
			  2 work directory: -
			  3 protected paths: -
			  4 deny rules: -
			  5 mode: -
			  7 bypass: -
			  8 rules: -
			  9 session: -
			  10 built in: -
			  11 default: ask`},
		{says: "explain: no layer after the one that answers", line: "permissions explain run_command 'touch /etc/x'", want: `
			layers for /etc/x:
			  1 tool list: -
			  2 work directory: deny, it is outside the work directory @ROOT@/work`},
		{says: "explain: the layers of several parts", line: "permissions explain run_command 'cd src && touch x; ls'", want: `
			layers for cd src
			   and for @ROOT@/work/src:
			…
			  10 built in: allow, it only reads
			layers for touch x
			   and for @ROOT@/work/src/x:
			…
			  11 default: ask
			layers for ls:
			…
			  10 built in: allow, it only reads`},
		{says: "explain: the rule with file and line", setup: own, line: "permissions explain run_command 'git push'", want: `
			deny: deny rule Bash(git push:*) (~/.config/tricode/config.toml:7): pushes are mine
			  4 deny rules: deny, deny rule Bash(git push:*) (~/.config/tricode/config.toml:7): pushes are mine`},
		{says: "explain: the rule with file and line, of [permissions.tools]", setup: own, line: "permissions explain mkdir x", want: `
			ask: mkdir = "ask" in [permissions.tools] (~/.config/tricode/config.toml:6)`},
		{says: "explain: the rule with file and line, of [permissions.tools] that denies", setup: own, line: "permissions explain delete_file old.txt", want: `
			deny: deny rule delete_file (~/.config/tricode/config.toml:6)`},
		{says: "explain: the decision", line: "permissions explain run_command ls", want: "allow: it only reads"},
		{says: "explain: a JSON object for other tools", line: `permissions explain create_file '{"path": "new", "content": "x"}'`, want: `
			ask: nothing allows it without a question
			effects: write
			  @ROOT@/work/new [write]`},
		{says: "explain --json", setup: own, line: "permissions explain --json run_command 'git push -f'", want: `{"tool":"run_command","args":{"command":"git push -f"},` +
			`"decision":"deny","layer":"deny rules","reason":"deny rule Bash(git push:*) (~/.config/tricode/config.toml:7): pushes are mine",` +
			`"effects":["exec","network","dangerous","history"],"parts":[{"what":"git push -f","effects":["exec","network","dangerous","history"],"program":"…/git","why":"forces a push"}],` +
			`"trace":[{"layer":"tool list","verdict":"-","subject":"git push -f"},…{"layer":"deny rules","verdict":"deny","subject":"git push -f","reason":"deny rule…`},
		{says: "explain --json: the least that would have allowed it", line: "permissions explain --json run_command 'touch x'", want: `{…"hint":"--allow 'run_command(touch x)' would have allowed it"}`},
		{says: "explain --batch FILE: a line each of id, decision, reason, effects", line: "permissions explain --batch @ROOT@/work/calls", want: `
			{"id":7,"decision":"allow","reason":"it only reads","effects":["read"]}
			{"id":"b","decision":"deny","reason":"@ROOT@/x is outside the work directory @ROOT@/work","effects":["outside"]}`},
		{says: "explain: --work-dir applies", line: "permissions explain --work-dir @ROOT@/work/src read_file ../old.txt", want: "deny: @ROOT@/work/old.txt is outside the work directory @ROOT@/work/src"},
		{says: "explain: --config applies", setup: own, line: "permissions explain --config @ROOT@/other.toml run_command 'git push'", want: "allow: allow rule Bash(git push) (…other.toml:1)"},
		{says: "explain: --permission-mode applies", line: "permissions explain --permission-mode plan run_command 'touch x'", want: "deny: mode plan only reads"},
		{says: "explain: the rule flags apply", line: "permissions explain --allow 'Bash(touch *)' --deny 'Bash(touch y)' run_command 'touch x'", want: "allow: allow rule Bash(touch *) (--allow)"},
		{says: "explain exits 0 whatever it decides: ask", line: "permissions explain run_command 'rm -rf .'", want: "ask: …"},
		{says: "explain exits 0 whatever it decides: deny", line: "permissions explain run_command 'rm -rf /'", want: "deny: …"},
		{says: "explain exits 0 whatever it decides: what cannot be called", line: "permissions explain nothing x", want: `deny: there is no tool "nothing"; the tools are …`},
		{says: "explain: hooks are not consulted, but named", setup: statement{config: hooked("before_tool", "exit 2") + hooked("permission", "exit 2", `tools = ["Bash"]`) + hooked("after_tool", "x") + hooked("before_tool", "x", `tools = ["mkdir"]`)},
			line: "permissions explain run_command 'touch x'", want: `
			ask: nothing allows it without a question
			hooks that a run would ask too:
			  before_tool: sh -c exit 2 (~/.config/tricode/config.toml:1)
			  permission: sh -c exit 2 (~/.config/tricode/config.toml:5)
			hint: …`},
		{says: "explain: hooks that are not asked are not named", setup: statement{config: hooked("permission", "exit 2")}, line: "permissions explain --json read_file old.txt", want: `{"tool":"read_file",…"subject":"@ROOT@/work/old.txt","reason":"it only reads"}]}`},
		{says: "explain: a name that other agents have for a tool", line: "permissions explain Bash ls", want: `deny: there is no tool "Bash"; rules mean run_command by it`},
		{says: "check loads everything: the person's own file", setup: statement{config: "mode = 1"}, line: "permissions check", want: `error config.toml:1:1: unknown key "mode"`},
		{says: "check loads everything: the project's file", setup: statement{project: "mode = 1"}, line: "permissions check", want: `error .tricode/config.toml:1:1: unknown key "mode"`},
		{says: "check lints", setup: statement{config: "permissions.rules = [{tool = 'Bash', action = 'allow'}, {tool = 'Bash', action = 'ask', pattern = 'x *'}]"}, line: "permissions check", want: `
			~/.config/tricode/config.toml:1: warning: Bash(x *) never counts: …
			rules: 2, warnings: 1, tests: 0, failed: 0`},
		{says: "check lints: a hook whose program is missing", setup: statement{config: "hooks = [\n{event = 'permission', command = ['./missing', 'x']}]"}, line: "permissions check", want: `
			~/.config/tricode/config.toml:2: warning: hook ./missing x denies all that it is asked about: …
			rules: 0, warnings: 1, tests: 0, failed: 0`},
		{says: "check: a test whose arguments are none fails, and the others are run", setup: statement{config: "permissions.tests = [{tool = 'edit_file', args = 'x', expect = 'ask'}, {tool = 'mkdir', args = 'x', expect = 'deny'}]"}, line: "permissions check", want: `
			~/.config/tricode/config.toml:1: edit_file … is no call: …
			~/.config/tricode/config.toml:1: mkdir {"path":"x"} is ask, want deny: nothing allows it without a question
			rules: 0, warnings: 0, tests: 2, failed: 2
			error`},
		{says: "check runs the tests of the policy: tool, args, expect", setup: statement{config: `permissions.tests = [{tool = "run_command", args = "ls", expect = "allow"}, {tool = "read_file", args = {path = ".env"}, expect = "ask"},
			{tool = "list_sessions", expect = "allow"}]`}, line: "permissions check", want: "rules: 0, warnings: 0, tests: 3, failed: 0"},
		{says: "check: a test that fails", setup: statement{config: "permissions.tests = [\n{tool = 'run_command', args = 'touch x', expect = 'allow'}]"}, line: "permissions check", want: `
			~/.config/tricode/config.toml:2: run_command {"command":"touch x"} is ask, want allow: nothing allows it without a question
			rules: 0, warnings: 0, tests: 1, failed: 1
			error`},
		{says: "check: a test of what cannot be called fails, though that is denied", setup: statement{config: "permissions.tests = [\n{tool = 'run_comand', args = {}, expect = 'deny'},\n{tool = 'mkdir', args = {paht = 'x'}, expect = 'deny'}]"}, line: "permissions check", want: `
			~/.config/tricode/config.toml:2: run_comand {} is no call: there is no tool "run_comand"…
			~/.config/tricode/config.toml:3: mkdir {"paht":"x"} is no call: …
			rules: 0, warnings: 0, tests: 2, failed: 2
			error`},
		{says: "check: a test is of the policy and not of what is there", setup: statement{config: "permissions.tests = [{tool = 'delete_file', args = 'nothing.txt', expect = 'ask'}]"}, line: "permissions check", want: "rules: 0, warnings: 0, tests: 1, failed: 0"},
		{says: "replay SESSION: the decisions of an earlier run under today's policy, differences first", line: "permissions replay 20260101-000001-one", want: `
			20260101-000001-one: 1 differ, 0 are not possible any more, 1 are the same
			deny  -> ask   run_command: run touch other: nothing allows it without a question
			ask            run_command: run touch same: nothing allows it without a question`},
		{says: "replay: today's policy", line: "permissions replay 20260101-000001-one --deny 'Bash(touch *)'", want: `
			20260101-000001-one: 1 differ, 0 are not possible any more, 1 are the same
			ask   -> deny  run_command: run touch same: deny rule Bash(touch *) (--deny)
			deny           run_command: run touch other: deny rule Bash(touch *) (--deny)`},
		{says: "replay --json", line: "permissions replay --json 20260101-000001-one", want: `{"session":"20260101-000001-one","differ":1,"gone":0,"same":1,"calls":[` +
			`{"call":"1","tool":"run_command","summary":"run touch other","was":"deny","now":"ask","reason":"nothing allows it without a question"},{"call":"0",…]}`},
		{says: "denials SESSION: tool, reason, summary of the input, when", line: "permissions denials 20260101-000001-one", want: `
			2026-01-01T00:00:01Z run_command: run touch other: deny rule x
			20260101-000001-one: 1 denied`},
		{says: "denials: the latest session unless one is named", line: "permissions denials", want: `
			2026-01-01T00:00:01Z run_command: run touch one: deny rule x
			20260101-000002-two: 1 denied`},
		{says: "denials --json", line: "permissions denials --json 20260101-000001", want: `{"session":"20260101-000001-one","denials":[{"tool":"run_command","reason":"deny rule x","summary":"run touch other","time":"2026-01-01T00:00:01Z"}]}`},
	})
	t.Run("explain --batch -: standard input", w.batchOfStandardInput)
	t.Run("explain, check, replay: nothing of the call is executed, hooks are not consulted, nothing on disk changes", w.nothingChanges)
	w.atTheQuestion(t)
}
