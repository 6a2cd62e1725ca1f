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
