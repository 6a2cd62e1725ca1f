package runner

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/interp"
)

// expression is what test is given beyond three words. The interpreter would have ! count for all that follows, bash(1) for what is
// next; -a binds stronger than -o.
type expression struct {
	call
	left   []string
	failed error // the first mistake
}

func (c call) expression(words []string) error {
	e := &expression{call: c, left: words}
	truth := e.or()
	if len(e.left) > 0 && e.failed == nil {
		e.failed = c.fail(2, "too many arguments")
	}
	switch {
	case e.failed != nil:
		return e.failed
	case !truth:
		return interp.ExitStatus(1)
	}
	return nil
}

func (e *expression) or() bool {
	truth := e.and()
	for e.next("-o") {
		truth = e.and() || truth
	}
	return truth
}

func (e *expression) and() bool {
	truth := e.not()
	for e.next("-a") {
		truth = e.not() && truth
	}
	return truth
}

func (e *expression) not() bool {
	if e.next("!") {
		return !e.not()
	}
	return e.primary()
}

func (e *expression) primary() bool {
	n := 1
	switch {
	case e.failed != nil:
		return false
	case len(e.left) == 0:
		e.failed = e.fail(2, "argument expected")
		return false
	case e.next("("):
		truth := e.or()
		if !e.next(")") && e.failed == nil {
			e.failed = e.fail(2, "`)' expected")
		}
		return truth
	case len(e.left) > 2 && strings.Contains(" = == != < > -eq -ne -lt -le -gt -ge -nt -ot -ef ", " "+e.left[1]+" "):
		n = 3
	case len(e.left) > 1 && len(e.left[0]) == 2 && e.left[0][0] == '-':
		n = 2
	}
	part := e.call
	part.name, part.args, e.left = "test", e.left[:n], e.left[n:]
	err := test(part)
	var status interp.ExitStatus
	if errors.As(err, &status) && status > 1 {
		e.failed = err
	}
	return err == nil
}

// next takes a word if it is the next one.
func (e *expression) next(word string) bool {
	is := e.failed == nil && len(e.left) > 0 && e.left[0] == word
	if is {
		e.left = e.left[1:]
	}
	return is
}
