package shell

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// state is what a shell would know at a place in the text.
type state struct {
	vars   map[string]value    // set by the text itself
	funcs  map[string]function // defined by the text itself
	locals map[string]shadow   // the variables that end with the present function
	left   *state              // what held where break, continue or return left something; never changed
	dirs   []string            // where it may be, absolute and without links resolved; nil if that is unknown
	args   []word              // $1 and so on
	zero   word                // $0
	taint  string              // why nothing can be taken for harmless any more: PATH was changed
	lost   bool                // anything may have happened to the variables
	depth  int                 // of function calls
}

// value is what a variable holds.
type value struct {
	text  string
	known bool
	tame  bool    // not known, but surely a number
	fixed bool    // it is readonly
	from  *lister // not known, but a name that this lists
}

// shadow is what a variable holds outside of the function that has its own.
type shadow struct {
	value
	set bool
}

// function is what a name may stand for.
type function struct {
	bodies  []*syntax.Stmt
	perhaps bool // or it is none
}

func (s *state) clone() *state {
	c := *s
	c.vars, c.funcs, c.locals = maps.Clone(s.vars), maps.Clone(s.funcs), maps.Clone(s.locals)
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
	s.mergeFunctions(other)
	s.mergeLocals(other)
	if !slices.Equal(s.args, other.args) {
		s.args = nil
	}
	if s.taint == "" {
		s.taint = other.taint
	}
	if other.left != nil {
		s.leave(other.left)
	}
	s.lost = s.lost || other.lost
	s.goAnywhere(other.dirs)
}

func (s *state) mergeFunctions(other *state) {
	for name, f := range s.funcs {
		if _, both := other.funcs[name]; !both && !f.perhaps {
			f.perhaps = true
			s.funcs[name] = f
		}
	}
	for name, theirs := range other.funcs {
		f, both := s.funcs[name]
		f.perhaps = !both || f.perhaps || theirs.perhaps
		f.bodies = slices.Clip(f.bodies)
		for _, body := range theirs.bodies {
			if !slices.Contains(f.bodies, body) {
				f.bodies = append(f.bodies, body)
			}
		}
		s.define(name, f)
	}
}

func (s *state) mergeLocals(other *state) {
	for name, l := range other.locals {
		if mine, both := s.locals[name]; !both || mine != l {
			s.shadow(name, shadow{set: true})
		}
	}
	for name, l := range s.locals {
		if other.locals[name] != l {
			s.locals[name] = shadow{set: true}
		}
	}
}

// leave notes what holds where something is left early.
func (s *state) leave(at *state) {
	left := at.clone()
	left.left = nil
	if s.left != nil {
		left.merge(s.left)
	}
	s.left = left
}

// land makes s what holds where something ends, which may have been left before.
func (s *state) land() {
	if s.left != nil {
		s.merge(s.left)
	}
}

// shadow notes what a variable holds outside of the present function.
func (s *state) shadow(name string, outside shadow) {
	if s.locals == nil {
		s.locals = map[string]shadow{}
	}
	s.locals[name] = outside
}

// differs reports whether something that was taken as known in start is different now.
func (s *state) differs(start *state) bool {
	if s.lost != start.lost || len(s.funcs) != len(start.funcs) || !slices.Equal(s.dirs, start.dirs) || !slices.Equal(s.args, start.args) {
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

func (s *state) define(name string, f function) {
	if s.funcs == nil {
		s.funcs = map[string]function{}
	}
	s.funcs[name] = f
}

// numeric reports whether a value is surely a number, or nothing.
func numeric(v value) bool {
	if !v.known {
		return v.tame
	}
	return v.text == "" || number(v.text)
}

// number reports whether s is a whole number for a shell, which takes 08 for a wrong one.
func number(s string) bool {
	return s != "" && digits(s) && (strings.TrimLeft(s, "-0") == "" || strings.TrimLeft(s, "-")[0] != '0')
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
