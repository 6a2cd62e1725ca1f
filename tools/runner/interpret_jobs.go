package runner

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"sync"

	"mvdan.cc/sh/v3/interp"
)

// firstJob is above every process number of the systems: a job is a number that no process has.
const firstJob = 1 << 23

// job is what runs in the background. A program belongs to the job that started it.
type job struct {
	id, parent int
	shell      *subshell     // that started it, nil if a part of one did
	ended      chan struct{} // closed when status is known

	mu      sync.Mutex
	once    sync.Once
	waited  bool // by wait -n; guarded by the session
	status  int
	killed  int    // the signal that ended it
	ignored uint64 // signals that do nothing to it
	groups  []int  // of the programs that run in it
}

var errKilled = errors.New("killed")

// spawn gives what is about to run in the background a job, and the outputs that it is named.
func spawn(c call) error {
	ignored := c.ignored(c.hc)
	c.mu.Lock()
	j := &job{id: firstJob + len(c.jobs), ignored: ignored, parent: own(c.hc), ended: make(chan struct{})}
	if c.itself(c.hc) {
		j.shell = c.subshell
	}
	c.jobs = append(c.jobs, j)
	c.mu.Unlock()
	set := fmt.Sprintf("%s=%d %s=%d", lastJob, j.id, ownJob, j.id)
	for _, number := range c.args {
		set += fmt.Sprintf(" %s%s=%d", ownVar, number, c.lend(atoi(number)))
	}
	if err := c.native("eval", set); err != nil {
		return err
	}
	return c.before()
}

// spawned gives the shell that goes on its own job back.
func spawned(c call) error {
	parent := 0
	if j := c.job(own(c.hc)); j != nil {
		parent = j.parent
	}
	return c.native("eval", fmt.Sprintf("%s=%d", ownJob, parent))
}

// done ends the job of a shell in the background.
func done(c call) error {
	if j := c.job(own(c.hc)); j != nil {
		j.end(c.hc.LastExitStatus)
	}
	return c.status()
}

func (j *job) end(status int) {
	j.once.Do(func() {
		j.mu.Lock()
		if j.status = status; j.killed != 0 {
			j.status = 128 + j.killed
		}
		j.mu.Unlock()
		close(j.ended)
	})
}

// left reports whether something of the script may still go on.
func (s *session) left() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fed || slices.ContainsFunc(s.jobs, func(j *job) bool {
		select {
		case <-j.ended:
			return false
		default:
			return true
		}
	})
}

// own is the job that a shell runs in, 0 for none.
func own(hc interp.HandlerContext) int {
	id, _ := strconv.Atoi(hc.Env.Get(ownJob).Str)
	return id
}

// job finds a job by its number.
func (s *session) job(id int) *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := id - firstJob; i >= 0 && i < len(s.jobs) {
		return s.jobs[i]
	}
	return nil
}

// killed reports whether the job that a shell runs in was killed.
func (s *session) killed(hc interp.HandlerContext) bool {
	for j := s.job(own(hc)); j != nil; j = s.job(j.parent) {
		j.mu.Lock()
		killed := j.killed != 0
		j.mu.Unlock()
		if killed {
			j.end(0)
			return true
		}
	}
	return false
}

// adopt puts a running program into the job of its shell, until left is called.
func (s *session) adopt(hc interp.HandlerContext, cmd *exec.Cmd) (left func()) {
	j := s.job(own(hc))
	if j == nil {
		return func() {}
	}
	pid := cmd.Process.Pid
	j.mu.Lock()
	j.groups = append(j.groups, pid)
	late := j.killed
	j.mu.Unlock()
	if late != 0 {
		s.thread.signal(-pid, late)
	}
	return func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.groups = slices.DeleteFunc(j.groups, func(g int) bool { return g == pid })
	}
}

// signal sends a signal to a job and to those within it. Signals that stop or that ask nothing reach programs only.
func (s *session) signal(j *job, number int) {
	j.mu.Lock()
	if number > 0 && j.ignored&bit(number) != 0 {
		j.mu.Unlock()
		return
	}
	if j.killed == 0 && ends(number) {
		j.killed = number
	}
	groups := slices.Clone(j.groups)
	j.mu.Unlock()
	for _, g := range groups {
		s.thread.signal(-g, number)
	}
	s.mu.Lock()
	jobs := slices.Clone(s.jobs)
	s.mu.Unlock()
	for _, inner := range jobs {
		if inner.parent == j.id {
			s.signal(inner, number)
		}
	}
}
