//go:build unix

package sandbox

import (
	"io"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// screen collects what a terminal shows.
type screen struct {
	t     *testing.T
	shown strings.Builder
	news  chan string
}

func watch(t *testing.T, term *Terminal) *screen {
	s := &screen{t: t, news: make(chan string, 100)}
	go func() {
		defer close(s.news)
		buffer := make([]byte, 1<<10)
		for {
			n, err := term.Read(buffer)
			if n > 0 {
				s.news <- string(buffer[:n])
			}
			if err != nil {
				if err != io.EOF {
					t.Error(err)
				}
				return
			}
		}
	}()
	return s
}

// expect waits until a text is shown, or until the end if it is empty.
func (s *screen) expect(text string) string {
	s.t.Helper()
	timeout := time.After(time.Minute)
	for text == "" || !strings.Contains(s.shown.String(), text) {
		select {
		case more, ok := <-s.news:
			s.shown.WriteString(more)
			if !ok {
				if text != "" {
					s.t.Fatalf("ended without %q: %q", text, &s.shown)
				}
				return s.shown.String()
			}
		case <-timeout:
			s.t.Fatalf("no %q in %q", text, &s.shown)
		}
	}
	before, after, _ := strings.Cut(s.shown.String(), text)
	s.shown.Reset()
	s.shown.WriteString(after)
	return before + text
}

func start(t *testing.T, b *Box, args ...string) *Terminal {
	t.Helper()
	term, err := b.Start(t.Context(), Cmd{Args: args, Env: []string{"PS1=$ "}})
	if err != nil {
		t.Fatal(err)
	}
	return term
}

func TestTerminal(t *testing.T) {
	term := start(t, box(t, ""), "sh", "-c", "test -t 0 && test -t 1 && echo ready; read x; echo got $x; stty size; exec sleep 100")
	s := watch(t, term)
	s.expect("ready")
	if n, err := term.Type([]byte("hello\n"), time.Minute); n != 6 || err != nil {
		t.Error(n, err)
	}
	s.expect("got hello")
	s.expect("50 200")
	if _, err := term.Type([]byte{3}, time.Minute); err != nil { // ^C
		t.Error(err)
	}
	<-term.Done()
	s.expect("")
	if got := term.Status(); got != 130 {
		t.Errorf("status %d", got)
	}
	if _, err := term.Type([]byte("x"), time.Minute); err == nil {
		t.Error("typed into a program that has ended")
	}
	if err := term.Close(); err != nil {
		t.Error(err)
	}
}

// Nothing stays of a session: neither jobs of a shell, which have groups of their own, nor what left the session,
// nor what does not want to go.
func TestTerminalClose(t *testing.T) {
	for _, job := range []string{
		"sleep 100 & echo pid=$!.",
		"nohup sleep 100 >/dev/null 2>&1 & echo pid=$!.",
		"trap '' HUP TERM; (trap '' HUP TERM; sleep 100) & echo pid=$!.",
		"setsid sh -c 'echo pid=$$.; exec sleep 100' &",
		"exec sh -c 'trap \"\" HUP TERM; echo pid=$$.; while :; do sleep 100; done'",
	} {
		term := start(t, box(t, ""), "bash", "--norc", "--noediting", "-i")
		s := watch(t, term)
		if _, err := term.Type([]byte(job+"\n"), time.Minute); err != nil {
			t.Fatal(err)
		}
		var pid int
		for shown := ""; pid == 0; {
			shown += s.expect(".")
			for _, part := range strings.Split(shown, "pid=")[1:] {
				digits, _, _ := strings.Cut(part, ".")
				pid, _ = strconv.Atoi(digits)
			}
		}
		begun := time.Now()
		if err := term.Close(); err != nil || time.Since(begun) > time.Minute {
			t.Errorf("%s: %v after %v", job, err, time.Since(begun))
		}
		if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
			t.Errorf("%s: process %d lives", job, pid)
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

func TestTerminalForeground(t *testing.T) {
	term := start(t, box(t, ""), "bash", "--norc", "--noediting", "-i")
	s := watch(t, term)
	s.expect("$ ")
	if !term.Foreground() {
		t.Error("the shell is not in the foreground")
	}
	term.Type([]byte("cat\nx\n"), time.Minute)
	s.expect("x\r\nx\r\n")
	if term.Foreground() {
		t.Error("the shell is in the foreground beside cat")
	}
	term.Type([]byte{4}, time.Minute) // ^D
	s.expect("$ ")
	if !term.Foreground() {
		t.Error("the shell is not in the foreground again")
	}
}

// A program that does not read cannot keep anybody waiting, and no line is cut silently.
func TestTerminalTypeTooMuch(t *testing.T) {
	term := start(t, box(t, ""), "sh", "-c", "stty raw -echo; echo ready; exec sleep 100")
	watch(t, term).expect("ready")
	if n, err := term.Type(make([]byte, 1<<20), time.Second); n == 0 || n == 1<<20 || err == nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	term = start(t, box(t, ""), "cat")
	if n, err := term.Type(make([]byte, 5000), time.Minute); n != 0 || err == nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func TestTerminalBoxCloses(t *testing.T) {
	b := &Box{}
	term := start(t, b, "sleep", "100")
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	<-term.Done()
	if got := term.Status(); got != 143 {
		t.Errorf("status %d", got)
	}
	if err := term.Close(); err != nil {
		t.Error(err)
	}
	if _, err := b.Start(t.Context(), Cmd{Args: []string{"true"}}); err == nil {
		t.Error("a closed Box starts programs")
	}
}
