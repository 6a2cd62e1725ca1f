//go:build !windows

package ask

import (
	"os"
	"os/signal"
	"time"

	"golang.org/x/sys/unix"
)

// settled is how long a terminal keeps its size before that counts: a window that is dragged has many.
const settled = 150 * time.Millisecond

// events are what happened to the terminal and was not acted on yet.
type events struct {
	resized, continued, stopping bool

	columns int // of what is on the screen; 0 if it does not matter
}

// watched are the signals that every talk looks for.
var watched = []os.Signal{unix.SIGWINCH, unix.SIGCONT}

// watch looks for what happens.
func (k *talk) watch() {
	k.signals = make(chan os.Signal, 8)
	signal.Notify(k.signals, watched...)
	go func() {
		for s := range k.signals {
			k.tell(s.(unix.Signal))
		}
	}()
}

// tell lets the talk know of a signal.
func (k *talk) tell(s unix.Signal) { k.happens.Write([]byte{byte(s)}) } // closed: it is over

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
	case unix.SIGTSTP:
		e.stopping = true
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

// happened acts on what happened; quiet says that it came to rest. In the middle of writing only a stop counts.
func (k *talk) happened(writing, quiet bool) error {
	switch e := &k.events; {
	case e.stopping:
		return errRedraw
	case writing:
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
