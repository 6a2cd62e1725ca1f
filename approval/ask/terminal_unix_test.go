//go:build !windows

package ask

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"tricode/approval"
)

// TestMain is two programs: the tests, and the one that asks at a terminal of its own.
func TestMain(m *testing.M) {
	if mode := os.Getenv("ASK_TEST"); mode != "" {
		result := os.NewFile(4, "result")
		fmt.Fprintln(result, child(mode))
		os.Exit(0)
	}
	flag.Parse()
	flag.Set("test.parallel", "16") // they wait more than they work
	os.Exit(m.Run())
}

// child asks in one way and says what came of it.
func child(mode string) string {
	signal.Ignore(syscall.SIGHUP) // so that a closed terminal is seen as such
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if mode == "background" {
		return background()
	}
	t, err := Open(Options{Term: os.Getenv("TERM"), Editor: os.Getenv("ASK_EDITOR"), Pager: os.Getenv("ASK_PAGER"), Notify: os.Getenv("ASK_NOTIFY")})
	if err != nil {
		return told(approval.Answer{}, err)
	}
	defer t.Close()
	switch mode {
	case "line":
		first, err := t.Line(ctx, "Name\x1b[6n", "other")
		if err != nil {
			return fmt.Sprintf("%q %v", first, err)
		}
		second, err := t.Line(ctx, "Again", "")
		return fmt.Sprintf("%q %q %v", first, second, err)
	case "prompt":
		text, err := t.Prompt(ctx, "> ", []string{"earlier"})
		return fmt.Sprintf("%q %v", text, err)
	case "secret":
		return fmt.Sprintln(t.Secret(ctx, "Key"))
	case "stuck":
		syscall.Write(4, []byte("asking\n"))
	case "hostile":
		return told(t.Ask(ctx, hostile(), approval.Decision{Reason: evil, Trace: []approval.Step{{Subject: evil, Reason: evil}}}))
	}
	a := create(approval.Argument{Name: "path", Value: "example.txt"}, approval.Argument{Name: "content", Value: "Hello World"})
	a.Draft = &approval.Draft{Name: "a/example.t\x1bxt", Text: "Hello World", Input: func(text string) (string, error) { return text, nil }}
	answer, err := t.Ask(ctx, a, approval.Decision{})
	if mode == "twice" && err == nil {
		second, err := t.Ask(ctx, a, approval.Decision{})
		return told(answer, nil) + ", " + told(second, err)
	}
	return told(answer, err)
}

func told(a approval.Answer, err error) string {
	switch {
	case errors.Is(err, approval.ErrNobody):
		return "nobody"
	case err != nil:
		return "error: " + err.Error()
	case a.Choice == approval.Edited:
		return fmt.Sprintf("edited: %q", a.Input)
	case a.Reason != "":
		return fmt.Sprintf("refuse: %s", a.Reason)
	}
	return [...]string{"end", "once", "always", "refuse"}[a.Choice]
}

// background asks from a process group that is not in front.
func background() string {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "ASK_TEST=ask")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	r, w, err := os.Pipe()
	if err != nil {
		return err.Error()
	}
	cmd.ExtraFiles = []*os.File{w, w}
	if err := cmd.Run(); err != nil {
		return err.Error()
	}
	w.Close()
	out, _ := io.ReadAll(r)
	return strings.TrimSpace(string(out))
}

const evil = "x\x1b[6n\x1b]0;t\x07\u009b2J\u202e\u200b\U000e0041\u2028\x9b\r\b\x00\x1b[200~"

func hostile() *approval.Action {
	return &approval.Action{Tool: evil, Summary: evil, Preview: approval.Preview{
		Arguments: []approval.Argument{{Name: evil, Value: evil}, {Name: "b", Value: evil + "\n" + evil}},
		Sections:  []approval.Section{{Title: evil, Lines: []string{evil, "+" + evil}, Diff: true}},
	}}
}

