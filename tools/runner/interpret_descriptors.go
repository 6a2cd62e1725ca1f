package runner

import (
	"bytes"
	"context"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
)

// The interpreter knows the files 0, 1 and 2. The others of a shell are kept here, and a variable for each tells which
// ones they are, so that every shell has its own: what was opened last comes first, and what is closed does not count.
const (
	fileVar  = "TRICODE_FD_"
	keepName = mark + "keep_" // a redirect to it closes the file when the statement ends
)

// opened is a file of a shell beyond the first three: a file, or what only this process can write to.
type opened struct {
	file   *os.File
	w      io.Writer
	lent   bool // somebody else closes it
	closed bool // a redirect closed it
}

func (s *session) hold(f opened) (id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = append(s.held, f)
	return len(s.held) - 1
}

// release closes a file.
func (s *session) release(id int) {
	s.mu.Lock()
	var f opened
	if id >= 0 && id < len(s.held) {
		f, s.held[id] = s.held[id], opened{}
	}
	s.mu.Unlock()
	if f.file != nil && !f.lent {
		f.file.Close()
	}
}

func (s *session) releaseAll() {
	s.mu.Lock()
	n := len(s.held)
	s.mu.Unlock()
	for id := range n {
		s.release(id)
	}
}

// heldBy is the file that a shell has under a number.
func (s *session) heldBy(env expand.Environ, number int) (f opened, id int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for word := range strings.FieldsSeq(env.Get(fileVar + strconv.Itoa(number)).Str) {
		if id := atoi(word); id >= 0 && id < len(s.held) && s.held[id] != (opened{}) {
			return s.held[id], id, true
		}
	}
	return opened{}, 0, false
}

// shared is a writer that others go on writing to when it is closed.
type shared struct {
	w     io.Writer
	close func()
}

func (s *shared) Write(p []byte) (int, error) { return s.w.Write(p) }
func (s *shared) Read([]byte) (int, error)    { return 0, syscall.EBADF }
func (s *shared) Close() error {
	if s.close != nil {
		s.close()
	}
	return nil
}

// voice is where the interpreter complains. It is silent once the shell is over: what was cut short then, such as an
// expansion, is no mistake of the script. What trees were completed with is nothing that it traces.
type voice struct {
	w     io.Writer
	ended context.Context
	shell *subshell
}

func (v *voice) Write(p []byte) (int, error) {
	if v.ended.Err() != nil || v.shell.over() || bytes.HasPrefix(p, []byte("+ "+mark)) || bytes.HasPrefix(p, []byte("+ TRICODE_")) {
		return len(p), nil
	}
	return v.w.Write(p)
}

// bare is what a writer writes to.
func bare(w io.Writer) io.Writer {
	for {
		switch outer := w.(type) {
		case *shared:
			w = outer.w
		case *voice:
			w = outer.w
		default:
			return w
		}
	}
}

// descriptor opens what /dev/fd/N and its like name: a file that the shell has already. ok is false for other names.
func (s *subshell) descriptor(ctx context.Context, hc interp.HandlerContext, name string, flag int) (f io.ReadWriteCloser, ok bool, err error) {
	if number, ok := strings.CutPrefix(name, keepName); ok {
		_, id, held := s.heldBy(hc.Env, atoi(number))
		if !held {
			return nil, true, syscall.EBADF
		}
		return &shared{hc.Stdout, func() { s.release(id) }}, true, nil
	}
	if number, ok := strings.CutPrefix(name, ownName); ok {
		return s.lent(hc, number), true, nil
	}
	if name == captureName {
		f, err := s.capture(ctx, bare(hc.Stdout))
		return f, true, err
	}
	var is opened
	if number, ok := strings.CutPrefix(name, outsideName); ok {
		is, err = s.outer(hc, number)
	} else if number, ok := descriptorNumber(name); ok {
		is, err = s.file(hc, number)
	} else {
		return nil, false, nil
	}
	if err != nil {
		return nil, true, err
	}
	switch {
	case flag&(os.O_WRONLY|os.O_RDWR) == 0 && is.file == nil:
		return nil, true, syscall.EBADF
	case flag&(os.O_WRONLY|os.O_RDWR) == 0:
		f, err = duplicate(is.file)
	case is.file != nil:
		f = &shared{is.file, nil}
	default:
		f = &shared{is.w, nil}
	}
	return f, true, err
}

