//go:build unix

package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"tricode/approval"
	"tricode/workdir"
	"tricode/workdir/sandbox"
)

func TestRunCommand(t *testing.T) {
	for _, test := range []struct {
		command, want string
		asked         int
	}{
		{"cat a", "one\ntwo\n", 0},
		{"wc -l < a", "2\n", 0},
		{"true", "(no output)", 0},
		{"ls -a no-such-file", "ls: cannot access 'no-such-file': No such file or directory\nexit status 2", 0},
		{"echo -n x; exit 3", "x\nexit status 3", 0},
		{"kill -9 $$", "exit status 137", 1},
		{"printf 'a\\0\\0b\\xffc'", "a\uFFFDb\uFFFDc", 0},
		{"echo out; echo err >&2; echo out >&1", "out\nerr\nout\n", 0},
		{"echo new > b && cat b", "new\n", 1},
		{"sh -c 'echo hi'", "hi\n", 1},
		{"no-such-program", "bash: no-such-program: command not found\nexit status 127", 1},
		{"cat <<< \"$TRICODE_TEST_KEY\"", "\n", 0},
	} {
		t.Setenv("TRICODE_TEST_KEY", "secret")
		p := newPlace(t, map[string]string{"a": "one\ntwo\n"})
		got, err := p.do(RunCommand(p.w), object("command", test.command))
		got = strings.ReplaceAll(got, p.bash()+": line", "bash: line")
		if err != nil || got != test.want || p.yes.asked > 0 && test.asked == 0 {
			t.Errorf("%s: %q, %v, asked %d times; want %q, %d", test.command, got, err, p.yes.asked, test.want, test.asked)
		}
	}
}

func (p *place) bash() string {
	at, err := p.w.Box.LookPath("bash")
	if err != nil {
		p.t.Fatal(err)
	}
	return at
}

func TestRunCommandMistakes(t *testing.T) {
	for args, want := range map[string]string{
		`{}`:                             "command: missing",
		`{"command":" \n"}`:              "command: is empty",
		`{"command":"a\u0000b"}`:         "command: has a NUL byte",
		`{"command":"ls","timeout":0}`:   "timeout: 0 is not between 1 and 600",
		`{"command":"ls","timeout":601}`: "timeout: 601 is not between 1 and 600",
		object("command", strings.Repeat("x", 200_000)): "command: has 200000 bytes, 131071 are possible",
	} {
		p := newPlace(t, nil)
		if _, err := p.do(RunCommand(p.w), args); err == nil || err.Error() != want {
			t.Errorf("%.40s: %v, want %s", args, err, want)
		}
	}
}

func TestRunCommandDecisions(t *testing.T) {
	for _, test := range []struct {
		mode    approval.Mode
		command string
		asked   int
		denied  bool
	}{
		{approval.ModeAsk, "cat a", 0, false},
		{approval.ModeAsk, "touch b", 1, false},
		{approval.ModeAsk, "> b", 1, false},
		{approval.ModeAcceptEdits, "> b", 1, false}, // a file tool would not be asked about here
		{approval.ModeAcceptEdits, "echo x > b", 1, false},
		{approval.ModeAsk, "echo x > ../b", 0, true},
		{approval.ModeAsk, "echo x > .git/config", 0, true},
		{approval.ModePlan, "touch b", 0, true},
		{approval.ModePlan, "cat a", 0, false},
		{approval.ModeBypass, "touch b", 0, false},
		{approval.ModeBypass, "rm -rf .", 1, false},
	} {
		p := newPlace(t, map[string]string{"a": "", ".git/": ""})
		p.gate.Policy.Mode = test.mode
		_, err := p.do(RunCommand(p.w), object("command", test.command))
		var denied *approval.Denied
		if errors.As(err, &denied) != test.denied || p.yes.asked != test.asked || !test.denied && err != nil {
			t.Errorf("mode %v, %q: %v, asked %d times; want denied %v, asked %d", test.mode, test.command, err, p.yes.asked, test.denied, test.asked)
		}
	}
}