// screen is the other end of a terminal with a child behind it.
type screen struct {
	t             *testing.T
	master, slave *os.File
	before        *term.State
	cmd           *exec.Cmd
	result        *os.File

	mu     sync.Mutex
	wire   bytes.Buffer // all that reached the terminal
	seen   int
	absent time.Time // when the latest text that was waited for was not there yet
}

// start runs the child on a new terminal.
func start(t *testing.T, mode string, env ...string) *screen {
	t.Helper()
	s := open(t)
	s.run(mode, env...)
	return s
}

// open makes a terminal that nobody uses yet.
func open(t *testing.T) *screen {
	t.Helper()
	s := &screen{t: t}
	var err error
	if s.master, s.slave, err = pty.Open(); err != nil {
		t.Fatal(err)
	}
	s.master = pollable(t, s.master)
	if err := pty.Setsize(s.master, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	if s.before, err = term.GetState(int(s.slave.Fd())); err != nil {
		t.Fatal(err)
	}
	go s.record()
	return s
}

// run runs the child with standard input full of approvals, which it must not read.
func (s *screen) run(mode string, env ...string) {
	t := s.t
	t.Helper()
	result, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s.result = result
	s.cmd = exec.Command(os.Args[0])
	s.cmd.Env = append(append(os.Environ(), "ASK_TEST="+mode, "TERM=xterm"), env...)
	s.cmd.Stdin = strings.NewReader("1\n1\n1\n")
	s.cmd.ExtraFiles = []*os.File{s.slave, w}
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	t.Cleanup(func() {
		s.cmd.Process.Kill()
		s.cmd.Wait()
		s.master.Close()
		s.slave.Close()
		s.result.Close()
	})
}

// pollable makes closing a file end a read of it, which a terminal as pty.Open returns it does not do.
func pollable(t *testing.T, f *os.File) *os.File {
	t.Helper()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	return os.NewFile(uintptr(fd), f.Name())
}

func (s *screen) record() {
	buf := make([]byte, 4096)
	for {
		n, err := s.master.Read(buf)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.wire.Write(buf[:n])
		s.mu.Unlock()
	}
}

// appears waits for the text behind what was expected before.
func (s *screen) appears(text string, within time.Duration) bool {
	for deadline := time.Now().Add(within); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		looked := time.Now()
		if i := strings.Index(s.text()[s.seen:], text); i >= 0 {
			s.seen += i + len(text)
			return true
		}
		s.absent = looked
	}
	return false
}

func (s *screen) expect(text string) {
	s.t.Helper()
	if !s.appears(text, time.Minute) {
		s.t.Fatalf("%q does not appear in %q", text, s.text()[s.seen:])
	}
}

func (s *screen) send(keys string) {
	s.t.Helper()
	if _, err := io.WriteString(s.master, keys); err != nil {
		s.t.Fatal(err)
	}
}

// answer waits for the question and answers it.
func (s *screen) answer(keys string) {
	s.t.Helper()
	s.expect(prompt)
	s.press(keys, "\r\n")
}

// press sends keys when they count, and waits for what they print. On a busy machine that may be later than expected; then
// they were for nobody and are sent again.
func (s *screen) press(keys, echo string) {
	s.t.Helper()
	for range 10 {
		time.Sleep(deaf + 3*pause)
		s.send(keys)
		if s.appears(echo, 5*time.Second) {
			return
		}
	}
	s.t.Fatalf("%q is no answer; on the screen %q", keys, s.text())
}

// finish waits for the child's result and holds that the terminal is as it was and got nothing raw.
func (s *screen) finish(want string) {
	s.t.Helper()
	s.ended(want)
	if after, err := term.GetState(int(s.slave.Fd())); err != nil || !reflect.DeepEqual(after, s.before) {
		s.t.Errorf("the terminal is left as %+v, %v; want %+v", after, err, s.before)
	}
	const end = "<the end>"
	io.WriteString(s.slave, end)
	s.expect(end)
	plain := strings.NewReplacer("\x1b[?2004h", "", "\x1b[?2004l", "").Replace(s.text())
	for i, r := range plain {
		if r != '\r' && r != '\n' && r != '\b' && r != '\ufe0f' && !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			s.t.Errorf("%U reached the terminal in %q", r, plain[max(0, i-20):])
		}
	}
}

