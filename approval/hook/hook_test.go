//go:build unix

package hook

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tricode/approval"
	"tricode/workdir/sandbox"
)

// runner starts programs in a directory of their own.
func runner(t *testing.T) (run Runner, dir string) {
	dir = t.TempDir()
	box := &sandbox.Box{Dir: dir}
	t.Cleanup(func() { box.Close() })
	return func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
		return box.Run(ctx, sandbox.Cmd{Args: args, Stdin: stdin, Stdout: stdout, Stderr: stderr})
	}, dir
}

func prepared(t *testing.T, run Runner, s Setting, hooks ...Hook) *Hooks {
	t.Helper()
	hs, err := New(hooks, run, s)
	if err != nil {
		t.Fatal(err)
	}
	return hs
}

func sh(script string) Hook {
	return Hook{Event: BeforeTool, Command: []string{"sh", "-c", script}, Timeout: time.Minute}
}

func create() *approval.Action {
	a := approval.NewAction("create a", nil, approval.Subject{Effects: approval.Write, Path: "/work/a", Rel: "a"})
	a.Tool, a.Input = "create_file", `{"path": "a", "content": "x"}`
	return a
}

func TestAnswers(t *testing.T) {
	run, _ := runner(t)
	type row struct{ script, want string }
	for statement, rows := range map[string][]row{
		"no output is no opinion": {{"", "none"}, {"echo", "none"}, {"echo noise >&2", "none"}},
		"an answer counts": {
			{`echo '{"decision": "allow"}'`, "allow: allow"},
			{`echo '{"decision": "deny", "reason": "no"}'`, "deny: no"},
			{`echo '{"reason": "look", "decision": "ask"}'; echo noise >&2`, "ask: look"},
			{`printf '{"decision": "deny", "reason": "%s"}' 'two\n  lines'`, "deny: two lines"},
		},
		"exit 2 denies with standard error as the reason": {
			{"echo not here >&2; exit 2", "deny: not here"},
			{`echo '{"decision": "allow"}'; exit 2`, "deny: deny"},
		},
		"any other exit status denies": {
			{`echo '{"decision": "allow"}'; exit 1`, "deny failed: it ended with status 1"},
			{"echo oops >&2; exit 3", "deny failed: it ended with status 3: oops"},
		},
		"bad JSON denies": {
			{"echo yes", "deny failed: its answer makes no sense"},
			{`echo '{"decision": "maybe"}'`, "deny failed: its answer makes no sense"},
			{`echo '{"decision": "allow", "why": "x"}'`, "deny failed: its answer makes no sense"},
			{`echo '{"decision": "allow"} {"decision": "deny"}'`, "deny failed: its answer makes no sense: something follows the answer"},
			{`echo '{"reason": "x"}'`, "deny failed: its answer makes no sense: there is no decision in it"},
			{`echo '{"decision": null}'`, "deny failed: its answer makes no sense: there is no decision in it"},
			{`echo '{"decision": "allow"'`, "deny failed: its answer makes no sense"},
			{`echo '"allow"'`, "deny failed: its answer makes no sense"},
			{"echo null", "deny failed: its answer makes no sense: there is no decision in it"},
		},
	} {
		t.Run(statement, func(t *testing.T) {
			for _, tt := range rows {
				hs := prepared(t, run, Setting{}, sh(tt.script))
				o := hs.Before(t.Context(), create())
				got := "none"
				if o.Given {
					got = o.Verdict.String() + strings.TrimPrefix(o.Reason, hs.hooks[0].String())
				}
				if !strings.HasPrefix(got, tt.want) {
					t.Errorf("%s: %s; want %s", tt.script, got, tt.want)
				}
			}
		})
	}
}

