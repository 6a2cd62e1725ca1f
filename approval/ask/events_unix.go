//go:build !windows

package ask

import (
	"io"
	"os"
	"os/signal"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"tricode/approval"
)

// settled is how long a terminal keeps its size before that counts: a window that is dragged has many.
const settled = 150 * time.Millisecond

// events are what happened to the terminal and was not acted on yet.
type events struct {
	resized, continued bool

	columns int // of what is on the screen; 0 if it does not matter
}

// watched are the signals that events come from. SIGTSTP is none of them: once it was caught, Go does not let it stop
// the run any more.
var watched = []os.Signal{unix.SIGWINCH, unix.SIGCONT}

// watch writes a byte for each thing that happens.
func (k *talk) watch(w *os.File) {
	k.signals = make(chan os.Signal, 8)
	signal.Notify(k.signals, watched...)
	go func() {
		for s := range k.signals {
			w.Write([]byte{byte(s.(unix.Signal))}) // closed: it is over
		}
	}()
}

func (k *talk) unwatch() {
	signal.Stop(k.signals)
	close(k.signals)
}

// take reads what happened. The end of that means that the context is done.
func (e *events) take(fd int) error {
	var b [1]byte
	if n, err := unix.Read(fd, b[:]); err == unix.EINTR {
		return nil
	} else if n != 1 {
		return errWoken
	}
	switch unix.Signal(b[0]) {
	case unix.SIGWINCH:
		e.resized = true
	case unix.SIGCONT:
		e.continued = true
	}
	return nil
}

// patience is how long to wait for the next thing; nil is for ever.
func (e *events) patience() *unix.Timeval {
	if !e.resized {
		return nil
	}
	t := unix.NsecToTimeval(int64(settled))
	return &t
}

// happened acts on what happened; quiet says that it came to rest.
func (k *talk) happened(quiet bool) error {
	switch e := &k.events; {
	case e.continued:
		return errRedraw
	case e.resized && quiet:
		e.resized = false
		if columns, _ := k.size(); columns < e.columns {
			return errRedraw
		}
	}
	return nil
}

// drawn remembers how many columns what is on the screen takes.
func (k *talk) drawn(columns int) { k.events.columns = columns }

// suspend lets the person have the shell in between, as Ctrl-Z does anywhere else. Whatever came of it, the question has
// to be put again.
func (k *talk) suspend() error {
	if !k.dumb {
		io.WriteString(k, plainPastes)
	}
	term.Restore(k.fd, k.before)
	k.stop()
	k.events.continued = true
	return errRedraw
}

// stop stops this run with its process group until it is continued. Where no shell could do that, the system does not
// stop it either.
func (k *talk) stop() {
	signal.Stop(k.signals)
	defer signal.Notify(k.signals, watched...)
	c := make(chan os.Signal, 1)
	signal.Notify(c, unix.SIGCONT)
	defer signal.Stop(c)
	unix.Kill(0, unix.SIGTSTP)
	select {
	case <-c:
	case <-time.After(settled):
	}
}

// resume takes the terminal again after it was somebody else's, unless it still is.
func (k *talk) resume() error {
	k.events = events{columns: k.events.columns}
	group, err := unix.IoctlGetInt(k.fd, unix.TIOCGPGRP)
	switch {
	case err != nil: // it is lost
		return err
	case group != unix.Getpgrp():
		return approval.ErrNobody
	}
	return keysOnly(k.fd)
}
