//go:build !windows

package ask

import (
	"errors"
	"io"
	"math"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"tricode/approval"
)

// markPastes makes a terminal say where a paste begins and ends, plainPastes makes it stop that.
const (
	markPastes  = "\x1b[?2004h"
	plainPastes = "\x1b[?2004l"
)

// edit lets a person edit a text. A terminal that gets nothing but text has no keys for that.
func (k *talk) edit(prompt string, before []string) (string, error) {
	if k.dumb {
		return k.words(prompt)
	}
	io.WriteString(k, markPastes)
	defer io.WriteString(k, plainPastes)
	k.drawn(math.MaxInt) // whatever its size is now, it is painted anew
	keys := &keyboard{}
	e := &editor{prompt: prompt, past: before}
	for done := false; ; {
		e.fit(k.size())
		if !keys.pasting && !k.more() { // what comes at once is painted once
			e.paint(k)
		}
		c, err := k.read()
		if err == nil {
			done, err = k.press(e, keys, c)
		} else if !errors.Is(err, errRedraw) {
			e.leave(k, "") // the run is told to end
		}
		if errors.Is(err, errRedraw) {
			err = k.repaint(e)
		}
		if err != nil {
			return "", err
		}
		if done {
			return string(e.text), nil
		}
	}
}

// press does what a byte says that the terminal sent, and reports whether the text is done.
func (k *talk) press(e *editor, keys *keyboard, c byte) (done bool, err error) {
	for _, key := range keys.take(c) {
		switch {
		case key == "\x03":
			e.leave(k, "^C")
			return false, ErrInterrupted
		case key == "\x04" && len(e.text) == 0:
			e.leave(k, "")
			return false, io.EOF
		case key == "\x1a":
			k.events.stopping = true
			return false, errRedraw
		case !keys.pasting && (key == "\r" || key == "\n"):
			e.leave(k, "")
			return true, nil
		case keys.pasting || key[0] >= ' ' && key != "\x7f":
			r, _ := utf8.DecodeRuneInString(key)
			e.insert(r)
		default:
			e.key(key)
		}
	}
	return false, nil
}

// repaint takes the terminal again; what somebody else wrote meanwhile stays.
func (k *talk) repaint(e *editor) error {
	anew := k.events.continued || k.events.stopping
	if k.events.stopping {
		e.leave(k, "")
	}
	err := k.resume()
	for errors.Is(err, approval.ErrNobody) && k.called() {
		err = k.resume()
	}
	if anew && err == nil {
		e.row = 0
		io.WriteString(k, markPastes)
	}
	return err
}

// ahead takes what was typed while nobody read it, as the terminal gives it to any program: once its mode changes, Ctrl-D is
// no end any more.
func (t *tty) ahead() {
	mode, err := unix.IoctlGetTermios(t.fd, getTermios)
	if err != nil || mode.Lflag&unix.ICANON == 0 || !t.front() {
		return
	}
	var b [4096]byte
	for len(t.typed) < maxText {
		n, err := unix.Read(t.fd, b[:])
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return
		case n == 0:
			t.typed = append(t.typed, ctrlD)
			return
		}
		t.typed = append(t.typed, b[:n]...)
	}
}

// leave goes behind the text.
func (e *editor) leave(to io.Writer, sign string) {
	e.at = len(e.text)
	e.paint(to)
	io.WriteString(to, sign+"\n")
}

// maxText bounds what is typed or pasted, in characters.
const maxText = 64 << 10
