//go:build unix

package examples

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"
)

// patience bounds how long a step waits for its text.
const patience = time.Minute

func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// screen collects what a program writes to its terminal.
type screen struct {
	mu      sync.Mutex
	text    bytes.Buffer
	seen    int // what earlier steps waited for
	changed chan struct{}
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	s.text.Write(p)
	s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default:
	}
	return len(p), nil
}

// find reports whether the text came after what was found before.
func (s *screen) find(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := bytes.Index(s.text.Bytes()[s.seen:], []byte(text))
	if i >= 0 {
		s.seen += i + len(text)
	}
	return i >= 0
}

func (s *screen) wait(text string) error {
	deadline := time.After(patience)
	for !s.find(text) {
		select {
		case <-s.changed:
		case <-deadline:
			return fmt.Errorf("%q did not appear", text)
		}
	}
	return nil
}

// tty runs a program on a terminal of its own and follows the steps:
//
//	expect TEXT      waits until TEXT appears
//	type "TEXT"      types TEXT, a Go string
//	answer "TEXT"    types TEXT at a question, where what comes too early does not count
//	pause 400ms      waits
//	size 40          makes the terminal so many columns wide; the first step, before the program starts
//	signal INT       sends a signal to the program
//	hangup           closes the terminal
//	sh LINE          gives a line to a shell beside the program, and shows what it prints on the screen
func tty(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: tty STATUS STEPS CMD ARG...")
	}
	steps := strings.ReplaceAll(ts.ReadFile(args[1]), "$SERVER", ts.Getenv("SERVER"))
	cmd := command(ts, args[2:])
	blocking, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: firstColumns(steps)})
	ts.Check(err)
	master, err := pollable(blocking)
	ts.Check(err)
	s := &screen{changed: make(chan struct{}, 1)}
	drained := make(chan struct{})
	go func() {
		for n := int64(1); n > 0; { // Linux may tell the end, as an error, before the last that was written
			n, _ = io.Copy(s, master)
		}
		close(drained)
	}()
	failed := follow(s, master, cmd, steps)
	if failed != nil {
		cmd.Process.Kill()
	}
	overdue := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	err = cmd.Wait()
	overdue.Stop()
	select {
	case <-drained:
	case <-time.After(10 * time.Second): // something the program started still has the terminal
	}
	master.Close()
	io.WriteString(ts.Stdout(), strings.ReplaceAll(s.text.String(), "\r\n", "\n"))
	ts.Check(failed)
	checkStatus(ts, args[0], err)
}

// firstColumns is how wide the terminal is when the program starts.
func firstColumns(steps string) uint16 {
	columns := uint16(100)
	fmt.Sscanf(steps, "size %d\n", &columns)
	return columns
}

// pollable replaces the blocking file of a terminal by one whose Close ends a Read that is under way.
func pollable(blocking *os.File) (*os.File, error) {
	defer blocking.Close()
	fd, err := syscall.Dup(int(blocking.Fd()))
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	if err := syscall.SetNonblock(fd, true); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "terminal"), nil
}

// answer types at a question. For a moment after that appeared nothing counts that is typed, and on a busy machine the
// moment may begin late: what changes nothing on the screen did not count and is typed again.
func (s *screen) answer(master *os.File, quoted string) error {
	const moment, reaction = 400 * time.Millisecond, 10 * time.Second
	text, err := strconv.Unquote(quoted)
	for range 5 {
		if err != nil {
			return err
		}
		time.Sleep(moment)
		before := s.size()
		if _, err = master.WriteString(text); err == nil && s.grows(before, reaction) {
			return nil
		}
	}
	return fmt.Errorf("nothing answers: %w", err)
}

func (s *screen) size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Len()
}

// grows reports whether the screen shows more than before, within a time.
func (s *screen) grows(before int, within time.Duration) bool {
	for end := time.Now().Add(within); s.size() == before; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

func follow(s *screen, master *os.File, cmd *exec.Cmd, steps string) error {
	for lines := bufio.NewScanner(strings.NewReader(steps)); lines.Scan(); {
		verb, rest, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		if err := step(s, master, cmd, verb, rest); err != nil {
			return fmt.Errorf("%s: %w", lines.Text(), err)
		}
	}
	return nil
}

func step(s *screen, master *os.File, cmd *exec.Cmd, verb, rest string) error {
	switch verb {
	case "":
		return nil
	case "expect":
		return s.wait(rest)
	case "type":
		text, err := strconv.Unquote(rest)
		if err == nil {
			_, err = master.WriteString(text)
		}
		return err
	case "answer":
		return s.answer(master, rest)
	case "pause":
		d, err := time.ParseDuration(rest)
		time.Sleep(d)
		return err
	case "size":
		columns, err := strconv.Atoi(rest)
		if err != nil {
			return err
		}
		return pty.Setsize(master, &pty.Winsize{Rows: 50, Cols: uint16(columns)})
	case "signal":
		signals := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "KILL": syscall.SIGKILL}
		return cmd.Process.Signal(signals[rest])
	case "hangup":
		return master.Close()
	case "sh":
		beside := exec.Command("sh", "-c", rest)
		beside.Dir, beside.Env = cmd.Dir, cmd.Env
		out, err := beside.CombinedOutput()
		s.Write(out)
		return err
	}
	return fmt.Errorf("no such step")
}
