package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// param expands a parameter. Operators that evaluate what a variable holds (${x@P}, ${!x}, subscripts) can
// run commands that stand nowhere in the text.
func (e *expansion) param(p *syntax.ParamExp, quoted bool) {
	w := e.w
	if p.Param == nil || p.Index != nil || odd(p) {
		w.inner(p)
		if !e.splat(p) {
			w.opaqueNode(p, "an expansion can evaluate what a variable holds")
		}
		e.lose()
		return
	}
	name := p.Param.Value
	switch {
	case p.Repl != nil:
		w.inner(p)
		e.lose()
	case p.Exp != nil:
		w.inner(p)
		switch {
		case p.Exp.Op == syntax.OtherParamOps:
			w.opaqueNode(p, "an expansion can evaluate what a variable holds")
		case p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull:
			w.assigned(name, value{})
		}
		e.lose()
	case p.Slice != nil:
		w.arithmetic(p.Slice.Offset)
		if w.arithmetic(p.Slice.Length) && !w.unsigned(p.Slice.Length) {
			w.opaqueNode(p, "where it fails, what follows in its line is skipped")
		}
		e.lose()
	case p.Length:
		e.number(true)
	case strings.Contains("?#$!", name):
		e.number(true)
	case name == "@" || name == "*":
		e.all(name == "@" && quoted)
	default:
		e.value(w.lookup(name), quoted)
	}
}

// splat reports whether p is ${name[@]}, which only lists.
func (e *expansion) splat(p *syntax.ParamExp) bool {
	index, ok := p.Index.(*syntax.Word)
	return ok && (index.Lit() == "@" || index.Lit() == "*" || numbered(index)) &&
		!p.Excl && p.Slice == nil && p.Flags == nil && p.NestedParam == nil && p.Names == 0 && p.Exp == nil && p.Repl == nil
}

// all expands "$@".
func (e *expansion) all(quoted bool) {
	args := e.w.state.args
	if args == nil || !quoted {
		e.lose()
		return
	}
	for i, a := range args {
		if i > 0 {
			e.flush()
		}
		if !a.known {
			e.lose()
			continue
		}
		e.add(a.text, true)
	}
}

// lookup is what a variable holds here.
func (w *walker) lookup(name string) value {
	if v, ok := w.state.vars[name]; ok {
		return v
	}
	switch {
	case w.state.lost:
	case name == "HOME" && w.r.Home() != "":
		return value{text: w.r.Home(), known: true}
	case name == "PWD" && len(w.state.dirs) == 1:
		return value{text: w.state.dirs[0], known: true}
	case name == "0" && w.state.zero.known:
		return value{text: w.state.zero.text, known: true}
	case len(name) == 1 && name[0] >= '1' && name[0] <= '9' && w.state.args != nil:
		if i := int(name[0] - '1'); i < len(w.state.args) {
			return value{text: w.state.args[i].text, known: w.state.args[i].known, tame: w.state.args[i].tame}
		}
		return value{known: true}
	case name == "RANDOM", name == "SECONDS", name == "LINENO", name == "EPOCHSECONDS", name == "UID", name == "EUID", name == "PPID":
		return value{tame: true}
	}
	return value{}
}

// odd reports whether an expansion is one that may evaluate what a variable holds, or of another shell.
func odd(p *syntax.ParamExp) bool {
	return p.Excl || p.Flags != nil || p.NestedParam != nil || p.Modifiers != nil || p.Names != 0 || p.Width || p.IsSet
}

// plainParam reports whether an expansion is what a variable holds and nothing else.
func plainParam(p *syntax.ParamExp) bool {
	return !odd(p) && p.Index == nil && p.Repl == nil && p.Exp == nil && p.Slice == nil && !p.Length
}
