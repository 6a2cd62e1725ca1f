package runner

import (
	"fmt"
	"math/bits"
	"reflect"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// untrapped is the signal that ends a shell.
type untrapped int

func (n untrapped) Error() string { return fmt.Sprintf("ended by signal %d", int(n)) }

// itself reports whether it is the shell itself that calls, and not a part of it: ( ), $( ), a part of a pipeline or a job. The
// interpreter has no name for that but the field that is read here.
func (s *subshell) itself(hc interp.HandlerContext) bool {
	return reflect.ValueOf(hc).FieldByName("runner").Pointer() == reflect.ValueOf(s.runner).Pointer()
}

// self is a signal to the shell itself, from any part of it. As in bash(1), its trap runs when the command that runs now has
// ended.
func (c call) self(number int) error {
	c.mu.Lock()
	text, trapped := c.traps[number]
	c.mu.Unlock()
	switch {
	case number == 0 || trapped && text == "" || !trapped && !ends(number):
	case trapped:
		c.pending.Or(bit(number))
		select {
		case c.woken <- struct{}{}:
		default: // it is to wake anyway
		}
	case c.itself(c.hc):
		return c.die(number)
	default:
		c.ask(untrapped(number))
	}
	return nil
}

// die ends a shell as a signal does.
func (c call) die(number int) error {
	if number == sigKill {
		if err := c.native("trap", "-", "EXIT"); err != nil {
			return err
		}
	}
	return c.native("exit", strconv.Itoa(128+number))
}

// bit is a signal in a set of signals, first the one with the lowest number.
func bit(number int) uint64    { return 1 << (number - 1) }
func first(pending uint64) int { return bits.TrailingZeros64(pending) + 1 }

// ignore is how a shell begins that some signals do nothing to.
func (s *subshell) ignore(set uint64) {
	for ; set != 0; set &= set - 1 {
		if s.traps == nil {
			s.traps = map[int]string{}
		}
		s.traps[first(set)] = ""
	}
}

// take runs the traps that are to run. It keeps the status of the command before, unless one of them ends the shell.
func take(c call) error {
	if c.pending.Load() == 0 || !c.itself(c.hc) {
		return c.status()
	}
	for pending := c.pending.Swap(0); pending != 0; pending &= pending - 1 {
		c.mu.Lock()
		text := c.traps[first(pending)]
		c.mu.Unlock()
		c.native("eval", text) // after one that ends the shell, the interpreter evaluates nothing more
	}
	return c.native("eval", fmt.Sprintf("%[1]send %[2]d && %[1]sfine", mark, c.hc.LastExitStatus))
}

// trapped takes what is pending, and then does the command that was to run.
func trapped(c call) error {
	take(c)
	words := make([]string, len(c.args))
	for i, a := range c.args {
		words[i] = quote(a)
	}
	return c.native("eval", strings.Join(words, " "))
}

// taken is a call of take whose status neither ends the shell nor sets off the trap for failures.
func taken() *syntax.Stmt {
	return unnoticed(special("take").Cmd)
}

// trapsSignals reports whether any text so far may set a trap for a signal.
func (s *session) trapsSignals() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.signaled
}

// mayBeSignal reports whether a word of trap names a signal or may expand to one.
func mayBeSignal(w *syntax.Word) bool {
	number, ok := signalNumber(w.Lit())
	return w.Lit() == "" || ok && number > 0
}
