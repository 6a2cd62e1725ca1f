//go:build unix

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Helpers tells whether command lines can be interpreted here by a helper.
const Helpers = true

// helper is tricode, started again to close a box around itself and to run one command in it. It waits until it is
// told which.
type helper struct {
	process *process
	conn    *net.UnixConn
	hello   *talk      // gives held and lost
	held    Mechanisms // what its box can be held by
	lost    Mechanisms // of its namespaces, those that are no use
	told    *talk      // of the box that it is to close; nil if it was told of none yet
	closes  enclosure  // that box
	waited  bool       // it was kept for a command, maybe before it was ready
}

// talk is something that is said by one side to the other meanwhile.
type talk struct {
	done chan struct{} // closed when it was said
	err  error         // then
}

// meanwhile lets something be said and returns at once: a helper that hangs neither speaks nor reads.
func meanwhile(say func() error) *talk {
	t := &talk{done: make(chan struct{})}
	go func() {
		defer close(t.done)
		t.err = say()
	}()
	return t
}

// greet reads what the helper's box can be held by.
func (h *helper) greet() error {
	var hello said
	if err := receive(h.conn, &hello); err != nil {
		return fmt.Errorf("the helper that runs commands did not start: %w", err)
	}
	h.held, h.lost = hello.Held, hello.Lost
	return nil
}

// enclose tells the helper to close its box, unless it was told already. It returns at once.
func (h *helper) enclose(e enclosure, wait bool) {
	if h.told != nil {
		return
	}
	h.closes = e
	e.Waits = wait
	h.told = meanwhile(func() error { return gone(send(h.conn, e)) })
}

// await waits until the helper has said what its box can be held by, and has taken what it was told.
func (h *helper) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, helperStarts, errSilent)
	defer cancel()
	for _, t := range [...]*talk{h.hello, h.told} {
		if t == nil {
			continue
		}
		select {
		case <-t.done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if t.err != nil {
			return t.err
		}
	}
	return nil
}

// helperStarts is how long a helper may take to start, and to close its box.
const helperStarts = 30 * time.Second

var errSilent = errors.New("the helper that runs commands does not answer")

// help lets a helper run the command with the given files as its first ones, unless ctx is done before it is about it.
func (b *Box) help(ctx context.Context, c Cmd, files []*os.File, terminal bool) (*process, error) {
	j := job{Text: c.Text, Args: c.Args, Terminal: terminal, Checked: c.Check != nil, Builtins: c.Builtins, Ours: c.Ours}
	if c.Text == "" {
		path, err := b.LookPath(c.Args[0])
		if err != nil {
			return nil, err
		}
		j.Path = path
	}
	e := b.enclosure(c.Limits)
	h, err := b.ready(ctx, c.Limits, func() (*helper, error) { return b.closing(c.Limits, e, false) })
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	j.Env = b.environ(c, h.process.mark)
	b.mu.Unlock()
	h.process.begun.Store(true)
	h.conn.SetDeadline(time.Now().Add(helperStarts))
	stop := context.AfterFunc(ctx, func() { h.conn.SetDeadline(time.Unix(1, 0)) })
	if err = h.run(j, files); !stop() {
		err = context.Cause(ctx)
	}
	if err != nil {
		h.end()
		return nil, err
	}
	h.conn.SetDeadline(time.Time{})
	go b.attend(h, c.Check)
	return h.process, nil
}

// run tells the helper what to do and returns once it is about it.
func (h *helper) run(j job, files []*os.File) error {
	fds := make([]int, len(files))
	for i, f := range files {
		fds[i] = int(f.Fd())
	}
	if _, _, err := h.conn.WriteMsgUnix([]byte{0}, unix.UnixRights(fds...), nil); err != nil {
		return gone(err)
	}
	if err := send(h.conn, j); err != nil {
		return gone(err)
	}
	for range 2 { // the box is closed, the job is begun
		var done said
		if err := receive(h.conn, &done); err != nil {
			return gone(err)
		}
		if done.Error != "" {
			return errors.New(done.Error)
		}
	}
	return nil
}

func gone(err error) error {
	if err != nil {
		err = fmt.Errorf("the helper that runs commands is gone: %w", err)
	}
	return err
}

// attend answers what a helper asks until its job has ended or it is gone.
func (b *Box) attend(h *helper, check func(context.Context, Step) error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for {
		var q said
		if err := receive(h.conn, &q); err != nil {
			break
		}
		if q.Ended != nil {
			h.process.begun.Store(false) // nothing is left of what it did
			h.process.over <- *q.Ended
			b.spend(h)
			return
		}
		if q.Ask == nil || check == nil {
			break
		}
		var answer told
		if err := check(ctx, *q.Ask); err != nil {
			answer = told{Refused: true, Reason: err.Error()}
		}
		if err := send(h.conn, answer); err != nil {
			break
		}
	}
	h.conn.Close()
}

// end ends a helper that has nothing to do.
func (h *helper) end() {
	h.process.kill()
	h.conn.Close()
}

// alive reports whether a helper that waits is still there: one that is gone has closed its end of the connection.
func (h *helper) alive() (alive bool) {
	conn, err := h.conn.SyscallConn()
	if err != nil {
		return false
	}
	conn.Control(func(fd uintptr) {
		n, _ := unix.Poll([]unix.PollFd{{Fd: int32(fd)}}, 0)
		alive = n == 0
	})
	return alive
}