// Whatever happens to a hook, it ends by its deadline with its whole process group, denies, and is named.
func TestTheDeadlineEndsTheProcessGroupAndDenies(t *testing.T) {
	for _, tt := range []struct{ name, script, want string }{
		{"hangs", "sleep 100", "it took too long (2s)"},
		{"hangs without hearing", "trap '' TERM INT HUP; while :; do sleep 1; done", "it took too long (2s)"},
		{"hangs in a child", "sleep 100 | sleep 100", "it took too long (2s)"},
		{"hangs in another session", "setsid sh -c 'echo $$ >pid; exec sleep 100'", "it took too long (2s)"},
		{"answers and hangs", `echo '{"decision": "allow"}'; sleep 100`, "it took too long (2s)"},
		{"prints without end", "yes", "it printed more than 65536 bytes"},
		{"complains without end", "yes >&2", "it printed more than 65536 bytes"},
		{"is killed", "kill -KILL $$", "it ended with status 137"},
		{"crashes", "kill -SEGV $$", "it ended with status 139"},
		{"stops itself", "kill -STOP $$", "it took too long (2s)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			run, dir := runner(t)
			h := sh("echo $$ >pid; " + tt.script)
			h.Timeout = 2 * time.Second
			if strings.Contains(tt.want, "printed") {
				h.Timeout = time.Minute
			}
			start := time.Now()
			o := prepared(t, run, Setting{}, h).Before(t.Context(), create())
			if o == nil || !o.Given || o.Verdict != approval.Deny || !strings.Contains(o.Reason, tt.want) || !strings.HasPrefix(o.Reason, "hook sh -c echo") {
				t.Errorf("opinion %+v; want a denial that names the hook and says %q", o, tt.want)
			}
			if took := time.Since(start); took > time.Minute {
				t.Errorf("it took %v", took)
			}
			gone(t, filepath.Join(dir, "pid"))
		})
	}
}

// gone checks that the process whose id is in a file has ended.
func gone(t *testing.T, file string) {
	t.Helper()
	var pid int
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &pid)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
		t.Errorf("process %d is still there: %v", pid, err)
	}
}

