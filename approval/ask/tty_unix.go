//go:build !windows

package ask

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"

	"github.com/AlecAivazis/survey/v2"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"tricode/approval"
)

// tty is /dev/tty, opened without blocking: whatever waits for it can be woken.
type tty struct {
	fd   int
	dumb bool
}

func openTTY(dumb bool) (*tty, error) {
	fd, err := unix.Open("/dev/tty", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	for err == unix.EINTR {
		fd, err = unix.Open("/dev/tty", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	}
	if err != nil {
		return nil, approval.ErrNobody
	}
	if fd >= unix.FD_SETSIZE { // select could not watch it
		unix.Close(fd)
		return nil, approval.ErrNobody
	}
	// these are the library's only way to say what a prompt looks like
	survey.InputQuestionTemplate = `{{if not .ShowAnswer}}{{.Message}}{{end}}`
	survey.PasswordQuestionTemplate = `{{.Message}}`
	return &tty{fd: fd, dumb: dumb}, nil
}

func (t *tty) close() error { return unix.Close(t.fd) }

// size is the columns and rows of the terminal, 80 and 24 if it does not know.
func (t *tty) size() (columns, rows int) {
	columns, rows, err := term.GetSize(t.fd)
	if err != nil || columns <= 0 {
		columns = 80
	}
	if err != nil || rows <= 0 {
		rows = 24
	}
	return columns, rows
}

// front reports whether the terminal is in front of this run, not of a shell that put it in the background.
func (t *tty) front() bool {
	group, err := unix.IoctlGetInt(t.fd, unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// talk is the time between a question and its answer.
type talk struct {
	*tty
	before  *term.State
	ignored []os.Signal
	wake    int // can be read when something happened, and once the context is done
	free    func()
	signals chan os.Signal
	events  events
}

// begin takes the terminal if it is in front of this run.
func (t *tty) begin(ctx context.Context) (*talk, error) {
	k := &talk{tty: t}
	for _, s := range []os.Signal{unix.SIGTTIN, unix.SIGTTOU} {
		// who is sent to the background in the middle of a question must not be stopped there
		if !signal.Ignored(s) {
			signal.Ignore(s)
			k.ignored = append(k.ignored, s)
		}
	}
	var err error
	if t.front() {
		k.before, err = term.GetState(t.fd)
	}
	if k.before == nil || err != nil {
		k.end()
		return nil, approval.ErrNobody
	}
	if err = keysOnly(t.fd); err != nil {
		k.end()
		return nil, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		k.end()
		return nil, err
	}
	k.watch(w)
	stop := context.AfterFunc(ctx, func() { w.Close() })
	k.wake, k.free = int(r.Fd()), func() { k.unwatch(); stop(); w.Close(); r.Close() }
	return k, nil
}

// keysOnly makes the terminal pass on each key as it is, Ctrl-C too, and show none. The library does the same, but
// only after its prompt is on the screen: a key in that moment would act as it does outside of a question.
func keysOnly(fd int) error {
	mode, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return err
	}
	mode.Lflag &^= unix.ECHO | unix.ICANON | unix.ISIG
	return unix.IoctlSetTermios(fd, setTermios, mode)
}

// end gives the terminal back as it was.
func (k *talk) end() {
	if k.before != nil && k.front() {
		term.Restore(k.fd, k.before)
	}
	if k.free != nil {
		k.free()
	}
	if len(k.ignored) > 0 {
		signal.Reset(k.ignored...)
	}
}

var errWoken = errors.New("woken")

// wait returns when the terminal can be read, or written to.
func (k *talk) wait(write bool) error {
	if k.wake >= unix.FD_SETSIZE {
		return unix.EMFILE
	}
	for {
		if !write {
			if err := k.happened(false); err != nil {
				return err
			}
		}
		var r, w unix.FdSet
		r.Set(k.wake)
		if write {
			w.Set(k.fd)
		} else {
			r.Set(k.fd)
		}
		// select and not poll: on macOS poll does not know terminals (its manual page, BUGS)
		n, err := unix.Select(max(k.wake, k.fd)+1, &r, &w, nil, k.events.patience())
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return err
		case n == 0 && !write:
			err = k.happened(true)
		case r.IsSet(k.wake):
			err = k.events.take(k.wake)
		case n > 0:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Write puts p on the terminal as it is.
func (k *talk) Write(p []byte) (int, error) {
	done := 0
	for done < len(p) {
		n, err := unix.Write(k.fd, p[done:])
		if n > 0 {
			done += n
		}
		if err == unix.EAGAIN {
			err = k.wait(true)
		}
		if err != nil && err != unix.EINTR {
			return done, err
		}
	}
	return done, nil
}

// read takes one byte, so that whoever reads next finds the others.
func (k *talk) read() (byte, error) {
	var b [1]byte
	for {
		if err := k.wait(false); err != nil {
			return 0, err
		}
		n, err := unix.Read(k.fd, b[:])
		switch {
		case n == 1:
			return b[0], nil
		case err == nil:
			return 0, io.EOF
		case err != unix.EAGAIN && err != unix.EINTR:
			return 0, err
		}
	}
}

// line asks with survey. A fresh answer is one that was typed key by key after the prompt stood there.
func (k *talk) line(prompt string, fresh bool) (string, error) {
	return k.ask(&survey.Input{Message: prompt}, fresh)
}

func (k *talk) secret(prompt string) (string, error) {
	return k.ask(&survey.Password{Message: prompt}, false)
}

func (k *talk) ask(p survey.Prompt, fresh bool) (string, error) {
	if !k.dumb {
		io.WriteString(k, markPastes)
	}
	s := &stdio{talk: k, fresh: fresh, keys: filter{keepPaste: !fresh}}
	var answer string
	err := survey.AskOne(p, &answer, survey.WithStdio(s, s, s), survey.WithShowCursor(true))
	if fresh && k.front() {
		flush(k.fd) // the rest of a paste belongs to nobody
	}
	if !k.dumb {
		io.WriteString(k, plainPastes)
	}
	io.WriteString(k, "\n")
	return answer, err
}
