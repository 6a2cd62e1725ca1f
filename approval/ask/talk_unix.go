//go:build !windows

package ask

import (
	"errors"
	"io"

	"github.com/AlecAivazis/survey/v2"
	"golang.org/x/sys/unix"
)

var errWoken = errors.New("woken")

// wait returns when the terminal can be read, or written to.
func (k *talk) wait(write bool) error {
	if k.wake >= unix.FD_SETSIZE {
		return unix.EMFILE
	}
	for {
		if err := k.happened(write, false); err != nil {
			return err
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
			err = k.happened(false, true)
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
	if len(k.typed) > 0 {
		b[0], k.typed = k.typed[0], k.typed[1:]
		return b[0], nil
	}
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

// more reports whether something can be read without waiting.
func (k *talk) more() bool {
	var r unix.FdSet
	r.Set(k.fd)
	n, err := unix.Select(k.fd+1, &r, nil, nil, &unix.Timeval{})
	return len(k.typed) > 0 || err == nil && n > 0
}

// line asks with survey. A fresh answer is one that was typed key by key after the prompt stood there.
func (k *talk) line(prompt string, fresh bool) (string, error) {
	return k.ask(&survey.Input{Message: prompt}, filter{keepPaste: !fresh})
}

// words is a line for text of any kind.
func (k *talk) words(prompt string) (string, error) {
	return k.ask(&survey.Input{Message: prompt}, filter{keepPaste: true, spaced: true})
}

func (k *talk) secret(prompt string) (string, error) {
	return k.ask(&survey.Password{Message: prompt}, filter{keepPaste: true})
}

func (k *talk) ask(p survey.Prompt, keys filter) (string, error) {
	if !k.dumb {
		io.WriteString(k, markPastes)
	}
	s := &stdio{talk: k, fresh: !keys.keepPaste, keys: keys}
	var answer string
	err := survey.AskOne(p, &answer, survey.WithStdio(s, s, s), survey.WithShowCursor(true))
	if s.fresh && k.front() {
		k.forget() // the rest of a paste belongs to nobody
	}
	if !k.dumb {
		io.WriteString(k, plainPastes)
	}
	io.WriteString(k, "\n")
	return answer, err
}

// forget drops what was typed and not read.
func (t *tty) forget() error {
	t.typed = nil
	return flush(t.fd)
}
