package runner

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/interp"
)

// wait waits for jobs; what a job is not is no child of this shell.
func wait(c call) error {
	args, next := c.args, false
	if len(args) > 0 && args[0] == "-n" {
		args, next = args[1:], true
	}
	if len(args) == 0 && !next {
		return c.waitAll()
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
		if _, err := c.await(j); err != nil {
			return err
		}
		c.forget(j)
		status = j.status
	}
	return exit(status)
}

// forget takes jobs off the list of those that nobody has waited for.
func (c call) forget(list ...*job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, j := range list {
		if j != nil {
			j.waited = true
		}
	}
}

// jobs lists the jobs that run.
func jobs(c call) error {
	running := slices.DeleteFunc(c.waited(nil), func(j *job) bool {
		select {
		case <-j.ended:
			return true
		default:
			return false
		}
	})
	processes := len(c.args) > 0 && strings.Contains(c.args[0], "p")
	var b strings.Builder
	for i, j := range running {
		if processes {
			fmt.Fprintln(&b, j.id)
			continue
		}
		fmt.Fprintf(&b, "[%d]%c  %-24s%d &\n", i+1, "+- "[min(len(running)-1-i, 2)], "Running", j.id)
	}
	return c.write(b.String())
}

// disown lets the list of jobs forget some: those that are named, all, or the last one.
func disown(c call) error {
	names := slices.DeleteFunc(slices.Clone(c.args), func(a string) bool { return strings.HasPrefix(a, "-") })
	list := c.waited(names)
	if len(c.args) == 0 && len(list) > 0 {
		list = list[len(list)-1:]
	}
	c.forget(list...)
	return nil
}

// waitAll waits for the jobs of the shell itself, so that signals interrupt it, and for what else this part of it has started.
func (c call) waitAll() error {
	if c.itself(c.hc) {
		c.mu.Lock()
		jobs := slices.DeleteFunc(slices.Clone(c.jobs), func(j *job) bool { return j.shell != c.subshell })
		c.mu.Unlock()
		for _, j := range jobs {
			if _, err := c.await(j); err != nil {
				return err
			}
		}
	}
	c.forget(c.waited(nil)...)
	return c.native("wait")
}

// await waits for the first of the jobs that ends. As in bash(1), a signal that has a trap ends that with a status of its own.
func (c call) await(jobs ...*job) (*job, error) {
	var woken, asked <-chan struct{}
	if c.itself(c.hc) {
		woken = c.woken
		if !c.subshell.last.Load() {
			asked = c.asked.Done()
		}
	}
	var cases []reflect.SelectCase
	for _, done := range []<-chan struct{}{c.ctx.Done(), asked, woken} {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(done)})
	}
	for _, j := range jobs {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(j.ended)})
	}
	for {
		switch i, _, _ := reflect.Select(cases); i {
		case 0:
			return nil, c.ctx.Err()
		case 1:
			return nil, interp.ExitStatus(128 + sigTerm) // the next command ends it
		case 2:
			if pending := c.pending.Load(); pending != 0 { // it may have been taken before
				return nil, exit(128 + first(pending))
			}
		default:
			return jobs[i-3], nil
		}
	}
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
	j, err := c.await(jobs...)
	if err != nil {
		return err
	}
	c.forget(j)
	return exit(j.status)
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
		return c.signals(targets)
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
			if err := c.self(number); err != nil {
				return err
			}
		case pid == 0 || pid == -1:
			return c.fail(1, "(%d) - Operation not permitted", pid)
		default:
			if err := c.thread.signal(pid, number); err != nil {
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

func capital(err error) string {
	text := reason(err).Error()
	return strings.ToUpper(text[:1]) + text[1:]
}
