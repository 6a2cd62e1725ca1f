package runner

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"mvdan.cc/sh/v3/interp"
)

// collector copies what a program writes to where only this process can write.
type collector struct {
	ctx          context.Context
	session      *session
	ours, theirs []*os.File
	done         sync.WaitGroup
}

// collect connects the output of a program. A pipe of our own is read until everybody who writes to it has ended, as
// shells do, but not longer than ctx.
func (s *session) collect(ctx context.Context, cmd *exec.Cmd, hc interp.HandlerContext) (*collector, error) {
	c := &collector{ctx: ctx, session: s}
	var err error
	if cmd.Stdout, err = c.connect(bare(hc.Stdout)); err != nil {
		return nil, err
	}
	if bare(hc.Stderr) == bare(hc.Stdout) {
		cmd.Stderr = cmd.Stdout
	} else if cmd.Stderr, err = c.connect(bare(hc.Stderr)); err != nil {
		c.started()
		return nil, err
	}
	for _, f := range s.inherited(hc.Env) {
		if f.file == nil && f.w != nil {
			if f.file, err = c.pipe(f.w); err != nil {
				c.started()
				return nil, err
			}
		}
		if f.file != nil {
			blocking(f.file)
		}
		cmd.ExtraFiles = append(cmd.ExtraFiles, f.file)
	}
	for _, f := range []any{cmd.Stdin, cmd.Stdout, cmd.Stderr} {
		if f, ok := f.(*os.File); ok && f != nil {
			blocking(f)
		}
	}
	return c, nil
}

// connect is what a program writes to where it is to write to w.
func (c *collector) connect(w io.Writer) (io.Writer, error) {
	if f, ok := w.(*os.File); ok || w == io.Discard {
		if f == nil {
			return nil, nil
		}
		return f, nil
	}
	return c.pipe(w)
}

// pipe is a pipe that is copied to w.
func (c *collector) pipe(w io.Writer) (*os.File, error) {
	r, pipe, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.ours, c.theirs = append(c.ours, r), append(c.theirs, pipe)
	c.done.Go(func() {
		defer context.AfterFunc(c.ctx, func() { r.SetReadDeadline(time.Now().Add(2 * grace)) })()
		io.Copy(&bounded{w: w, left: maxCapture, session: c.session}, r)
		r.Close()
	})
	return pipe, nil
}

// started lets go of the ends that are the program's.
func (c *collector) started() {
	for _, f := range c.theirs {
		f.Close()
	}
}

func (c *collector) wait() { c.done.Wait() }

// bounded keeps what is collected in memory from growing without end.
type bounded struct {
	w       io.Writer
	left    int
	session *session
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		err := fmt.Errorf("%w: $(…) holds more than %d MB", ErrLimit, maxCapture>>20)
		b.session.cancel(err)
		return 0, err
	}
	if bytes.IndexByte(p, 0) >= 0 { // bash drops them too
		_, err := b.w.Write(bytes.ReplaceAll(p, []byte{0}, nil))
		return len(p), err
	}
	return b.w.Write(p)
}
