package runner

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/interp"
)

// firstJob is above every process number of the systems: a job is a number that no process has.
const firstJob = 1 << 23

// job is what runs in the background. A program belongs to the job that started it.
type job struct {
	id, parent int
	ended      chan struct{} // closed when status is known

	mu     sync.Mutex
	once   sync.Once
	waited bool // by wait -n; guarded by the session
	status int
	killed int   // the signal that ended it
	groups []int // of the programs that run in it
}

var errKilled = errors.New("killed")

// spawn gives what is about to run in the background a job.
func spawn(c call) error {
	c.mu.Lock()
	j := &job{id: firstJob + len(c.jobs), parent: own(c.hc), ended: make(chan struct{})}
	c.jobs = append(c.jobs, j)
	c.mu.Unlock()
	if err := c.native("eval", fmt.Sprintf("%s=%d %s=%d", lastJob, j.id, ownJob, j.id)); err != nil {
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

// settle waits for everything that writes to a substitution.
func settle(c call) error {
	if err := c.native("wait"); err != nil {
		return err
	}
	return c.status()
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
		signal(-pid, late)
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
	if j.killed == 0 && ends(number) {
		j.killed = number
	}
	groups := slices.Clone(j.groups)
	j.mu.Unlock()
	for _, g := range groups {
		signal(-g, number)
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

// wait waits for jobs; what a job is not is no child of this shell.
func wait(c call) error {
	args, next := c.args, false
	if len(args) > 0 && args[0] == "-n" {
		args, next = args[1:], true
	}
	if len(args) == 0 && !next {
		return c.native("wait")
	}
	jobs := c.waited(args)
	if next {
		return c.first(jobs)
	}
	status := 0
	for i, j := range jobs {
		if j == nil {
			status = 127
			fmt.Fprintf(c.hc.Stderr, "%s: wait: pid %s is not a child of this shell\n", c.zero, args[i])
			continue
		}
		select {
		case <-j.ended:
			status = j.status
		case <-c.ctx.Done():
			return c.ctx.Err()
		}
	}
	return exit(status)
}

// waited are the jobs that the words name, nil for those that are none; all that nobody waited for if there are no
// words.
func (c call) waited(words []string) []*job {
	var jobs []*job
	for _, w := range words {
		id, _ := strconv.Atoi(w)
		jobs = append(jobs, c.job(id))
	}
	if len(words) > 0 {
		return jobs
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, j := range c.jobs {
		if j.parent == own(c.hc) && !j.waited {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// first waits for the next job that ends.
func (c call) first(jobs []*job) error {
	jobs = slices.DeleteFunc(jobs, func(j *job) bool { return j == nil })
	if len(jobs) == 0 {
		return interp.ExitStatus(127)
	}
	cases := []reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c.ctx.Done())}}
	for _, j := range jobs {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(j.ended)})
	}
	i, _, _ := reflect.Select(cases)
	if i == 0 {
		return c.ctx.Err()
	}
	c.mu.Lock()
	jobs[i-1].waited = true
	c.mu.Unlock()
	return exit(jobs[i-1].status)
}

// exit is the error that stands for a status.
func exit(status int) error {
	if status == 0 {
		return nil
	}
	return interp.ExitStatus(status)
}

// send sends a signal: to jobs, to this shell, or to processes as kill(1) does.
func send(c call) error {
	number, targets, err := c.signalOf(c.args)
	if err != nil {
		return c.fail(2, "%v", err)
	}
	if number < 0 {
		return c.write(strings.Join(signalNames(), " ") + "\n")
	}
	var failed error
	for _, t := range targets {
		pid, err := strconv.Atoi(t)
		if err != nil {
			failed = c.fail(1, "%s: arguments must be process or job IDs", t)
			continue
		}
		switch j := c.job(pid); {
		case j != nil:
			failed = errors.Join(failed, c.toJob(j, number))
		case pid == os.Getpid():
			return c.self(number)
		case pid == 0 || pid == -1:
			return c.fail(1, "(%d) - Operation not permitted", pid)
		default:
			if err := signal(pid, number); err != nil {
				failed = c.fail(1, "(%d) - %s", pid, capital(err))
			}
		}
	}
	return failed
}

// toJob sends a signal to a job that may have ended.
func (c call) toJob(j *job, number int) error {
	select {
	case <-j.ended:
		return c.fail(1, "(%d) - No such process", j.id)
	default:
	}
	if number != 0 {
		c.signal(j, number)
	}
	return nil
}

// self is a signal to the shell itself: its trap, or its end.
func (c call) self(number int) error {
	c.mu.Lock()
	text, trapped := c.traps[number]
	c.mu.Unlock()
	switch {
	case number == 0 || trapped && text == "" || !trapped && !ends(number):
		return nil
	case trapped:
		return c.native("eval", text)
	}
	return c.native("exit", strconv.Itoa(128+number))
}

func capital(err error) string {
	text := reason(err).Error()
	return strings.ToUpper(text[:1]) + text[1:]
}
