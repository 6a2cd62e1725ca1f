//go:build !windows

package ask

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"tricode/approval"
)

// grace is how long a program of the person's gets to end when the run does, patience how much of it even if the run is told
// again to end.
const (
	grace    = time.Second
	patience = 200 * time.Millisecond
)

// outlive makes the shell, but not what it starts, go on after Ctrl-C and its like: who ends last says how it ended.
const outlive = "trap : INT QUIT TERM HUP; "

// tidy is what a program may have left undone, above all one that was killed: it leaves the other screen, lets all of this one
// scroll, shows the cursor, ends colours, line drawing, inserting, reports of the mouse and of focus, marks of pastes and
// special keys, and breaks long lines. Whatever is in order stays as it is. See xterm's "Control Sequences".
const tidy = "\x1b[?1047l\x1b7\x1b[r\x1b8\x1b[?25h\x1b[0m\x1b(B\x0f\x1b[4l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l" +
	"\x1b[?2004l\x1b[?1l\x1b>\x1b[?7h"

// run gives the terminal to a program until it ends. Its keys are its own: it is a process group in front of the
// terminal, so that Ctrl-C ends it and not the run.
func (k *talk) run(ctx context.Context, p program) error {
	files, feed, err := p.files()
	if err != nil {
		return err
	}
	term.Restore(k.fd, k.before)
	pid, err := k.start(p, files)
	for _, f := range files[:2] {
		f.Close()
	}
	go feed()
	if err != nil {
		keysOnly(k.fd)
		return err
	}
	ended := make(chan struct{})
	quit := func() { end(pid, ended) }
	stop := context.AfterFunc(ctx, quit)
	defer stop()
	go k.hangUp(ended, quit)
	err = k.await(pid, quit)
	close(ended)
	k.mu.Lock()
	k.program = 0
	k.mu.Unlock()
	if !errors.Is(err, approval.ErrNobody) {
		k.retake(ctx)
	}
	return err
}

// hangUp quits once the terminal is lost: the system tells the program in front of it, which may not listen, and not this run.
func (t *tty) hangUp(ended <-chan struct{}, quit func()) {
	for {
		select {
		case <-ended:
			return
		case <-time.After(grace):
		}
		if _, err := t.elsewhere(); err != nil {
			quit()
			return
		}
	}
}

// start starts a program in front of the terminal. It must not inherit that signals are ignored: of those that are caught
// Go makes the default again. Should it want the terminal before it has it, await gives it once more.
func (k *talk) start(p program, files []*os.File) (pid int, err error) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, unix.SIGTTIN, unix.SIGTTOU)
	process, err := os.StartProcess("/bin/sh", append([]string{"sh", "-c", outlive + p.line + ` "$@"`, "sh"}, p.args...), &os.ProcAttr{
		Env: append(os.Environ(), p.env...), Files: files, Sys: &syscall.SysProcAttr{Setpgid: true},
	})
	signal.Stop(caught)
	signal.Ignore(unix.SIGTTIN, unix.SIGTTOU)
	if err != nil {
		return 0, err
	}
	defer process.Release()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.program = process.Pid
	k.give(process.Pid)
	return process.Pid, nil
}

// files are what a program reads and writes, and what feeds it. The terminal is opened anew: ours does not block, which
// programs do not expect.
func (p program) files() (files []*os.File, feed func(), err error) {
	fd, err := unix.Open("/dev/tty", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	tty := os.NewFile(uintptr(fd), "/dev/tty")
	if p.input == "" {
		return []*os.File{tty, tty, tty}, func() {}, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		tty.Close()
		return nil, nil, err
	}
	return []*os.File{r, tty, tty}, func() { w.WriteString(p.input); w.Close() }, nil
}

// end ends a process group that may not want to.
func end(pid int, ended <-chan struct{}) {
	unix.Kill(-pid, unix.SIGTERM)
	unix.Kill(-pid, unix.SIGCONT)
	select {
	case <-ended:
		return
	case <-time.After(patience):
	}
	again := make(chan os.Signal, 1)
	signal.Notify(again, unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT)
	defer signal.Stop(again)
	select {
	case <-ended:
		return
	case <-again: // what is left of this run may be a moment, and the terminal is given back in it
	case <-time.After(grace):
	}
	unix.Kill(-pid, unix.SIGKILL)
}

// give puts the terminal in front of a process group.
func (t *tty) give(group int) { unix.IoctlSetPointerInt(t.fd, unix.TIOCSPGRP, group) }

// retake takes the terminal back from a program. What was typed into it is not for us.
func (k *talk) retake(ctx context.Context) {
	k.give(unix.Getpgrp())
	term.Restore(k.fd, k.before) // who was killed left it as it liked it
	if ctx.Err() == nil {        // otherwise there may be no time to give it back once more
		keysOnly(k.fd)
	}
	k.forget()
	k.events.resized = true // of that only who had the terminal was told
}

// await waits for a process. When the person stops it, the run stops with it, and goes on with it. Where the person leaves
// both of them in the background it quits, and approval.ErrNobody is the error.
func (k *talk) await(pid int, quit func()) error {
	for away := false; ; {
		status, err := changed(pid)
		switch {
		case err != nil:
			return err
		case !status.Stopped() && away:
			return approval.ErrNobody
		case !status.Stopped():
			return k.ended(pid, status)
		}
		if away = away || !k.stopped(pid, status.StopSignal()); away {
			go quit()
		}
	}
}

// ended says how a process ended, and tidies up behind it.
func (k *talk) ended(pid int, status unix.WaitStatus) error {
	killed, code := status.Signal(), status.ExitStatus()
	if code > 128 { // how a shell tells of a signal (POSIX, "Exit Status and Errors")
		killed = unix.Signal(code - 128)
	}
	if killed > 0 {
		unix.Kill(-pid, unix.SIGKILL) // nothing of it may go on reading the terminal
	}
	if !k.dumb {
		io.WriteString(k, tidy)
	}
	if code == 0 {
		return nil
	}
	io.WriteString(k, "\r")
	switch {
	case killed > 0:
		return fmt.Errorf("ended by signal: %s", killed)
	case code == 126, code == 127: // the same
		return fmt.Errorf("it cannot be run: exit status %d", code)
	}
	return fmt.Errorf("exit status %d", code)
}
