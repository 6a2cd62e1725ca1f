//go:build unix

package sandbox

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// startJob starts the program of a job.
func startJob(dir string, j job, files []*os.File) (*os.Process, error) {
	p, err := os.StartProcess(j.Path, j.Args, &os.ProcAttr{
		Dir: dir, Env: j.Env, Files: files, Sys: &syscall.SysProcAttr{Setsid: true, Setctty: j.Terminal},
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.Args[0], reason(err))
	}
	for _, f := range files {
		f.Close()
	}
	return p, nil
}

// attend waits for a program and, as the first process of a namespace must, for everything that others leave behind. It
// hands on the signals that ask the program to end, and returns its status.
func attend(p *os.Process) int {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, unix.SIGTERM, unix.SIGHUP)
	go func() {
		for sig := range signals {
			unix.Kill(-p.Pid, sig.(syscall.Signal))
			unix.Kill(-p.Pid, unix.SIGCONT)
		}
	}()
	for {
		var state unix.WaitStatus
		pid, err := unix.Wait4(-1, &state, 0, nil)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return statusHelper
		case pid == p.Pid && state.Signaled():
			return 128 + int(state.Signal())
		case pid == p.Pid && state.Exited():
			return state.ExitStatus()
		}
	}
}

// finish tells the end of a job before the process ends, which takes the system longer than many a command, if there is
// nothing else in the box that could still do something.
func (s *server) finish(files []*os.File, status int) {
	for _, f := range files {
		f.Close()
	}
	if s.held.Has(Processes) && childless() {
		if s.say(said{Ended: &status}) == nil {
			select {} // until it is ended
		}
	}
}

// childless reports whether this process has no children; for the first one of a namespace, to which all orphans come, that
// is whether it is alone (wait(2)).
func childless() bool {
	for {
		switch pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil); {
		case err == unix.ECHILD:
			return true
		case err != unix.EINTR && (err != nil || pid == 0):
			return false
		}
	}
}
