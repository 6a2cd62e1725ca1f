//go:build !windows

package ask

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"tricode/approval"
)

// guard makes SIGTSTP do, wherever it comes from, what it does to other programs. It is caught, because nobody but this run
// can give the terminal back as it was; and Go, once it has caught it, does not let it stop the run any more.
func (t *tty) guard() {
	for range t.stops {
		t.mu.Lock()
		switch {
		case t.program > 0: // it stops as it likes to, and the run with it
			unix.Kill(-t.program, unix.SIGTSTP)
		case t.talk != nil:
			t.talk.tell(unix.SIGTSTP)
		default:
			stop()
		}
		t.mu.Unlock()
	}
}

// stop stops this run with its process group, as Ctrl-Z does anywhere else, until it is continued. It reports whether there
// is a shell that could do that; otherwise nothing is stopped.
func stop() bool {
	if !heard() {
		return false
	}
	c := make(chan os.Signal, 1)
	signal.Notify(c, unix.SIGCONT)
	defer signal.Stop(c)
	unix.Kill(0, unix.SIGSTOP)
	select {
	case <-c:
	case <-time.After(settled): // the first process of a container is not stopped
	}
	return true
}

// heard reports whether a shell would hear that this process group was stopped. The system knows: it stops no others by
// SIGTSTP (POSIX, "orphaned process group"). So a child tries.
func heard() bool {
	p, err := os.StartProcess("/bin/sh", []string{"sh", "-c", "kill -TSTP $$"}, &os.ProcAttr{})
	if err != nil {
		return false
	}
	defer p.Release()
	status, err := changed(p.Pid)
	if err != nil || !status.Stopped() {
		return false
	}
	unix.Kill(p.Pid, unix.SIGKILL)
	changed(p.Pid)
	return true
}

// changed waits until a child ends or is stopped.
func changed(pid int) (status unix.WaitStatus, err error) {
	for {
		if _, err = unix.Wait4(pid, &status, unix.WUNTRACED, nil); err != unix.EINTR {
			return status, err
		}
	}
}

// suspend lets the person have the shell in between.
func (k *talk) suspend() {
	if k.front() {
		if !k.dumb { // and no waiting: it may take nothing now
			unix.Write(k.fd, []byte(plainPastes))
		}
		term.Restore(k.fd, k.before)
	}
	k.stop()
}

// stop is the other one in the middle of a talk, which need not hear that it was continued.
func (k *talk) stop() {
	signal.Stop(k.signals)
	defer signal.Notify(k.signals, watched...)
	stop()
}

// stopped stops the run with the person's program, until both are continued in front of the terminal; otherwise it reports
// false. A program that wanted the terminal and did not have it gets it without that.
func (k *talk) stopped(pid int, by syscall.Signal) bool {
	if by == unix.SIGTSTP {
		time.Sleep(settled) // the shell around it stops at once, an editor when it has left the screen
	}
	group, _ := unix.IoctlGetInt(k.fd, unix.TIOCGPGRP)
	ours := group == pid || group == unix.Getpgrp()
	if wants := by == unix.SIGTTIN || by == unix.SIGTTOU; !wants || !ours {
		theirs, err := term.GetState(k.fd)
		if ours {
			k.give(unix.Getpgrp())
			term.Restore(k.fd, k.before)
		}
		k.stop()
		if !k.front() {
			return false
		}
		if err == nil {
			term.Restore(k.fd, theirs)
		}
	}
	k.give(pid)
	unix.Kill(-pid, unix.SIGCONT)
	return true
}

// resume takes the terminal again after it was somebody else's, unless it still is. Where the run is to stop it does so
// first: by now nothing is half written, and the shell begins a line of its own.
func (k *talk) resume() error {
	if k.events.stopping {
		k.suspend()
	}
	k.events = events{columns: k.events.columns}
	if err := k.here(); err != nil {
		return err
	}
	return keysOnly(k.fd)
}

// here is approval.ErrNobody if the terminal is in front of something else, another error if it is lost.
func (t *tty) here() error {
	elsewhere, err := t.elsewhere()
	if err == nil && elsewhere {
		return approval.ErrNobody
	}
	return err
}

// called waits, as programs do that want to read, until the person takes this run from the background. It reports whether
// somebody could do that.
func (t *tty) called() bool {
	elsewhere, err := t.elsewhere()
	return err == nil && elsewhere && stop()
}

// elsewhere reports whether the terminal is in front of something else, such as the shell that put this run in the
// background. An error means that it is lost.
func (t *tty) elsewhere() (bool, error) {
	group, err := unix.IoctlGetInt(t.fd, unix.TIOCGPGRP)
	return group != unix.Getpgrp(), err
}

// front reports whether the terminal is in front of this run.
func (t *tty) front() bool { return t.here() == nil }