// What changes between question and answer makes the call stale, and nothing runs.
func TestRunCommandStale(t *testing.T) {
	for name, test := range map[string]struct {
		command   string
		meanwhile func(p *place)
	}{
		"program":       {"./tool", func(p *place) { p.put("tool", "#!/bin/sh\ntouch evil\n") }},
		"program gone":  {"./tool", func(p *place) { os.Remove(p.dir + "/tool") }},
		"link":          {"touch link", func(p *place) { os.Remove(p.dir + "/link"); p.put("link", "-> b") }},
		"glob":          {"rm *.txt", func(p *place) { p.put("more.txt", "") }},
		"a file so far": {"echo x > new", func(p *place) { p.put("new", "") }},
	} {
		p := newPlace(t, map[string]string{"tool": "#!/bin/sh\ntouch evil\n", "link": "-> a", "a": "", "b": "", "x.txt": ""})
		os.Chmod(p.dir+"/tool", 0o755)
		before := p.names()
		p.yes.meanwhile = func() { test.meanwhile(p); before = p.names() }
		_, err := p.do(RunCommand(p.w), object("command", test.command))
		if !errors.Is(err, approval.ErrStale) || p.yes.asked != 1 || p.names() != before {
			t.Errorf("%s: %v, asked %d times, files %s", name, err, p.yes.asked, p.names())
		}
	}
}

func TestRunCommandTimeout(t *testing.T) {
	p := newPlace(t, nil)
	start := time.Now()
	got, err := p.do(RunCommand(p.w), object("command", "echo begun; sleep 100", "timeout", 3))
	if want := "begun\ntimed out after 3 s; the program was stopped"; got != want || err != nil || time.Since(start) > time.Minute {
		t.Errorf("%q, %v after %v; want %q", got, err, time.Since(start), want)
	}
}

func TestRunCommandInterrupted(t *testing.T) {
	p := newPlace(t, nil)
	a, err := RunCommand(p.w).Plan(t.Context(), json.RawMessage(object("command", "echo begun; sleep 100")))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	got, err := p.gate.Do(ctx, a, writerFunc(func() { cancel(stop) }))
	if got.Text != "begun\n" || err != stop {
		t.Errorf("%q, %v", got.Text, err)
	}
}

// writerFunc is called for each Write.
type writerFunc func()

func (f writerFunc) Write(p []byte) (int, error) {
	f()
	return len(p), nil
}

func TestRunCommandPreview(t *testing.T) {
	p := newPlace(t, map[string]string{"a": "", "Makefile": "", "sub/b": ""})
	a, err := RunCommand(p.w).Plan(t.Context(), json.RawMessage(object("command", "make 'a b' > log; rm -r sub\ncurl https://example.com")))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, s := range a.Preview.Sections {
		text.WriteString("[" + s.Title + "]\n" + strings.Join(s.Lines, "\n") + "\n" + strings.Join(s.Notes, "\n") + "\n")
	}
	for _, want := range []string{"[Runs]\nmake 'a b'\nrm -r sub\ncurl https://example.com\n/", "runs code of the project", "/rm;", "reaches the network", "[Changes]\nlog\n", "[Would be deleted]\n1 file, 0 B and 1 directory, not tracked by git\nsub/ (and all in it)\nsub/b\n", "[Work directory]\n" + p.dir} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
	if want := "run make 'a b' > log; rm -r sub (and 1 more line)"; a.Summary != want {
		t.Errorf("summary is %q, want %q", a.Summary, want)
	}
}

