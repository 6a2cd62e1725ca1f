//go:build unix

package tools

import (
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tricode/approval"
)

// withSessions gives the place sessions, which end with the test.
func withSessions(t *testing.T) *place {
	t.Helper()
	p := newPlace(t, map[string]string{"a": "one\n", "sub/b": ""})
	t.Setenv("PS1", "$ ")
	t.Setenv("LC_ALL", "C") // a shell warns of one that is not there
	p.w.Sessions = NewSessions(p.w.Box)
	t.Cleanup(p.w.Sessions.Close)
	return p
}

func (p *place) start(args string) string {
	p.t.Helper()
	got, err := p.do(StartSession(p.w), args)
	if err != nil {
		p.t.Fatal(err)
	}
	return got
}

func (p *place) send(id, text string) (string, error) {
	p.t.Helper()
	return p.do(SendInput(p.w), object("session_id", id, "input_text", text))
}

// until reads what a session prints, behind what is known of it, until a text is among that.
func (p *place) until(id, got, text string) string {
	p.t.Helper()
	got = strings.TrimSuffix(got, noOutput)
	for end := time.Now().Add(time.Minute); !strings.Contains(got, text) && time.Now().Before(end); {
		more, err := p.do(ReadOutput(p.w), object("session_id", id))
		if err != nil {
			p.t.Fatal(err)
		}
		got += strings.TrimSuffix(more, noOutput)
	}
	return got
}

const noOutput = "(no output)"

// closed waits until the program of the latest session has ended.
func (p *place) closed() {
	s := p.w.Sessions
	s.mu.Lock()
	latest := s.all[len(s.all)-1]
	s.mu.Unlock()
	<-latest.terminal.Done()
}

func TestSession(t *testing.T) {
	p := withSessions(t)
	if got := p.until("s1", p.start(`{"command":"echo ready; while read x; do echo \"got $x\"; done; echo end; exit 3"}`), "ready\n"); got != "session_id: s1\nready\n" {
		t.Errorf("start_session: %q", got)
	}
	for _, step := range []struct {
		tool Tool
		args string
		want string
	}{
		{ListSessions(p.w), `{}`, "s1: echo ready; while read x; do echo \"got $x\"; done; echo end; exit 3 (running for 0s; 0 bytes unread)"},
		{SendInput(p.w), `{"session_id":"s1","input_text":"hé"}`, "hé\ngot hé\n"},
		{SendInput(p.w), `{"session_id":"s1","input_text":"1\n2\n"}`, "1\n2\ngot 1\ngot 2\n"},
		{ReadOutput(p.w), `{"session_id":"s1","timeout":0}`, "(no output)"},
		{SendInput(p.w), `{"session_id":"s1","input_text":"\u0004"}`, "end\n[the program ended with exit status 3]"},
		{ReadOutput(p.w), `{"session_id":"s1"}`, "[the program ended with exit status 3]"},
		{ListSessions(p.w), `{}`, "s1: echo ready; while read x; do echo \"got $x\"; done; echo end; exit 3 (the program ended with exit status 3; 0 bytes unread)"},
		{CloseSession(p.w), `{"session_id":"s1"}`, "[the program ended with exit status 3]"},
		{ListSessions(p.w), `{}`, "(no sessions)"},
	} {
		got, err := p.do(step.tool, step.args)
		if got != step.want && strings.HasPrefix(step.want, strings.TrimSuffix(got, noOutput)) && err == nil {
			got = p.until("s1", got, step.want) // a busy machine says it piece by piece
		}
		if got = running.ReplaceAllString(got, "running for 0s"); got != step.want || err != nil {
			t.Errorf("%s %s: %q, %v; want %q", step.tool.Name, step.args, got, err, step.want)
		}
	}
	if p.yes.asked != 4 { // not about the start, which only reads
		t.Errorf("asked %d times", p.yes.asked)
	}
}

var running = regexp.MustCompile(`running for \d+s`)

func TestSessionMistakes(t *testing.T) {
	p := withSessions(t)
	for _, test := range []struct {
		tool       Tool
		args, want string
	}{
		{SendInput(p.w), `{"session_id":"s1","input_text":"x"}`, `session_id: there is no session "s1"; none is open`},
		{CloseSession(p.w), `{"session_id":"s1"}`, `session_id: there is no session "s1"; none is open`},
		{ReadOutput(p.w), `{"session_id":"s1"}`, `session_id: there is no session "s1"; none is open`},
		{ReadOutput(p.w), `{"session_id":"s1","timeout":601}`, `timeout: 601 is not between 0 and 600`},
		{ReadOutput(p.w), `{"session_id":"s1","timeout":-1}`, `timeout: -1 is not between 0 and 600`},
		{StartSession(p.w), `{"command":" "}`, `command: is empty`},
		{StartSession(p.w), `{"shell":"no-such-shell"}`, `shell: no-such-shell: executable file not found in $PATH`},
	} {
		if _, err := p.do(test.tool, test.args); err == nil || err.Error() != test.want {
			t.Errorf("%s %s: %v; want %s", test.tool.Name, test.args, err, test.want)
		}
	}
	if p.yes.asked != 0 {
		t.Errorf("asked %d times", p.yes.asked)
	}
	p.gate.Policy.Mode = approval.ModeReadOnly
	var denied *approval.Denied
	if _, err := p.send("s1", "x"); !errors.As(err, &denied) {
		t.Errorf("input to an unknown session in mode read_only: %v", err)
	}
}

