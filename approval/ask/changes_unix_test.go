//go:build !windows

package ask

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

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
	t.Run("narrower behind a pager", func(t *testing.T) {
		t.Parallel()
		s := start(t, "ask", "ASK_PAGER=stty cols 40 </dev/tty; true")
		s.answer("v\r")
		s.expect("\r\n" + strings.Repeat("=", 40) + "\r\n")
		s.answer("3\r")
		s.finish("end")
	})
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
		{"is not there", "ASK_EDITOR=/nonexistent/editor", []string{"e\r", "3\r"}, "end", "the editor: it cannot be run: exit status 127"},
		{"no text", "ASK_EDITOR=f() { printf '\\377' > $1; }; f", []string{"e\r", "3\r"}, "end", "not text in UTF-8"},
		{"removes it", "ASK_EDITOR=rm", []string{"e\r", "3\r"}, "end", "the file is gone"},
		{"a pipe instead", "ASK_EDITOR=f() { rm $1; mkfifo $1; }; f", []string{"e\r", "3\r"}, "end", "the file is gone"},
		{"pager", "ASK_PAGER=sed s/^/+/", []string{"v\r", "2\r"}, "always", "+Tool: create_file"},
		{"pager that reads nothing", "ASK_PAGER=true", []string{"v\r", "2\r"}, "always", ""},
		{"types ahead", "ASK_PAGER=f() { sleep 0.3; }; f", []string{"v\r1\r1\r", "3\r"}, "end", ""},
		{"with signals that count", `ASK_EDITOR=f() { trap "echo yes >$1" TTIN; kill -TTIN $$; }; f`, []string{"e\r"}, `edited: "yes\n"`, ""},
		{"raw", "ASK_EDITOR=stty raw -echo; exit 1;", []string{"e\r", "3\r"}, "end", "exit status 1"},
		{"leaves a colour", `ASK_PAGER=printf '\033[31m';`, []string{"v\r", "3\r"}, "end", "\x1b[31m" + tidy},
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

// A run that is ended ends the person's programs too.
func TestProgramIsEnded(t *testing.T) {
	t.Parallel()
	s := start(t, "ask", "ASK_EDITOR=f() { echo started; exec sleep 100; }; f")
	s.answer("e\r")
	s.expect("started")
	s.cmd.Process.Signal(syscall.SIGTERM)
	s.ended("error: terminated signal received")
}

// So does a terminal that is closed, also one that does not care.
func TestProgramLosesTerminal(t *testing.T) {
	t.Parallel()
	s := start(t, "ask", "ASK_EDITOR=f() { trap '' HUP; echo started; exec sleep 100; }; f")
	s.answer("e\r")
	s.expect("started")
	s.master.Close()
	s.ended("end")
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
