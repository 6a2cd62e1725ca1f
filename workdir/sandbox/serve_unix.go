//go:build unix

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

var (
	errOrphan  = errors.New("tricode is gone") // whoever started the helper
	errNoFiles = errors.New("a job came without its files")
)

// Serve is all that a helper does: it closes the box that it is told of and runs one command in it, a command line with
// interpret, which reports whether something of it may still go on in this process. It returns the status to exit with.
// Everything in the box ends with the helper, and the helper with whoever started it.
func Serve(ctx context.Context, interpret func(ctx context.Context, s Script) (status int, left bool)) int {
	s, err := connect()
	if err != nil {
		return statusHelper
	}
	e, err := s.enclose()
	if err != nil {
		return statusHelper
	}
	if e.Waits {
		slim(func() { rehearse(ctx, e, interpret) })
	}
	j, files, err := s.job()
	if err != nil {
		return statusHelper
	}
	program, err := s.begin(e, j, files)
	if err != nil {
		return statusHelper
	}
	ctx, cancel := context.WithCancelCause(ctx)
	go s.listen(cancel)
	if program != nil {
		return attend(program)
	}
	script := Script{Text: j.Text, Dir: e.Dir, Env: j.Env, Stdin: files[0], Stdout: files[1], Stderr: files[2], Builtins: j.Builtins, Ours: append(j.Ours, e.Temp)}
	if j.Checked {
		script.Check = s.check
	}
	status, left := interpret(ctx, script)
	if !left && !j.Terminal && (e.Limits == nil || e.Limits.Overlay == "") { // a layer is whole when its mount is gone
		s.finish(files, status)
	}
	return status
}

// rehearse does what comes next with a job that does nothing: what was done once is done faster.
func rehearse(ctx context.Context, e enclosure, interpret func(context.Context, Script) (int, bool)) {
	var sent bytes.Buffer
	_ = send(&sent, job{Text: ":", Env: []string{"PATH=/"}, Ours: []string{e.Dir}})
	var j job
	_ = receive(&sent, &j)
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer null.Close()
	interpret(ctx, Script{Text: j.Text, Dir: e.Dir, Env: j.Env, Stdin: null, Stdout: null, Stderr: null})
}

// server is a helper's side of the connection to who started it.
type server struct {
	conn    *net.UnixConn
	held    Mechanisms
	answers chan told

	asking sync.Mutex // one question at a time
}

// connect takes up the connection that the helper was started with, and says what its box can be held by.
func connect() (*server, error) {
	unix.CloseOnExec(3)
	file := os.NewFile(3, "tricode")
	conn, err := net.FileConn(file)
	file.Close()
	if err != nil {
		return nil, err
	}
	spaces := helperSpaces(os.Args)
	s := &server{conn: conn.(*net.UnixConn), held: prepare(spaces), answers: make(chan told)}
	return s, s.say(said{Held: s.held, Lost: spaces &^ s.held})
}

func (s *server) say(m said) error { return send(s.conn, m) }

// enclose closes the box that the helper is told of.
func (s *server) enclose() (e enclosure, err error) {
	if err := receive(s.conn, &e); err != nil {
		return e, err
	}
	if err := s.close(e); err != nil {
		s.say(said{Error: "the box cannot be closed: " + err.Error()})
		return e, err
	}
	return e, s.say(said{Held: s.held})
}

// job waits for what is to be done, and for the files to do it with.
func (s *server) job() (j job, files []*os.File, err error) {
	var mark [1]byte
	rights := make([]byte, unix.CmsgSpace(3*4))
	_, n, _, _, err := s.conn.ReadMsgUnix(mark[:], rights)
	if err != nil {
		return j, nil, err
	}
	messages, err := unix.ParseSocketControlMessage(rights[:n])
	if err != nil || len(messages) != 1 {
		return j, nil, errors.Join(errNoFiles, err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 3 {
		return j, nil, errors.Join(errNoFiles, err)
	}
	for i, fd := range fds {
		unix.CloseOnExec(fd)
		files = append(files, os.NewFile(uintptr(fd), [...]string{"stdin", "stdout", "stderr"}[i]))
	}
	return j, files, receive(s.conn, &j)
}

// close closes the box, if there is to be one.
func (s *server) close(e enclosure) (err error) {
	if e.Limits == nil {
		return os.Chdir(e.Dir)
	}
	s.held, err = confine(e.Limits, e.Dir, e.Temp, s.held)
	return err
}

// begin starts the program of a job, if it is one, and says that the job was begun.
func (s *server) begin(e enclosure, j job, files []*os.File) (program *os.Process, err error) {
	if e.Limits != nil {
		err = ownNull(files)
	}
	if err == nil && j.Text == "" {
		program, err = startJob(e.Dir, j, files)
	}
	if err != nil {
		s.say(said{Error: err.Error()})
		return nil, err
	}
	return program, s.say(said{Held: s.held})
}

// ownNull makes the null device among the files that of the box: through the system's own a program could change the
// device itself (fchmod(2)).
func ownNull(files []*os.File) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	own, err := null.Stat()
	if err != nil {
		return err
	}
	for i, f := range files {
		if info, err := f.Stat(); err == nil && os.SameFile(info, own) {
			f.Close()
			files[i] = null
		}
	}
	return nil
}

// listen hands on the answers to questions, and ends the helper when nobody is there any more.
func (s *server) listen(cancel context.CancelCauseFunc) {
	for {
		var answer told
		if receive(s.conn, &answer) != nil {
			cancel(errOrphan)
			os.Exit(statusHelper)
		}
		s.answers <- answer
	}
}

// check asks about a step.
func (s *server) check(ctx context.Context, step Step) error {
	s.asking.Lock()
	defer s.asking.Unlock()
	if err := s.say(said{Ask: &step}); err != nil {
		return err
	}
	if answer := <-s.answers; answer.Refused {
		return errors.New(answer.Reason)
	}
	return context.Cause(ctx)
}
