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
	return c.status()
}

// leave is exit. In the trap for the end it decides on the status, which the interpreter would not change any more.
func leave(c call) error {
	if len(c.args) > 0 && c.subshell.last.Load() && c.itself(c.hc) {
		if status, err := strconv.Atoi(c.args[0]); err == nil {
			c.subshell.leaves.Store(int32(status&0xff) + 1)
		}
	}
	return c.native(append([]string{"exit"}, c.args...)...)
}