func (s *screen) ended(want string) {
	s.t.Helper()
	s.result.SetReadDeadline(time.Now().Add(time.Minute))
	out, err := io.ReadAll(s.result)
	if got := strings.TrimSpace(string(out)); got != want || err != nil {
		s.t.Errorf("result %q, %v; want %q; on the screen %q", got, err, want, s.text())
	}
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wire.String()
}

func TestAnswers(t *testing.T) {
	tests := []struct {
		name    string
		answers []string // one for each time the prompt appears
		want    string
	}{
		{"1", []string{"1\r"}, "once"},
		{"2", []string{"2\r"}, "always"},
		{"3", []string{"3\r"}, "end"},
		{"refuse", []string{"n wrong file\r"}, "refuse: wrong file"},
		{"correction", []string{"n x\x7fy\b1\x7f\x7f\x7f\x7f\x7f1\r"}, "once"},
		{"enter alone", []string{"\r", "1\r"}, "once"},
		{"nonsense", []string{"yes\r", "11\r", "\n", "3\r"}, "end"},
		{"help", []string{"?\r", "2\r"}, "always"},
		{"all and why", []string{"v\r", "w\r", "1\r"}, "once"},
		{"ctrl-c", []string{"\x03"}, "end"},
		{"ctrl-c behind an answer", []string{"1\x03"}, "end"},
		{"ctrl-d", []string{"\x04"}, "end"},
		{"ctrl-d behind an answer", []string{"1\x04"}, "end"},
		{"ctrl-z with no shell to go to", []string{"\x1a1\r", "\x1c1\r"}, "once"},
		{"function keys", []string{"\x1b[15~\x1bOP\x1b[A\x1b[1;5C1\r"}, "once"},
		{"alt", []string{"\x1bx1\r"}, "once"},
		{"reports", []string{"\x1b[24;80R\x1b]11;rgb:1/1/1\x071\x1b]10;1\x1b\\\r"}, "once"},
		{"bracketed paste", []string{"\x1b[200~1\r1\r\x1b[201~3\r"}, "end"},
		{"paste of nonsense and an answer", []string{"foo\r1\r1\r", "3\r"}, "end"},
		{"long answer", []string{"n " + strings.Repeat("x", 500) + "\r"}, "refuse: " + strings.Repeat("x", 500)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, "ask")
			for _, keys := range tt.answers {
				s.answer(keys)
			}
			s.finish(tt.want)
		})
	}
}

