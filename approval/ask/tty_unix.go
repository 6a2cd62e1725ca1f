//go:build !windows

package ask

import (
	"context"
	"os"
	"os/signal"
	"sync"

	"github.com/AlecAivazis/survey/v2"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"tricode/approval"
)

// tty is /dev/tty, opened without blocking: whatever waits for it can be woken.
type tty struct {
	fd    int
	dumb  bool
	typed []byte // what was typed ahead, see ahead

	stops   chan os.Signal
	mu      sync.Mutex // held while the run is stopped outside of a talk, so that none begins meanwhile
	talk    *talk      // that is under way
	program int        // the process group of the person's program that has the terminal
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
	// who is sent to the background in the middle of a question must not be stopped there; Go cannot undo this, nor the other
	signal.Ignore(unix.SIGTTIN, unix.SIGTTOU)
	t := &tty{fd: fd, dumb: dumb, stops: make(chan os.Signal, 1)}
	signal.Notify(t.stops, unix.SIGTSTP)
	go t.guard()
	return t, nil
}

func (t *tty) close() error {
	signal.Stop(t.stops)
	close(t.stops)
	return unix.Close(t.fd)
}

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

// talk is the time between a question and its answer.
type talk struct {
	*tty
	before  *term.State
	wake    int      // can be read when something happened, and once the context is done
	happens *os.File // the other end
	free    func()
	signals chan os.Signal
	events  events
}

// begin takes the terminal if it is in front of this run.
func (t *tty) begin(ctx context.Context) (*talk, error) {
	k := &talk{tty: t}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	k.happens = w
	k.watch()
	stop := context.AfterFunc(ctx, func() { w.Close() })
	k.wake, k.free = int(r.Fd()), func() { k.unwatch(); stop(); w.Close(); r.Close() }
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.front() {
		k.before, err = term.GetState(t.fd)
	}
	if k.before == nil || err != nil {
		k.free()
		return nil, approval.ErrNobody
	}
	if err = keysOnly(t.fd); err != nil {
		k.free()
		return nil, err
	}
	t.talk = k
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
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tty.talk = nil
	if k.front() {
		term.Restore(k.fd, k.before)
	}
	k.free()
}