func TestAMissingProgramDeniesAndIsNamed(t *testing.T) {
	run, dir := runner(t)
	if err := os.WriteFile(filepath.Join(dir, "plain"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"./missing", "./plain", "no-such-program", "."} {
		o := prepared(t, run, Setting{}, Hook{Event: BeforeTool, Command: []string{program}, Timeout: time.Second}).Before(t.Context(), create())
		if o.Verdict != approval.Deny || !strings.HasPrefix(o.Reason, "hook "+program+" failed: ") {
			t.Errorf("%s: %+v; want a denial that names it", program, o)
		}
	}
}

func TestWhatAHookStartsEndsWithIt(t *testing.T) {
	run, dir := runner(t)
	o := prepared(t, run, Setting{}, sh("sleep 100 & echo $! >pid; exit 0")).Before(t.Context(), create())
	if o.Given {
		t.Errorf("opinion %+v; want none", o)
	}
	gone(t, filepath.Join(dir, "pid"))
}

func TestHooksAreToldToolArgumentsEffectsWorkDirectoryAndSession(t *testing.T) {
	run, dir := runner(t)
	h := sh("cat >told; test $(wc -l <told) = 1")
	hs := prepared(t, run, Setting{WorkDir: "/work", Session: "s1"}, h)
	if o := hs.Before(t.Context(), create()); o.Given {
		t.Fatal(o.Reason)
	}
	data, err := os.ReadFile(filepath.Join(dir, "told"))
	want := `{"event":"before_tool","tool":"create_file","arguments":{"path":"a","content":"x"},"effects":["write"],"summary":"create a","work_dir":"/work","session":"s1"}` + "\n"
	if err != nil || string(data) != want {
		t.Errorf("told %s (%v)\nwant %s", data, err, want)
	}
	unknown := &approval.Action{Tool: "mystery"}
	if o := hs.Before(t.Context(), unknown); o.Given {
		t.Fatal(o.Reason)
	}
	data, _ = os.ReadFile(filepath.Join(dir, "told"))
	if !strings.Contains(string(data), `"arguments":{},"effects":[]`) {
		t.Errorf("told %s; want no arguments and no effects", data)
	}
	unknown.Input = `{"not": json`
	if o := hs.Before(t.Context(), unknown); o.Verdict != approval.Deny || !o.Given {
		t.Errorf("arguments that are not JSON: %+v; want a denial", o)
	}
}

func TestTheStrictestOfSeveral(t *testing.T) {
	run, dir := runner(t)
	say := func(verdict string) Hook { return sh(`echo '{"decision": "` + verdict + `"}'`) }
	other := sh("touch asked")
	other.Tools = []string{"mkdir"}
	for _, tt := range []struct {
		hooks []Hook
		want  string
	}{
		{[]Hook{other}, "unconcerned"},
		{[]Hook{sh(""), sh("")}, "none"},
		{[]Hook{sh(""), say("allow"), other}, "allow"},
		{[]Hook{say("ask"), say("allow")}, "ask"},
		{[]Hook{say("allow"), say("ask")}, "ask"},
		{[]Hook{say("ask"), say("deny"), sh("touch asked")}, "deny"},
	} {
		got := "unconcerned"
		if o := prepared(t, run, Setting{}, tt.hooks...).Before(t.Context(), create()); o != nil {
			if got = "none"; o.Given {
				got = o.Verdict.String()
			}
		}
		if got != tt.want {
			t.Errorf("%v: %s, want %s", tt.hooks, got, tt.want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "asked")); err == nil {
		t.Error("a hook for another tool, or behind a denial, was asked")
	}
}

func TestEventsAreKeptApart(t *testing.T) {
	run, dir := runner(t)
	before, permission, after := sh("touch before"), sh("touch permission"), sh(`cat >after; echo '{"decision": "deny", "reason": "late"}'`)
	permission.Event, after.Event = Permission, AfterTool
	hs := prepared(t, run, Setting{}, before, permission, after)
	hs.Permission(t.Context(), create())
	if _, err := os.Stat(filepath.Join(dir, "permission")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "before")); err == nil {
		t.Error("a hook for another event was asked")
	}
	note := hs.After(t.Context(), create(), approval.Result{Text: "made it"}, errors.New("almost"))
	told, _ := os.ReadFile(filepath.Join(dir, "after"))
	if !strings.HasSuffix(note, ": late") || !strings.Contains(string(told), `"result":"made it","error":"almost"`) {
		t.Errorf("note %q, told %s", note, told)
	}
}

func TestAProgramThatChanged(t *testing.T) {
	run, dir := runner(t)
	changed := func(h *Hook) error { return errors.New(h.Command[0] + " changed") }
	o := prepared(t, run, Setting{Intact: changed}, sh("touch ran")).Before(t.Context(), create())
	if o.Verdict != approval.Deny || !strings.HasSuffix(o.Reason, " failed: sh changed") {
		t.Errorf("opinion %+v; want a denial", o)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("it ran")
	}
}

func TestLongReasons(t *testing.T) {
	run, _ := runner(t)
	o := prepared(t, run, Setting{}, sh("head -c 60000 /dev/zero | tr '\\0' '\\377' >&2; exit 2")).Before(t.Context(), create())
	if o.Verdict != approval.Deny || len(o.Reason) > maxReason+maxName+50 {
		t.Errorf("a reason of %d bytes", len(o.Reason))
	}
}

func TestUnknownTools(t *testing.T) {
	if _, err := New([]Hook{{Command: []string{"x"}, Tools: []string{"nosuch"}}}, nil, Setting{}); err == nil || !strings.HasPrefix(err.Error(), "hook x: ") {
		t.Errorf("New = %v; want the hook and its tool", err)
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add([]byte(`{"decision":"allow","reason":"x"}`))
	f.Add([]byte(`{"decision":"deny"}{}`))
	f.Fuzz(func(t *testing.T, out []byte) {
		o, err := (&Hook{Command: []string{"x"}}).answer(out)
		if err != nil && o.Given {
			t.Errorf("answer(%q) = %+v, %v", out, o, err)
		}
		if err == nil && !o.Given && len(strings.TrimSpace(string(out))) > 0 {
			t.Errorf("answer(%q) is no opinion", out)
		}
	})
}