func TestInputToAShellIsJudgedLikeACommand(t *testing.T) {
	const opaque = approval.Exec | approval.ExecOpaque
	for _, test := range []struct {
		start string
		sent  []string // before
		input string
		want  approval.Effects
	}{
		{`{}`, nil, "ls", approval.Exec | approval.Read},
		{`{"command":"bash"}`, nil, "ls", approval.Exec | approval.Read},
		{`{"command":"sh"}`, nil, "ls", approval.Exec | approval.Read},
		{`{"shell":"sh"}`, nil, "ls", approval.Exec | approval.Read},
		{`{}`, nil, "rm -r sub", approval.Exec | approval.Delete | approval.Dangerous},
		{`{}`, nil, "touch x; ls", approval.Exec | approval.Read | approval.Write},
		{`{}`, nil, "ls su\t", approval.Exec | approval.Read}, // nothing completes it
		{`{}`, nil, "ls 'unfinished", opaque},
		{`{}`, nil, "ls \x15 rm", opaque},
		{`{}`, nil, "\x03", approval.Exec},
		{`{}`, nil, "", approval.Exec | approval.Read},
		{`{}`, []string{"cd sub"}, "touch x", approval.Exec | approval.Write},
		{`{}`, []string{"alias ls='rm -r'"}, "ls sub", opaque},
		{`{}`, []string{"eval \"$(cat a)\""}, "ls", opaque},
		{`{}`, []string{"sleep 100"}, "ls", opaque},
		{`{"command":"cat"}`, nil, "rm -rf /", approval.Exec},
		{`{"command":"env bash --norc"}`, nil, "ls", opaque},
		{`{"command":"sh -c 'exec sh'"}`, nil, "ls", opaque},
		{`{"command":"cat","shell":"sh"}`, nil, "x", approval.Exec},
	} {
		p := withSessions(t)
		p.start(test.start)
		for _, text := range test.sent {
			if _, err := p.send("s1", text); err != nil {
				t.Fatal(err)
			}
		}
		if s, _ := p.w.Sessions.find("s1"); slices.Contains(test.sent, "sleep 100") {
			for s.terminal.Foreground() {
				time.Sleep(time.Millisecond)
			}
		}
		a, err := SendInput(p.w).Plan(t.Context(), json.RawMessage(object("session_id", "s1", "input_text", test.input)))
		if err != nil {
			t.Fatal(err)
		}
		got := a.Effects
		if test.want == opaque {
			got &= opaque
		}
		if got&test.want != test.want || a.Effects.Only(approval.Read) || test.want&approval.ExecOpaque == 0 && got.Has(approval.ExecOpaque) {
			t.Errorf("%s, after %q, %q: %v, want %v", test.start, test.sent, test.input, a.Effects, test.want)
		}
		p.w.Sessions.Close()
	}
}

// A shell follows what it was told: where it is, and what words mean there.
func TestSessionDirectory(t *testing.T) {
	p := withSessions(t)
	p.start(`{}`)
	if _, err := p.send("s1", "cd sub"); err != nil {
		t.Fatal(err)
	}
	a, err := SendInput(p.w).Plan(t.Context(), json.RawMessage(`{"session_id":"s1","input_text":"echo x > ../../out"}`))
	if err != nil {
		t.Fatal(err)
	}
	var denied *approval.Denied
	if _, err := p.gate.Do(t.Context(), a, nil); !errors.As(err, &denied) {
		t.Errorf("writing outside: %v", err)
	}
	got, err := p.send("s1", "echo y > new; pwd")
	if err != nil {
		t.Fatal(err)
	}
	if got = p.until("s1", got, p.dir+"/sub\n"); !strings.Contains(got, p.dir+"/sub\n") {
		t.Errorf("%q", got)
	}
	if !strings.Contains(p.names(), "sub/new") {
		t.Errorf("files %s", p.names())
	}
}

