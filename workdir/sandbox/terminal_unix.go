//go:build unix

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// Terminals tells whether programs can be started behind a terminal here.
const Terminals = true

// Terminal is a program behind a terminal of its own. One goroutine may read while others do everything else.
type Terminal struct {
	process *process
	file    *os.File
	front   int // the process group of the program
	writing sync.Mutex
}

// The size of a terminal: wide, because programs break lines for it.
const (
	terminalRows    = 50
	terminalColumns = 200
)

// terminalEnv keeps programs from drawing, from waiting for a key after a page, and from writing down the input.
var terminalEnv = []string{"TERM=dumb", "PAGER=cat", "GIT_PAGER=cat", "HISTFILE=/dev/null", "LESSHISTFILE=-"}

// Start starts the program behind a terminal, unless ctx is done before that; c.Stdout and c.Stderr do not count. The program
// runs until it ends or the Terminal or the Box is closed.
func (b *Box) Start(ctx context.Context, c Cmd) (*Terminal, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	master, slave, err := pty.Open()
	if err != nil {
		return nil, fmt.Errorf("no terminal: %w", err)
	}
	defer slave.Close()
	_ = pty.Setsize(master, &pty.Winsize{Rows: terminalRows, Cols: terminalColumns}) // programs assume some size without
	file, err := pollable(master)
	if err != nil {
		return nil, fmt.Errorf("no terminal: %w", err)
	}
	c.Env = append(terminalEnv[:len(terminalEnv):len(terminalEnv)], c.Env...)
	p, err := b.beginTerminal(ctx, c, slave)
	if err != nil {
		file.Close()
		return nil, err
	}
	close(p.drained) // what was written stays in the terminal, and jobs end with their shell
	t := &Terminal{process: p, file: file}
	t.control(func(fd int) { t.front, _ = unix.IoctlGetInt(fd, unix.TIOCGPGRP) })
	return t, nil
}

// beginTerminal starts the command behind a terminal, or lets a helper do it.
func (b *Box) beginTerminal(ctx context.Context, c Cmd, slave *os.File) (*process, error) {
	files := []*os.File{slave, slave, slave}
	if c.helped() {
		return b.help(ctx, c, files, true)
	}
	attr := programAttr()
	attr.Setctty = true // the terminal is file 0
	p, err := b.start(c, files, attr)
	if err == nil {
		go p.wait()
	}
	return p, err
}

// pollable returns the same open file in a form that deadlines and Close work with while it is read, and closes f.
func pollable(f *os.File) (*os.File, error) {
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		unix.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), "terminal"), nil
}

// Read reads what the program wrote. It returns io.EOF once the program is gone and everything was read.
func (t *Terminal) Read(p []byte) (int, error) {
	n, err := t.file.Read(p)
	if errors.Is(err, syscall.EIO) { // which Linux may tell before the last that was written
		n, err = t.file.Read(p)
	}
	if errors.Is(err, syscall.EIO) || errors.Is(err, os.ErrClosed) { // Linux's end of a terminal
		err = io.EOF
	}
	return n, err
}

// Type writes input for the program and returns how many bytes were taken within the time. A line that the terminal
// would cut is an error.
func (t *Terminal) Type(input []byte, within time.Duration) (int, error) {
	t.writing.Lock()
	defer t.writing.Unlock()
	select {
	case <-t.Done(): // the terminal would take it all the same
		return 0, errEnded
	default:
	}
	if t.editsLines() {
		for line := range bytes.Lines(input) {
			if len(line) > maxLine {
				return 0, fmt.Errorf("a line has %d bytes, the program's terminal takes %d", len(line), maxLine)
			}
		}
	}
	t.file.SetWriteDeadline(time.Now().Add(within))
	n, err := t.file.Write(input)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = fmt.Errorf("the program does not read: it took %d of %d bytes", n, len(input))
	case errors.Is(err, syscall.EIO), errors.Is(err, os.ErrClosed):
		err = errEnded
	}
	return n, err
}

var errEnded = errors.New("the program has ended")

func (t *Terminal) editsLines() (edits bool) {
	t.control(func(fd int) {
		state, err := unix.IoctlGetTermios(fd, getTermios)
		edits = err == nil && state.Lflag&unix.ICANON != 0
	})
	return edits
}

// Foreground reports whether input goes to the program that was started and not to one that it started.
func (t *Terminal) Foreground() (own bool) {
	t.control(func(fd int) {
		group, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP)
		own = err == nil && group == t.front
	})
	return own
}

func (t *Terminal) control(f func(fd int)) {
	if conn, err := t.file.SyscallConn(); err == nil {
		_ = conn.Control(func(fd uintptr) { f(int(fd)) })
	}
}

// Done is closed when the program has ended with all that it started; then Status is its exit status.
func (t *Terminal) Done() <-chan struct{} { return t.process.done }

// Status is the exit status of a program that has ended, 128+n for signal n.
func (t *Terminal) Status() int { return t.process.status }

// Close hangs up and ends the program if it has not ended, with all that it started.
func (t *Terminal) Close() error {
	err := t.file.Close()
	t.process.end()
	<-t.process.done
	return err
}