func TestMenuOnTheWire(t *testing.T) {
	t.Parallel()
	s := start(t, "ask", "TERM=dumb")
	s.answer("1\r")
	s.finish("once")
	if got, want := s.text(), strings.ReplaceAll(menu, "\n", "\r\n")+prompt+"1\r\n<the end>"; got != want {
		t.Errorf("on the wire %q; want %q", got, want)
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	s := start(t, "hostile")
	for _, keys := range []string{"v\r", "w\r", "?\r", "3\r"} {
		s.answer(keys)
	}
	s.finish("end")
}

func TestWhatCameBefore(t *testing.T) {
	t.Run("the question", func(t *testing.T) {
		t.Parallel()
		s := open(t)
		s.send("1\r1\r1")
		s.run("ask")
		s.answer("3\r")
		s.finish("end")
	})
	t.Run("anybody could read it", func(t *testing.T) {
		t.Parallel()
		for range 100 { // until this test was fast enough itself
			s := start(t, "ask")
			s.expect(prompt)
			asked := s.absent
			s.send("1\r")
			time.Sleep(150 * time.Millisecond)
			s.send("1\r")
			if time.Since(asked) < deaf {
				s.press("3\r", "\r\n")
				s.finish("end")
				return
			}
		}
		t.Error("this machine is never fast enough to type too early")
	})
	t.Run("interrupt counts at once", func(t *testing.T) {
		t.Parallel()
		s := start(t, "ask")
		s.expect(prompt)
		for range 100 { // until it is read: what came before that was for something else
			time.Sleep(50 * time.Millisecond)
			if s.send("\x03"); s.appears("\r\n", time.Second) {
				break
			}
		}
		s.finish("end")
	})
	t.Run("the second question", func(t *testing.T) {
		t.Parallel()
		s := start(t, "twice")
		s.answer("2\r1\r1\r1\r")
		s.answer("3\r")
		s.finish("always, end")
	})
}

// What is on the screen is put anew where it does not fit any more, or where somebody else had the terminal; what was typed
// into the old one does not count.
func TestPutAnew(t *testing.T) {
	changes := map[string]func(s *screen){
		"narrower": func(s *screen) { pty.Setsize(s.master, &pty.Winsize{Rows: 24, Cols: 40}) },
		"continued": func(s *screen) {
			s.cmd.Process.Signal(syscall.SIGSTOP)
			time.Sleep(50 * time.Millisecond)
			s.cmd.Process.Signal(syscall.SIGCONT)
		},
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, "ask")
			s.expect(prompt)
			s.press("1", "1")
			change(s)
			s.expect("\r\n===")
			s.send("\r")
			s.answer("3\r")
			if got := strings.Contains(s.text(), "\r\n"+strings.Repeat("=", 40)+"\r\n"); got != (name == "narrower") {
				t.Errorf("bars of 40: %v in %q", got, s.text())
			}
			s.finish("end")
		})
	}
	t.Run("wider is well", func(t *testing.T) {
		t.Parallel()
		s := start(t, "ask")
		s.expect(prompt)
		pty.Setsize(s.master, &pty.Winsize{Rows: 24, Cols: 200})
		time.Sleep(2 * settled)
		s.press("1\r", "\r\n")
		s.finish("once")
	})
}

// The person's programs have the terminal as they expect it, and leave nothing behind in it.
func TestPrograms(t *testing.T) {
	tests := []struct {
		name    string
		env     string
		answers []string
		want    string
		wire    string
	}{
		{"editor", "ASK_EDITOR=sed -i s/World/you/", []string{"e\r"}, `edited: "Hello you"`, ""},
		{"with a terminal of its own", "ASK_EDITOR=stty -a | grep -q ' icanon' && test -t 0 && sed -i s/World/me/", []string{"e\r"}, `edited: "Hello me"`, ""},
		{"a plain name", "ASK_EDITOR=f() { echo $1 | grep -q '/edit$' && echo new > $1; }; f", []string{"e\r"}, `edited: "new\n"`, ""},
		{"the line end of an editor", "ASK_EDITOR=f() { echo >> $1; }; f", []string{"e\r", "1\r"}, "once", "Nothing was changed."},
		{"fails", "ASK_EDITOR=exit 2;", []string{"e\r", "3\r"}, "end", "the editor: exit status 2"},
		{"is not there", "ASK_EDITOR=/nonexistent/editor", []string{"e\r", "3\r"}, "end", "the editor: exit status 127"},
		{"no text", "ASK_EDITOR=f() { printf '\\377' > $1; }; f", []string{"e\r", "3\r"}, "end", "not text in UTF-8"},
		{"removes it", "ASK_EDITOR=rm", []string{"e\r", "3\r"}, "end", "the file is gone"},
		{"a pipe instead", "ASK_EDITOR=f() { rm $1; mkfifo $1; }; f", []string{"e\r", "3\r"}, "end", "the file is gone"},
		{"pager", "ASK_PAGER=sed s/^/+/", []string{"v\r", "2\r"}, "always", "+Tool: create_file"},
		{"pager that reads nothing", "ASK_PAGER=true", []string{"v\r", "2\r"}, "always", ""},
		{"types ahead", "ASK_PAGER=f() { sleep 0.3; }; f", []string{"v\r1\r1\r", "3\r"}, "end", ""},
		{"raw", "ASK_EDITOR=stty raw -echo; exit 1;", []string{"e\r", "3\r"}, "end", "exit status 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, "ask", tt.env)
			for _, keys := range tt.answers {
				s.answer(keys)
			}
			s.finish(tt.want)
			if !strings.Contains(s.text(), tt.wire) {
				t.Errorf("no %q in %q", tt.wire, s.text())
			}
		})
	}
}