// Between question and answer another program came to the foreground.
func TestSessionStale(t *testing.T) {
	p := withSessions(t)
	p.start(`{}`)
	if _, err := p.send("s1", "echo"); err != nil {
		t.Fatal(err)
	}
	s, _ := p.w.Sessions.find("s1")
	p.yes.meanwhile = func() {
		s.terminal.Type([]byte("cat\n"), time.Minute)
		for s.terminal.Foreground() {
			time.Sleep(time.Millisecond)
		}
	}
	if _, err := p.send("s1", "ls"); !errors.Is(err, approval.ErrStale) {
		t.Errorf("%v", err)
	}
}

func TestSessionShells(t *testing.T) {
	p := withSessions(t)
	p.put("zsh", "#!/bin/sh\ncat\n")
	os.Chmod(p.dir+"/zsh", 0o755)
	t.Setenv("PATH", p.dir+":"+os.Getenv("PATH"))
	for args, want := range map[string]approval.Effects{
		`{"shell":"zsh"}`:                    approval.Exec | approval.ExecOpaque,
		`{"shell":"zsh","command":"ls"}`:     approval.Exec | approval.ExecOpaque | approval.Read,
		`{"shell":"/bin/sh","command":"ls"}`: approval.Exec | approval.ExecOpaque | approval.Read,
		`{"shell":"bash","command":"ls"}`:    approval.Read,
		`{"shell":"bash"}`:                   approval.Exec,
	} {
		a, err := StartSession(p.w).Plan(t.Context(), json.RawMessage(args))
		if err != nil || a.Effects != want {
			t.Errorf("%s: %v, %v; want %v", args, a.Effects, err, want)
		}
	}
}

func TestSessionLimit(t *testing.T) {
	p := withSessions(t)
	for range maxSessions {
		p.start(`{"command":"cat"}`)
	}
	asked := p.yes.asked
	want := "3 sessions are open, which is the most there can be; close one of s1, s2, s3 first"
	if _, err := p.do(StartSession(p.w), `{}`); err == nil || err.Error() != want || p.yes.asked != asked {
		t.Errorf("%v, asked %d times", err, p.yes.asked-asked)
	}
	if _, err := p.send("s3", "\x04"); err != nil { // those that have ended do not count, and do not stay for ever
		t.Fatal(err)
	}
	p.closed()
	for range 1 + 3*maxSessions {
		p.start(`{"command":"true"}`)
		p.closed()
	}
	if n := len(p.w.Sessions.all); n > 2*maxSessions {
		t.Errorf("%d sessions are kept", n)
	}
}

func TestSessionMuchOutput(t *testing.T) {
	p := withSessions(t)
	var all strings.Builder
	all.WriteString(p.start(`{"command":"head -c 300000 /dev/zero | tr '\\0' x; echo end"}`))
	s, _ := p.w.Sessions.find("s1")
	<-s.drained
	for i := 0; ; i++ {
		got, err := p.do(ReadOutput(p.w), `{"session_id":"s1","timeout":0}`)
		if err != nil || i > 10 || len(got) > shownHead+shownTail+200 {
			t.Fatalf("%v, %d bytes", err, len(got))
		}
		all.WriteString(got + "\n")
		if !strings.Contains(got, "more wait to be read]") {
			break
		}
	}
	if text := all.String(); !strings.Contains(text, " bytes before this are lost: ") || strings.Count(text, "x") < maxUnread-100 ||
		!strings.HasSuffix(text, "xend\n[the program ended with exit status 0]\n") {
		t.Errorf("%.200q ... %q", text, text[max(0, len(text)-100):])
	}
}

// Nothing stays when a run ends.
func TestSessionsClose(t *testing.T) {
	p := withSessions(t)
	p.start(`{}`)
	got, err := p.send("s1", "sleep 100 & a=$!; setsid sleep 100 & sleep 0.1; echo pids $a $! 'end'")
	if err != nil {
		t.Fatal(err)
	}
	_, got, found := strings.Cut(p.until("s1", got, " end\n"), "\npids ")
	if !found {
		t.Fatal("no pids")
	}
	p.w.Sessions.Close()
	for _, word := range strings.Fields(got) {
		if pid, err := strconv.Atoi(word); err == nil && pid > 1 && syscall.Kill(pid, 0) == nil {
			t.Errorf("process %d lives", pid)
		}
	}
	if _, err := p.do(StartSession(p.w), `{}`); err == nil {
		t.Error("a session was started after the end")
	}
}

func TestSessionIdle(t *testing.T) {
	p := withSessions(t)
	p.start(`{"command":"cat"}`)
	s, _ := p.w.Sessions.find("s1")
	s.end("it was not used for 10m0s")
	want := "[the program ended with exit status 129: it was not used for 10m0s]"
	if got, err := p.do(ReadOutput(p.w), `{"session_id":"s1"}`); got != want || err != nil {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}
