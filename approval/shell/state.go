package shell

import (
	"maps"
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// state is what a shell would know at a place in the text.
type state struct {
	vars  map[string]value        // set by the text itself
	funcs map[string]*syntax.Stmt // defined by the text itself
	dirs  []string                // where it may be, absolute and without links resolved; nil if that is unknown
	args  []word                  // $1 and so on
	zero  word                    // $0
	taint string                  // why nothing can be taken for harmless any more: PATH was changed
	lost  bool                    // anything may have happened to the variables
	depth int                     // of function calls
}

// value is what a variable holds.
type value struct {
	text  string
	known bool
	tame  bool // not known, but surely a number
}

func (s *state) clone() *state {
	c := *s
	c.vars, c.funcs = maps.Clone(s.vars), maps.Clone(s.funcs)
	return &c
}

func (s *state) set(name string, v value) {
	if s.vars == nil {
		s.vars = map[string]value{}
	}
	s.vars[name] = v
}

// forget gives up what is known about all variables, after something that may have set any of them.
func (s *state) forget() { s.vars, s.lost = nil, true }

// merge makes s what holds after either s or other.
func (s *state) merge(other *state) {
	for name, v := range other.vars {
		if s.vars[name] != v {
			s.set(name, value{tame: numeric(v) && numeric(s.vars[name])})
		}
	}
	for name, v := range s.vars {
		if other.vars[name] != v {
			s.vars[name] = value{tame: numeric(v) && numeric(other.vars[name])}
		}
	}
	for name, f := range other.funcs {
		s.define(name, f)
	}
	if s.taint == "" {
		s.taint = other.taint
	}
	s.lost = s.lost || other.lost
	s.goAnywhere(other.dirs)
}

// differs reports whether something that was taken as known in start is different now.
func (s *state) differs(start *state) bool {
	if s.lost != start.lost || len(s.funcs) != len(start.funcs) || !slices.Equal(s.dirs, start.dirs) {
		return true
	}
	for name, v := range s.vars {
		was, set := start.vars[name]
		switch {
		case v == was && set, set && !was.known && !was.tame, set && was.tame && numeric(v):
		case set || name == "HOME" || name == "PWD" || name == "IFS" || digits(name):
			return true
		}
	}
	return false
}

// goAnywhere adds places where the shell may be; nil is anywhere.
func (s *state) goAnywhere(dirs []string) {
	if dirs == nil || s.dirs == nil {
		s.dirs = nil
		return
	}
	for _, d := range dirs {
		if slices.Contains(s.dirs, d) {
			continue
		}
		if len(s.dirs) == maxDirs {
			s.dirs = nil
			return
		}
		s.dirs = append(s.dirs[:len(s.dirs):len(s.dirs)], d)
	}
}

// maxDirs is how many places a shell may be in before it may be anywhere.
const maxDirs = 8

func (s *state) define(name string, body *syntax.Stmt) {
	if s.funcs == nil {
		s.funcs = map[string]*syntax.Stmt{}
	}
	s.funcs[name] = body
}

// numeric reports whether a value is surely a number, or nothing.
func numeric(v value) bool {
	if !v.known {
		return v.tame
	}
	return digits(v.text)
}

// digits reports whether s consists of ASCII digits, after a sign perhaps; the empty string does.
func digits(s string) bool {
	for i := 0; i < len(s); i++ {
		if (s[i] < '0' || s[i] > '9') && (i > 0 || s[i] != '-' || len(s) == 1) {
			return false
		}
	}
	return true
}