// The terminal tells of each question once, before it is there; a dumb one gets nothing but text.
func TestNotify(t *testing.T) {
	t.Parallel()
	for _, term := range []string{"xterm", "dumb"} {
		s := start(t, "twice", "ASK_NOTIFY=\a", "TERM="+term)
		s.answer("v\r")
		s.answer("1\r")
		s.answer("3\r")
		s.ended("once, end")
		want := map[string]int{"xterm": 2, "dumb": 0}[term]
		if got := strings.Count(s.text(), "\a"); got != want || want > 0 && !strings.HasPrefix(s.text(), "\a===") {
			t.Errorf("%s: %d bells in %q; want %d", term, got, s.text(), want)
		}
	}
}

// A run that is ended ends the person's programs too.
func TestProgramIsEnded(t *testing.T) {
	t.Parallel()
	s := start(t, "ask", "ASK_EDITOR=f() { echo started; exec sleep 100; }; f")
	s.answer("e\r")
	s.expect("started")
	s.cmd.Process.Signal(syscall.SIGTERM)
	s.ended("error: terminated signal received")
}

func TestTerminalIsLost(t *testing.T) {
	t.Parallel()
	s := start(t, "ask")
	s.expect(prompt)
	s.master.Close()
	s.ended("end")
}

func TestTerminated(t *testing.T) {
	t.Parallel()
	s := start(t, "ask")
	s.expect(prompt)
	time.Sleep(50 * time.Millisecond)
	s.cmd.Process.Signal(syscall.SIGTERM)
	s.expect("\x1b[?2004l")
	s.finish("error: terminated signal received")
}

// TestStuck holds that a terminal that takes nothing can be left.
func TestStuck(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.send("\x13") // Ctrl-S
	s.run("stuck")
	if told, err := bufio.NewReaderSize(s.result, 16).ReadString('\n'); err != nil {
		t.Fatal(told, err)
	}
	time.Sleep(300 * time.Millisecond) // it writes
	s.cmd.Process.Signal(syscall.SIGTERM)
	s.ended("error: terminated signal received")
	s.send("\x11") // Ctrl-Q
	s.finish("")
}

func TestNobody(t *testing.T) {
	t.Run("in the background", func(t *testing.T) {
		t.Parallel()
		s := start(t, "background")
		s.finish("nobody")
		if got := s.text(); got != "<the end>" {
			t.Errorf("on the screen: %q", got)
		}
	})
	t.Run("no terminal", func(t *testing.T) {
		t.Parallel()
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "ASK_TEST=ask")
		cmd.ExtraFiles = []*os.File{w, w}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		w.Close()
		if out, err := io.ReadAll(r); string(out) != "nobody\n" {
			t.Errorf("result %q, %v; want nobody", out, err)
		}
	})
}

func TestLine(t *testing.T) {
	tests := []struct{ name, keys, want string }{
		{"typed", "abc\x7fd\rzwei\r", `"abd" "zwei" <nil>`},
		{"default", "\r\r", `"other" "" <nil>`},
		{"pasted", "\x1b[200~a b\x1b[201~\r\x1b[200~c\r\x1b[201~\r", `"a b" "c" <nil>`},
		{"ctrl-c", "abc\x03", `"" interrupted`},
		{"ctrl-d", "\x04", `"" interrupted`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, "line")
			s.expect(`Name\x1b[6n [other]: `)
			s.send(tt.keys)
			s.finish(tt.want)
		})
	}
}

func TestSecret(t *testing.T) {
	t.Parallel()
	s := start(t, "secret")
	s.expect("Key: ")
	s.send("\x1b[200~sk-geheim\x1b[201~\r")
	s.finish("sk-geheim <nil>")
	if strings.Contains(s.text(), "geheim") {
		t.Errorf("the secret is on the screen: %q", s.text())
	}
}