func TestRunCommandMuchOutput(t *testing.T) {
	p := newPlace(t, nil)
	outputs := p.withOutputs()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := p.do(RunCommand(p.w), object("command", "echo first; yes 'a line' | head -n 30000000; echo last"))
	runtime.ReadMemStats(&after)
	if err != nil || !strings.HasPrefix(got, "first\na line\n") || !strings.HasSuffix(got, "\na line\nlast\n") ||
		!strings.Contains(got, "the first 67108864 bytes are in "+outputs+"/output-1.txt ...]\n") || len(got) > shownHead+shownTail+300 {
		t.Errorf("%v, %d bytes: %.30q ... %.200q", err, len(got), got, got[min(len(got), 8180):])
	}
	if grown := after.Sys - before.Sys; after.Sys > before.Sys && grown > 15<<20 {
		t.Errorf("memory grew by %d bytes", grown)
	}
	data, err := os.ReadFile(outputs + "/output-1.txt")
	if err != nil || len(data) != keptOutput || !bytes.HasPrefix(data, []byte("first\na line\n")) {
		t.Errorf("%d bytes are kept, %v", len(data), err)
	}
}

// runIn returns a function that runs a command in a World with nobody to ask, and the directory of its outputs.
func runIn(b *testing.B) (run func(args string), outputs string) {
	dir, err := workdir.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	outputs = b.TempDir()
	kept, err := workdir.Open(outputs)
	if err != nil {
		b.Fatal(err)
	}
	box := &sandbox.Box{Dir: dir.Name()}
	b.Cleanup(func() { box.Close(); dir.Close(); kept.Close() })
	tool := RunCommand(World{Dir: dir, Outputs: kept, Box: box})
	gate := &approval.Gate{Policy: approval.Policy{WorkDir: dir.Name(), Mode: approval.ModeBypass}}
	return func(args string) {
		a, err := tool.Plan(b.Context(), json.RawMessage(args))
		if err == nil {
			_, err = gate.Do(b.Context(), a, io.Discard)
		}
		if err != nil {
			b.Fatal(err)
		}
	}, outputs
}

func BenchmarkRunCommand(b *testing.B) {
	run, _ := runIn(b)
	b.ReportAllocs()
	for b.Loop() {
		run(`{"command":"echo hi"}`)
	}
}

func BenchmarkRunCommandMuchOutput(b *testing.B) {
	run, outputs := runIn(b)
	for b.Loop() {
		run(`{"command":"head -c 200000000 /dev/zero"}`)
		os.Remove(outputs + "/output-1.txt")
	}
}

// The person is told how a program ended that did not end well.
func TestRunCommandNote(t *testing.T) {
	for command, want := range map[string]string{"true": "", "exit 3": "exit status 3", "sleep 5": "timed out after 1 s; the program was stopped"} {
		p := newPlace(t, nil)
		a, err := RunCommand(p.w).Plan(t.Context(), json.RawMessage(object("command", command, "timeout", 1)))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.gate.Do(t.Context(), a, io.Discard); got.Note != want || err != nil {
			t.Errorf("%s: note %q, %v; want %q", command, got.Note, err, want)
		}
	}
}

// A person may write a line anew, in an editor that ends it with a line end.
func TestLineDrafts(t *testing.T) {
	p := newPlace(t, nil)
	for _, tt := range []struct {
		tool               Tool
		args, text         string
		name, field, input string
	}{
		{RunCommand(p.w), `{"command":"ls","timeout":5}`, "ls", "command.sh", "command", `{"command":"pwd","timeout":5}`},
		{FetchURL(p.w), `{"url":"https://go.dev"}`, "https://go.dev", "url.txt", "url", `{"url":"pwd","timeout":30}`},
	} {
		a, err := tt.tool.Plan(t.Context(), json.RawMessage(tt.args))
		if err != nil {
			t.Fatal(err)
		}
		d := a.Draft
		if input, err := d.Input("pwd\n"); d.Name != tt.name || d.Text != tt.text || input != tt.input || err != nil {
			t.Errorf("%s: %s with %q; Input = %s, %v", tt.tool.Name, d.Name, d.Text, input, err)
		}
		if _, err := d.Input("\n"); err == nil || err.Error() != tt.field+": is empty" {
			t.Errorf("%s: %v", tt.tool.Name, err)
		}
	}
}
