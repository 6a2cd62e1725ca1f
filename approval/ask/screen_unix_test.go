//go:build !windows

package ask

import (
	"bytes"
	"io"
	"os"
	"os/exec"
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
)

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
	plain := strings.NewReplacer("\x1b[?2004h", "", "\x1b[?2004l", "", "\x1b[31m"+tidy, "", tidy, "").Replace(s.text())
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
