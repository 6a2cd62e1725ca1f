package runner

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"mvdan.cc/sh/v3/syntax"
)

// lastWords is how long the traps of a script may take when it is asked to end: less than it is given itself.
const lastWords = 200 * time.Millisecond

const sigTerm = 15

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
func (s *subshell) over() bool { return s.trapped.Load() && !s.last.Load() && s.asked.Err() != nil }

// trapsTerm reports whether a tree may set a trap for SIGTERM. It gets a last command, before which that can run.
func trapsTerm(file *syntax.File) (found bool) {
	syntax.Walk(file, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 2 && c.Args[0].Lit() == "trap" {
			for _, w := range c.Args[2:] {
				number, ok := signalNumber(w.Lit())
				found = found || ok && number == sigTerm
			}
		}
		return !found
	})
	return found
}

// terminate is what a shell does instead of its next command when it is to end.
func terminate(c call) error {
	c.mu.Lock()
	text, trapped := c.traps[sigTerm]
	delete(c.traps, sigTerm)
	c.mu.Unlock()
	if trapped && text != "" {
		c.subshell.last.Store(true)
		if err := c.native("eval", text); err != nil {
			return err
		}
		c.subshell.last.Store(false)
	}
	return c.native("exit", strconv.Itoa(128+sigTerm))
}

// last begins the trap for the end of a shell: its commands run even when the shell is to end.
func last(c call) error {
	c.subshell.last.Store(true)
	return c.status()
}
