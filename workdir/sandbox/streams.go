package sandbox

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// streams are the standard files of a program, what its input comes from and what its output goes to.
type streams struct {
	null    *os.File
	files   [3]*os.File // the program's ends
	reads   []*stream
	input   *os.File // a pipe to the program; nil if it gets no input
	from    io.Reader
	feeding sync.WaitGroup
}

// stream is one pipe from a program.
type stream struct {
	pipe *os.File
	to   io.Writer
}

// openStreams opens the null device for what has no reader or writer, and pipes for the others.
func openStreams(stdin io.Reader, stdout, stderr io.Writer) (*streams, error) {
	s := &streams{from: stdin}
	var err error
	if s.null, err = os.OpenFile(os.DevNull, os.O_RDWR, 0); err != nil {
		return nil, err
	}
	s.files = [3]*os.File{s.null, s.null, s.null}
	if stdin != nil {
		if s.files[0], s.input, err = os.Pipe(); err != nil {
			s.close()
			return nil, err
		}
	}
	if stdout != nil {
		if s.files[1], err = s.pipe(stdout); err != nil {
			s.close()
			return nil, err
		}
	}
	switch {
	case stderr == nil:
	case same(stdout, stderr):
		s.files[2] = s.files[1]
	default:
		if s.files[2], err = s.pipe(stderr); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

func (s *streams) pipe(to io.Writer) (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	s.reads = append(s.reads, &stream{r, to})
	return w, nil
}

// same reports whether two writers are one; those that cannot be compared are two.
func same(a, b io.Writer) bool {
	defer func() { _ = recover() }()
	return a == b
}

// started closes the ends that the program has now and begins to feed it.
func (s *streams) started() {
	s.null.Close()
	for _, f := range s.files {
		f.Close() // some are the same; a second Close does nothing
	}
	if s.input != nil {
		s.feeding.Go(func() {
			io.Copy(s.input, s.from) // a program may leave what it does not want to read
			s.input.Close()
		})
	}
}

func (s *streams) close() {
	s.null.Close()
	for _, f := range s.files {
		if f != nil {
			f.Close()
		}
	}
	for _, r := range s.reads {
		r.pipe.Close()
	}
	if s.input != nil {
		s.input.Close()
	}
}

// expire makes copy return as soon as it has what is there, and what feeds the program at once.
func (s *streams) expire() {
	if s.input != nil {
		s.input.SetWriteDeadline(time.Now())
	}
	for _, r := range s.reads {
		r.pipe.SetReadDeadline(time.Now())
	}
}

// copy hands on all output until the program and what it started have closed their ends. If a writer fails, it calls
// end and returns the writer's error.
func (s *streams) copy(b *Box, end func()) error {
	switch len(s.reads) {
	case 0:
		return nil
	case 1:
		return s.reads[0].copy(b, end)
	}
	other := make(chan error)
	go func() { other <- s.reads[1].copy(b, end) }()
	err := s.reads[0].copy(b, end)
	return errors.Join(err, <-other)
}

// maxPipe is how much any pipe of a program that has no privileges holds, in bytes (pipe(7)).
const maxPipe = 1 << 20

func (s *stream) copy(b *Box, end func()) error {
	buffer, _ := b.buffers.Get().(*[bufferSize]byte)
	if buffer == nil {
		buffer = new([bufferSize]byte)
	}
	defer b.buffers.Put(buffer)
	for {
		n, err := s.pipe.Read(buffer[:])
		if n > 0 {
			if _, err := s.to.Write(buffer[:n]); err != nil {
				s.pipe.Close() // whatever still writes is told by the system
				end()
				return err
			}
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return s.rest(buffer[:])
		}
		if err != nil {
			return nil // the end
		}
	}
}

// rest hands on what is in the pipe now; who still holds it could write more for ever.
func (s *stream) rest(buffer []byte) error {
	s.pipe.SetReadDeadline(time.Time{})
	conn, err := s.pipe.SyscallConn()
	if err != nil {
		return err
	}
	for left := maxPipe; left > 0; {
		n := 0
		if err := conn.Read(func(fd uintptr) bool { n = readNow(fd, buffer); return true }); err != nil || n <= 0 {
			return err
		}
		if _, err := s.to.Write(buffer[:n]); err != nil {
			return err
		}
		left -= n
	}
	return nil
}
