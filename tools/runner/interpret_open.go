package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"mvdan.cc/sh/v3/interp"
)

// open opens a file for a redirect, or a text that source has already read.
func (s *subshell) open(ctx context.Context, name string, flag int, perm fs.FileMode) (io.ReadWriteCloser, error) {
	if text, ok := strings.CutPrefix(name, inMemory); ok {
		return fragment{strings.NewReader(text)}, nil
	}
	hc := interp.HandlerCtx(ctx)
	failed := func(err error) error { return &fs.PathError{Op: s.zero + ":", Path: name, Err: reason(err)} }
	name = strings.ReplaceAll(name, "\x00", "")
	switch {
	case s.over():
		return nil, failed(errKilled)
	case name == "":
		return nil, failed(fs.ErrNotExist)
	}
	if f, ok, err := s.descriptor(ctx, hc, name, flag); err != nil {
		return nil, &fs.PathError{Op: s.zero + ":", Path: strings.TrimPrefix(name, "/dev/fd/"), Err: reason(err)}
	} else if ok {
		return f, nil
	}
	path := name
	if !filepath.IsAbs(path) {
		path = hc.Dir + string(filepath.Separator) + path // ".." behind a link means what it means to the system
	}
	if runtime.GOOS == "windows" && name == "/dev/null" {
		path = os.DevNull
	}
	f, err := s.openFile(ctx, path, flag, perm)
	switch {
	case ctx.Err() != nil:
		if err == nil {
			f.Close()
		}
		return nil, ctx.Err() // nothing is said about what ends with its script
	case err != nil:
		return nil, failed(err)
	}
	return f, nil
}

// openFile opens a file that may be opened. What is at the path may change after it was judged, so that the file that
// was opened is judged by where it really is before anything of it is lost.
func (s *session) openFile(ctx context.Context, path string, flag int, perm fs.FileMode) (*os.File, error) {
	write := flag&(os.O_WRONLY|os.O_RDWR) != 0
	if err := s.allowed(ctx, path, write); err != nil {
		return nil, err
	}
	f, err := open(ctx, path, flag&^os.O_TRUNC, perm)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = s.allowedAt(ctx, path, info, write)
	}
	if err == nil && flag&os.O_TRUNC != 0 && info.Mode().IsRegular() && info.Size() > 0 {
		err = f.Truncate(0)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// allowedAt judges a file that was opened at a path once more if links led to it.
func (s *session) allowedAt(ctx context.Context, path string, info fs.FileInfo, write bool) error {
	if s.script.Open == nil {
		return nil
	}
	at, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	if real, err := os.Lstat(at); err != nil || !os.SameFile(real, info) {
		return errors.New("denied: it was replaced while it was opened")
	}
	if at == path {
		return nil
	}
	return s.allowed(ctx, at, write)
}

// open opens a file. A FIFO, which waits for its other end, waits no longer than ctx.
func open(ctx context.Context, path string, flag int, perm fs.FileMode) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		defer context.AfterFunc(ctx, func() {
			if other, err := os.OpenFile(path, os.O_RDWR|nonblocking, 0); err == nil {
				other.Close()
			}
		})()
	}
	return os.OpenFile(path, flag, perm)
}

func (s *session) allowed(ctx context.Context, path string, write bool) error {
	if s.script.Open == nil {
		return nil
	}
	if err := s.script.Open(ctx, File{path, write}); err != nil {
		return fmt.Errorf("denied: %w", err)
	}
	return nil
}

// inMemory begins the name of a file that is not opened but follows in the name itself.
const inMemory = "\x00"

// fragment is a text that is read as if it were a file.
type fragment struct{ *strings.Reader }

func (fragment) Write([]byte) (int, error) { return 0, errors.ErrUnsupported }
func (fragment) Close() error              { return nil }

// maxScript bounds what is read to be interpreted, in bytes.
const maxScript = 64 << 10

var errLong = fmt.Errorf("longer than %d KiB", maxScript>>10)

// text is what a file holds that is to be interpreted.
func (s *session) text(ctx context.Context, path string) (string, error) {
	f, err := s.openFile(ctx, path, os.O_RDONLY, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return s.all(ctx, f)
}

// all reads a text to its end.
func (s *session) all(ctx context.Context, f *os.File) (string, error) {
	if f == nil {
		return "", nil
	}
	defer interruptible(ctx, f)()
	data, err := io.ReadAll(io.LimitReader(f, maxScript+1))
	if err == nil && len(data) > maxScript {
		err = errLong
	}
	return string(data), err
}

// interruptible lets reading from a pipe or a FIFO end with ctx.
func interruptible(ctx context.Context, f *os.File) (stop func() bool) {
	return context.AfterFunc(ctx, func() { f.SetReadDeadline(past) })
}
