//go:build unix

package cli

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tricode/agent"
	"tricode/agent/transcript"
	"tricode/approval"
	"tricode/providers"
	"tricode/tools"
)

// looked is one sentence about what the policy can be asked, and what is printed.
type looked struct {
	says  string
	setup statement // its files; what it wants is not looked at
	line  string    // what is typed after tricode
	want  string    // lines of what is printed, in this order; … is anything. An "error" has the text of the mistake.
}

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

// looks tries what can be asked.
func (w *contractWorld) looks(t *testing.T, all []looked) {
	w.write(t, filepath.Join(w.root, "other.toml"), `permissions.rules = [{tool = "Bash", action = "allow", pattern = "git push"}]`)
	for _, l := range all {
		t.Run(l.says, func(t *testing.T) {
			w.prepare(t, l.setup)
			out, status, err := w.types(t, l.line)
			rest := out
			for line := range strings.Lines(w.places.Replace(l.want)) {
				line = strings.TrimLeft(strings.TrimSuffix(line, "\n"), "\t")
				text, mistake := strings.CutPrefix(line, "error")
				switch {
				case line == "":
				case mistake:
					if status != statusUsage && (err == nil || statusOf(err) != statusUsage) || err != nil && !strings.Contains(err.Error(), strings.TrimSpace(text)) {
						t.Errorf("status %d, %v; want a mistake with %q", status, err, text)
					}
					return
				default:
					at := regexp.MustCompile("(?m)^" + strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*") + "$").FindStringIndex(rest)
					if at == nil {
						t.Fatalf("no line %q behind what came before, in\n%s", line, out)
					}
					rest = rest[at[1]:]
				}
			}
			if err != nil || status != statusDone {
				t.Errorf("status %d, %v", status, err)
			}
		})
	}
}

func (w *contractWorld) work(name string) string { return filepath.Join(w.root, "work", name) }

// types asks what is typed after tricode, in the work directory unless another is said.
func (w *contractWorld) types(t *testing.T, line string) (out string, status int, err error) {
	t.Helper()
	var c commandLine
	args := words(w.places.Replace(line))
	if !strings.Contains(line, "--work-dir") {
		args = append([]string{"-C", w.work("")}, args...)
	}
	command, _, err := parse(&c, args, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	status, err = c.permissions(t.Context(), strings.TrimPrefix(command, "permissions "), &b)
	return b.String(), status, err
}

// session leaves the transcript of a run that ran commands after a person's yes, but for those that were denied.
func (w *contractWorld) session(t *testing.T, name string, commands []string, said map[string]approval.Verdict) {
	t.Helper()
	dir := filepath.Join(w.root, "home/.local/state/tricode/sessions", name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	log, err := transcript.Create(filepath.Join(dir, "transcript.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	emit := func(e agent.Event) {
		t.Helper()
		if err := log.Emit(e); err != nil {
			t.Fatal(err)
		}
	}
	emit(agent.Started{Session: name, Time: "2026-01-01T00:00:00Z", WorkDir: w.work("")})
	for i, command := range commands {
		id, args := fmt.Sprint(i), fmt.Sprintf(`{"command":%q}`, command)
		emit(agent.Said{Message: providers.Message{Role: providers.Assistant, Calls: []providers.Call{{ID: id, Name: "run_command", Arguments: args}}}})
		d := approval.Decision{Verdict: approval.Allow, Layer: approval.LayerPerson, Trace: []approval.Step{{Layer: approval.LayerDefault, Verdict: "ask"}, {Layer: approval.LayerPerson, Verdict: "allow"}}}
		if said[command] == approval.Deny {
			d = approval.Decision{Verdict: approval.Deny, Layer: approval.LayerDeny, Reason: "deny rule x", Trace: []approval.Step{{Layer: approval.LayerDeny, Verdict: "deny"}}}
		}
		emit(agent.Decided{Call: id, Tool: "run_command", Summary: "run " + command, Time: "2026-01-01T00:00:01Z", Decision: d})
	}
}

func (w *contractWorld) batchOfStandardInput(t *testing.T) {
	w.prepare(t, statement{})
	f, err := os.Open(w.work("calls"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stdin := os.Stdin
	os.Stdin = f
	defer func() { os.Stdin = stdin }()
	if out, _, err := w.types(t, "permissions explain --batch -"); err != nil || strings.Count(out, "\n") != 2 || !strings.HasPrefix(out, `{"id":7,"decision":"allow"`) {
		t.Errorf("%v, %s", err, out)
	}
}

func (w *contractWorld) nothingChanges(t *testing.T) {
	w.write(t, w.work("hook"), "#!/bin/sh\ntouch \"$0.consulted\"\n")
	w.prepare(t, statement{config: "hooks = [{event = 'before_tool', command = ['./hook']}, {event = 'permission', command = ['./hook']}, {event = 'after_tool', command = ['./hook']}]\n" +
		"permissions.tests = [{tool = 'run_command', args = 'touch made', expect = 'ask'}]"})
	before := w.everything(t)
	for _, line := range []string{
		"permissions", "permissions check", "permissions replay", "permissions denials", "permissions explain --batch @ROOT@/work/calls", "permissions explain --dangerously-skip-permissions run_command 'touch made; rm -rf src'",
		"permissions explain --trust delete_path src", "permissions explain --trust start_session 'touch made'", `permissions explain --trust create_file '{"path": "made", "content": ""}'`,
	} {
		if out, _, err := w.types(t, line); err != nil || out == "" {
			t.Errorf("%s: %v, %s", line, err, out)
		}
		if after := w.everything(t); after != before {
			t.Fatalf("%s makes\n%s\nof\n%s", line, after, before)
		}
	}
}

// everything lists what is in the world, with sums.
func (w *contractWorld) everything(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(w.root, func(path string, d fs.DirEntry, err error) error {
		var data []byte
		if err == nil && d.Type().IsRegular() {
			data, err = os.ReadFile(path)
		}
		fmt.Fprintf(&b, "%s %v %x\n", path, d.Type(), sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// atTheQuestion says at a running question what can be said there.
func (w *contractWorld) atTheQuestion(t *testing.T) {
	for _, tt := range []struct{ says, line, reply, want string }{
		{"at the question: /permissions", "/permissions", "mode: ask (the default)\n", "ask touch x"},
		{"at the question: /permissions profile MODE", "/permissions profile read_only", "The mode is read_only for the rest of this run.", "deny touch x"},
		{"at the question: /permissions profile bypass is refused", "/permissions profile bypass", "bypass can be chosen on the command line only: --bypass-permission", "ask touch x"},
		{"at the question: /permissions rule TOOL ACTION", "/permissions rule run_command(touch *) allow", "allow run_command(touch *), for the rest of this run.", "allow touch x"},
		{"at the question: /permissions rule PATTERN ACTION", "/permissions rule touch * allow", "allow run_command(touch *), for the rest of this run.", "allow touch x"},
		{"at the question: /permissions denials", "/permissions denials", "2026-01-01T00:00:01Z mkdir: make a: no\n", "ask touch x"},
		{"at the question: /plan", "/plan", "no plan", "ask touch x"},
	} {
		t.Run(tt.says, func(t *testing.T) {
			talk, j, err := w.judge(t, statement{})
			if err != nil {
				t.Fatal(err)
			}
			tally := agent.Tally{Denials: []agent.Denial{{Tool: "mkdir", Summary: "make a", Reason: "no", Time: "2026-01-01T00:00:01Z"}}}
			said := &dialogue{c: &commandLine{}, world: j.world, gate: &talk.gate, plan: &tools.Plan{}, tally: &tally}
			if reply, _ := said.command(tt.line); !strings.HasPrefix(reply, tt.reply) {
				t.Errorf("%s says %q; want %q", tt.line, reply, tt.reply)
			}
			want, call, _ := strings.Cut(tt.want, " ")
			talk.call(t, j, want, call)
		})
	}
}
