package runner

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"
)

// lastWords is how long the traps of a script may take when it is asked to end: less than it is given itself.
const lastWords = 200 * time.Millisecond

const sigKill, sigTerm = 9, 15

// end ends the script. If it has traps, its programs are asked to end and the shell itself ends at its next command, as
// after a SIGTERM.
func (s *session) end() {
	cause := context.Cause(s.asked)
	if !s.trapped.Load() {
		s.cancel(cause)
		return
	}
	time.AfterFunc(cmp.Or(s.script.lastWords, lastWords), func() { s.cancel(cause) })
}

// over reports whether a shell is to end and does not run its traps yet.
func (s *subshell) over() bool { return !s.last.Load() && s.asked.Err() != nil }

// terminate is what a shell does instead of its next command when it is to end.
func terminate(c call) error {
	var number untrapped
	if errors.As(context.Cause(c.asked), &number) {
		return c.die(int(number))
	}
	c.mu.Lock()
	text, trapped := c.traps[sigTerm]
	c.mu.Unlock()
	if trapped && text != "" && c.itself(c.hc) {
		c.mu.Lock()
		delete(c.traps, sigTerm)
		c.mu.Unlock()
		c.subshell.last.Store(true)
		if err := c.native("eval", text); err != nil {
			return err
		}
		c.subshell.last.Store(false)
	}
	return c.die(sigTerm)
}

// last begins the trap for the end of a shell: its commands run even when the shell is to end.
func last(c call) error {
	c.subshell.last.Store(true)
	if c.hc.Env.Get(enforcedVar).Str != "" {
		if err := c.native("set", "+e"); err != nil {
			return err
		}
	}
	if given := c.subshell.leaves.Load(); given > 0 && c.itself(c.hc) {
		return exit(int(given - 1))
	}
	return c.status()
}

// leave is exit. In a trap it decides on the status, which the interpreter would not change any more.
func leave(c call) error {
	if len(c.args) > 0 {
		status, alone := c.given()
		if !alone {
			status = 1
		}
		c.args = []string{strconv.Itoa(status)}
	}
	failing := c.hc.Env.Get(failureVar).Str != ""
	if (c.subshell.last.Load() || failing) && c.itself(c.hc) {
		status := int(c.hc.LastExitStatus)
		if len(c.args) > 0 {
			status = atoi(c.args[0])
		}
		if len(c.args) > 0 || failing {
			c.subshell.leaves.Store(int32(status&0xff) + 1)
		}
	}
	if failing {
		if err := c.enforce(); err != nil {
			return err
		}
	}
	if c.itself(c.hc) {
		c.subshell.failed.Store(c.commands.Load()) // it is no failure
	}
	return c.native(append([]string{"exit"}, c.args...)...)
}
