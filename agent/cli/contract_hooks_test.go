//go:build unix

package cli

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Each hook runs as it does in a run. More of what can become of one is in approval/hook, and examples/hooks.txtar shows
// them to people.
func TestPolicySection11(t *testing.T) {
	all := []statement{
		{says: "event before_tool", config: hooked("before_tool", "echo no >&2; exit 2"), flags: "--trust", want: `
			deny/6 create_file new # hook sh -c echo no >&2; exit 2: no
			deny/6 read_file old.txt
			deny/6 touch new`},
		{says: "event permission: where a person would be asked", config: hooked("permission", "exit 2"), want: `
			deny/12 create_file new
			allow/10 read_file old.txt`},
		{says: "event after_tool: when it is done", config: hooked("after_tool", `cat >told; grep -q '"result":"' told`), flags: "--trust", done: true, want: `
			allow/7 create_file event
			allow/7 edit_file told`},
		{says: "another event is a mistake", config: hooked("before", "true"), want: `error event "before" is not one of before_tool, permission, after_tool`},
		{says: "tools: the hook is asked about these", config: hooked("before_tool", "exit 2", `tools = ["run_command", "Write"]`), flags: "--trust", want: `
			deny/6 touch new
			deny/6 create_file new
			allow/7 delete_file old.txt`},
		{says: "tools: no others are there", config: hooked("before_tool", "true", `tools = ["run_comand"]`), want: `error tools has a mistake in it: there is no tool "run_comand" (did you mean "run_command"?)`},
		{says: "command: a program and its arguments, in the work directory", config: `hooks = [{event = "before_tool", command = ["sh", "-c", 'echo "$1 in $PWD" >&2; exit 2', "-", "an argument"]}]`, flags: "--trust", want: `
			deny/6 touch new # exit 2 - an argument: an argument in @ROOT@/work`},
		{says: "command: a program of the work directory", config: `hooks = [{event = "before_tool", command = ["./ours"]}]`, flags: "--trust", want: "deny/6 touch new # hook ./ours failed: "},
		{says: "command: it is needed", config: `hooks = [{event = "before_tool"}]`, want: "error the hook has no command"},
		{says: "timeout: an empty one is a mistake", config: hooked("before_tool", "true", `timeout = ""`), want: `error timeout "" is not a time up to 10m0s, such as "10s"`},
		{says: "timeout: a time", config: hooked("before_tool", "sleep 100", `timeout = "100ms"`), flags: "--trust", want: "deny/6 touch new # failed: it took too long (100ms)"},
		{says: "answer: allow", config: hooked("permission", `echo '{"decision": "allow", "reason": "fine"}'`), want: "allow/12 touch new # : fine"},
		{says: "answer: deny", config: hooked("permission", `echo '{"decision": "deny", "reason": "bad"}'`), want: "deny/12 touch new # : bad"},
		{says: "answer: ask", config: hooked("before_tool", `echo '{"decision": "ask", "reason": "look"}'`), flags: "--trust", want: "ask/6 touch new # : look"},
		{says: "answer: no output for no opinion", config: hooked("before_tool", "true") + hooked("permission", "echo; echo noise >&2"), want: `
			ask/11 touch new
			1 touch new
			allow/10 ls`},
		{says: "exit 2 is deny with standard error as the reason", config: hooked("before_tool", `echo '{"decision": "allow"}'; echo not here >&2; exit 2`), flags: "--trust", want: "deny/6 touch new # : not here"},
		{says: "allow counts only for permission hooks", config: hooked("before_tool", `echo '{"decision": "allow"}'`), want: "ask/11 touch new"},
		{says: "allow counts where layer 11 asked", config: leave, want: `
			allow/12 touch new
			allow/12 rm -rf src
			allow/12 read_file .env
			allow/12 sh x.sh`},
		{says: "allow counts where an ask rule asked", config: leave, flags: "--ask 'create_file(src/**)' --trust", want: "allow/12 create_file src/new"},
		{says: "allow does not count where a hook asked", config: leave + hooked("before_tool", `echo '{"decision": "ask"}'`), want: "ask/6 touch new"},
		{says: "allow does not count where rules cannot tell whether they ask or deny", config: leave, flags: "--deny 'Bash(rm *)'", want: `
			ask/8 $X
			allow/12 touch new`},
		{says: "allow does not count where rules cannot tell whether they deny, whatever asks beside", config: leave, flags: "--ask Bash --deny 'Bash(rm *)'", want: "ask/8 $X"},
		{says: "allow does not count where [permissions.tools] asks", config: "permissions.tools = {create_file = 'ask'}\n" + leave, want: `
			ask/8 create_file new
			allow/12 touch new`},
		{says: "allow does not count for one part of a command alone", config: leave, flags: "--deny 'Bash(rm *)'", want: "ask/8 touch new; $X"},
		{says: "allow never counts for catastrophic actions", config: leave, want: `
			ask/11 delete_path .
			ask/11 rm -rf .
			ask/11 delete_path many`},
		{says: "allow never counts for catastrophic actions, under bypass", config: leave, flags: "--trust", want: "ask delete_path ."},
		{says: "allow lifts no limit", config: leave, flags: "--deny mkdir", want: `
			deny/2 create_file ../new
			deny/3 create_file .git/x
			deny/4 mkdir new`},
		{says: "any other exit status denies and says which hook did", config: hooked("permission", `echo '{"decision": "allow"}'; echo oops >&2; exit 3`), want: "deny/12 touch new # exit 3 failed: it ended with status 3: oops"},
		{says: "a timeout denies and says which hook did", config: hooked("permission", "echo x; sleep 100", `timeout = "100ms"`), want: "deny/12 touch new # hook sh -c echo x; sleep 100 failed: it took too long (100ms)"},
		{says: "bad JSON denies and says which hook did", config: hooked("permission", "echo yes"), want: "deny/12 touch new # hook sh -c echo yes failed: its answer makes no sense"},
		{says: "JSON that says something else denies", config: hooked("permission", `echo '{"decision": "allow", "for": "ever"}'`), want: "deny/12 touch new # failed: its answer makes no sense"},
		{says: "a missing program denies and says which hook did", config: `hooks = [{event = "permission", command = ["./missing"]}]`, want: "deny/12 touch new # hook ./missing failed: "},
		{says: "a missing program on PATH denies and says which hook did", config: `hooks = [{event = "before_tool", command = ["no-such-program"]}]`, flags: "--dangerously-skip-permissions", want: "deny/6 touch new # hook no-such-program failed: "},
		{says: "a deadline", config: hooked("before_tool", "sleep 100 & echo $! >child; sleep 100", `timeout = "300ms"`), flags: "--trust", want: "deny/6 touch new # took too long"},
		{says: "a deadline that ends their whole process group", config: hooked("before_tool", "test -s child && ! kill -0 $(cat child) 2>/dev/null || exit 2"), flags: "--trust", want: "allow/7 touch new"},
	}
	for what, needle := range map[string]string{
		"tool": `"tool":"create_file"`, "arguments": `"arguments":{"path":"new","content":"new"}`, "effects": `"effects":\["write"\]`,
		"work directory": `"work_dir":"@ROOT@/work"`, "session": `"session":"`, "event": `"event":"before_tool"`,
	} {
		all = append(all, statement{says: "JSON on standard input: " + what, config: hooked("before_tool", "grep -q '"+needle+"' || exit 2"), flags: "--trust", want: "allow/7 create_file new"})
	}
	t.Setenv("BASH_FUNC_x%%", "() { :; }")
	for name := range strings.FieldsSeq("MY_TOKEN MY_KEY MY_SECRET MY_PASSWORD LD_OF_MINE DYLD_OF_MINE BASH_ENV BASH_FUNC_x%% ENV PROMPT_COMMAND GIT_DIR GIT_CONFIG_COUNT PAGER GIT_PAGER " +
		"LESSOPEN RIPGREP_CONFIG_PATH NODE_OPTIONS PYTHONSTARTUP PYTHONPATH PERL5OPT PERL5LIB RUBYOPT GOFLAGS JAVA_TOOL_OPTIONS") {
		if !strings.Contains(name, "%") {
			t.Setenv(name, "")
		}
		all = append(all, statement{says: "the clean environment of 7: without " + name, config: hooked("before_tool", "env | grep -q '^"+name+"=' && exit 2; exit 0"), flags: "--trust", want: "allow/7 touch new"})
	}
	t.Setenv("GIT_AUTHOR_NAME", "Ann")
	all = append(all, statement{says: "the clean environment of 7: with GIT_AUTHOR_NAME", config: hooked("before_tool", `test "$GIT_AUTHOR_NAME" = Ann || exit 2`), flags: "--trust", want: "allow/7 touch new"},
		statement{says: "the clean environment of 7: with what [sandbox] env names", config: "sandbox.env = ['MY_TOKEN']\n" + hooked("before_tool", "env | grep -q '^MY_TOKEN=' || exit 2"), flags: "--trust", want: "allow/7 touch new"})
	holds(t, all)
	t.Run("timeout: 10s unless it is said", func(t *testing.T) {
		if _, j, err := newContractWorld(t).judge(t, statement{config: leave}); err != nil || j.asked[0].Timeout != 10*time.Second {
			t.Errorf("%v, %v", j.asked, err)
		}
	})
}

// leave is a permission hook that allows whatever it is asked about.
var leave = hooked("permission", `echo '{"decision": "allow"}'`)

// hooked is a hook that is a line of a shell.
func hooked(event, line string, more ...string) string {
	return fmt.Sprintf("[[hooks]]\nevent = %q\ncommand = [\"sh\", \"-c\", '''%s''']\n%s\n", event, line, strings.Join(more, "\n"))
}