func descriptorNumber(name string) (number int, ok bool) {
	if i := slices.Index([]string{"/dev/stdin", "/dev/stdout", "/dev/stderr"}, name); i >= 0 {
		return i, true
	}
	digits, ok := strings.CutPrefix(name, "/dev/fd/")
	if !ok {
		return 0, false
	}
	number, err := strconv.Atoi(digits)
	return number, err == nil && number >= 0
}

// file is what a shell has under a number.
func (s *subshell) file(hc interp.HandlerContext, number int) (opened, error) {
	var w io.Writer
	switch number {
	case 0:
		if f, ok := hc.Stdin.(*os.File); ok && f != nil {
			return opened{file: f}, nil
		}
		return opened{}, syscall.EBADF
	case 1:
		w = bare(hc.Stdout)
	case 2:
		w = bare(hc.Stderr)
	default:
		if f, _, ok := s.heldBy(hc.Env, number); ok && !f.closed {
			return f, nil
		}
		return opened{}, syscall.EBADF
	}
	if f, ok := w.(*os.File); ok {
		return opened{file: f}, nil
	}
	return opened{w: w}, nil
}

// hold gives the shell a file under a number: what its first one of that direction is for this call. What is not kept for
// good is closed by a redirect of the statement that needs it.
func hold(c call) error {
	number, direction, long := c.args[0], c.args[1], c.args[2]
	name := fileVar + number
	old := c.hc.Env.Get(name).Str
	f, err := c.own(direction)
	if err != nil {
		return c.fail(1, "%v", reason(err))
	}
	if long == "good" {
		if _, id, ok := c.heldBy(c.hc.Env, atoi(number)); ok && direction == "none" {
			c.release(id)
		}
		old = ""
	}
	return c.assign(name, strings.TrimSpace(strconv.Itoa(c.session.hold(f))+" "+old))
}

// own is a copy of the first file of a direction.
func (c call) own(direction string) (f opened, err error) {
	switch direction {
	case "none":
		return opened{closed: true}, nil
	case "in":
		if f, err = c.file(c.hc, 0); err != nil {
			f.file, err = os.Open(os.DevNull)
			return f, err
		}
	default:
		f, err = c.file(c.hc, 1)
		_, f.lent = c.hc.Stdout.(*shared) // a copy must not outlive a pipe's writer: its reader would wait for it
	}
	if err == nil && f.file != nil && !f.lent {
		f.file, err = duplicate(f.file)
	}
	return f, err
}

// inherited are the files beyond the first three that a program gets, by number; those of which there are none are
// empty.
func (s *session) inherited(env expand.Environ) (list []opened) {
	s.mu.Lock()
	none := len(s.held) == 0
	s.mu.Unlock()
	if none {
		return nil
	}
	for name := range env.Each {
		digits, ok := strings.CutPrefix(name, fileVar)
		number, err := strconv.Atoi(digits)
		if !ok || err != nil || number < 3 || number > maxNumber {
			continue
		}
		if f, _, ok := s.heldBy(env, number); ok && !f.closed {
			list = append(list, make([]opened, max(0, number-2-len(list)))...)
			list[number-3] = f
		}
	}
	return list
}

// maxNumber bounds the numbers of files.
const maxNumber = 255

// fileVars are the variables that hold the files of a shell, for one within it.
func fileVars(env expand.Environ) (pairs []string) {
	for name, v := range env.Each {
		if strings.HasPrefix(name, fileVar) {
			pairs = append(pairs, name+"="+v.Str)
		}
	}
	return pairs
}
