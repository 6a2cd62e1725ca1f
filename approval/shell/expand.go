package shell

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// param expands a parameter. Operators that evaluate what a variable holds (${x@P}, ${!x}, subscripts) can
// run commands that stand nowhere in the text.
func (e *expansion) param(p *syntax.ParamExp, quoted bool) {
	w := e.w
	if p.Param == nil || p.Excl || p.Index != nil || p.Flags != nil || p.NestedParam != nil ||
		p.Modifiers != nil || p.Names != 0 || p.Width || p.IsSet {
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
		w.arithmetic(p.Slice.Length)
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
	return ok && (index.Lit() == "@" || index.Lit() == "*" || digits(index.Lit())) &&
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

// arithmetic follows an arithmetic expression and reports whether all it uses are numbers: a shell evaluates what
// variables hold, subscripts and the commands in them included.
func (w *walker) arithmetic(x syntax.ArithmExpr) bool {
	switch x := x.(type) {
	case nil:
		return true
	case *syntax.Word:
		return w.operand(x)
	case *syntax.ParenArithm:
		return w.arithmetic(x.X)
	case *syntax.UnaryArithm:
		sure := w.arithmetic(x.X)
		if x.Op == syntax.Inc || x.Op == syntax.Dec {
			sure = w.arithmeticSet(x.X, sure)
		}
		return sure
	case *syntax.BinaryArithm:
		right := w.arithmetic(x.Y)
		if x.Op == syntax.Assgn {
			return w.arithmeticSet(x.X, right)
		}
		left := w.arithmetic(x.X)
		if x.Op >= syntax.AddAssgn && x.Op <= syntax.ShrAssgn {
			return w.arithmeticSet(x.X, left && right)
		}
		return left && right
	}
	w.inner(x)
	w.opaqueNode(x, "arithmetic can evaluate what a variable holds")
	return false
}

// arithmeticSet assigns a number to the variable that x names.
func (w *walker) arithmeticSet(x syntax.ArithmExpr, sure bool) bool {
	word, ok := x.(*syntax.Word)
	if !ok || !syntax.ValidName(word.Lit()) {
		w.opaqueNode(x, "arithmetic can evaluate what a variable holds")
		return false
	}
	w.assigned(word.Lit(), value{tame: sure})
	return sure
}

// operand reports whether a word of an arithmetic expression is a number; otherwise the text is opaque.
func (w *walker) operand(x *syntax.Word) bool {
	if name := x.Lit(); syntax.ValidName(name) {
		if numeric(w.lookup(name)) {
			return true
		}
	} else if v := w.single(x); v.tame || v.known && (digits(v.text) || base(v.text)) {
		return true
	}
	w.opaqueNode(x, "arithmetic can evaluate what a variable holds")
	return false
}

// base reports whether s is a number as in 0x1f or 16#1f.
func base(s string) bool {
	return s != "" && s[0] >= '0' && s[0] <= '9' && !strings.ContainsAny(s, "[]$`(){} ")
}

// maxBraces bounds what the braces of one word may expand to.
const maxBraces = 256

// braces expands {a,b}; ok is false for what is a sequence or too much.
func braces(x *syntax.Word) (list []*syntax.Word, ok bool) {
	open := false
	for _, part := range x.Parts {
		if lit, ok := part.(*syntax.Lit); ok && strings.Contains(lit.Value, "{") {
			open = true
		}
	}
	if !open {
		return []*syntax.Word{x}, true
	}
	split := &syntax.Word{Parts: append([]syntax.WordPart(nil), x.Parts...)}
	if !syntax.SplitBraces(split) {
		return []*syntax.Word{x}, true
	}
	list = []*syntax.Word{{}}
	for _, part := range split.Parts {
		alternatives := []*syntax.Word{{Parts: []syntax.WordPart{part}}}
		if b, isBrace := part.(*syntax.BraceExp); isBrace {
			if alternatives, ok = braceElems(b); !ok {
				return nil, false
			}
		}
		if len(list)*len(alternatives) > maxBraces {
			return nil, false
		}
		list = product(list, alternatives)
	}
	return list, true
}

func braceElems(b *syntax.BraceExp) ([]*syntax.Word, bool) {
	if b.Sequence {
		return nil, false
	}
	var all []*syntax.Word
	for _, elem := range b.Elems {
		list, ok := braces(elem)
		if !ok || len(all)+len(list) > maxBraces {
			return nil, false
		}
		all = append(all, list...)
	}
	return all, true
}

func product(heads, tails []*syntax.Word) []*syntax.Word {
	var all []*syntax.Word
	for _, h := range heads {
		for _, t := range tails {
			all = append(all, &syntax.Word{Parts: append(h.Parts[:len(h.Parts):len(h.Parts)], t.Parts...)})
		}
	}
	return all
}

// glob appends the files that a pattern finds, or the word itself if there are none.
func (w *walker) glob(out []word, pattern, text string) []word {
	pattern = strings.ReplaceAll(pattern, "[!", "[^")
	if w.state.dirs == nil || len(w.state.dirs) > 1 && !path.IsAbs(pattern) || strings.Contains(pattern, "[[:") {
		return append(out, word{text: text})
	}
	found := []string{""}
	rest := strings.Split(pattern, "/")
	for i, part := range rest {
		found = w.globPart(found, part, i < len(rest)-1)
		if len(found) > maxFields {
			return append(out, word{text: text})
		}
	}
	if len(found) == 0 {
		return append(out, word{text: text, known: true, idle: true})
	}
	for _, name := range found {
		out = append(out, word{text: name, known: true, found: true})
	}
	return out
}

// globPart extends each of the names, which end in a slash or are empty, by what one part of a pattern finds.
func (w *walker) globPart(names []string, part string, more bool) []string {
	var found []string
	for _, dir := range names {
		if !strings.ContainsAny(part, "*?[") {
			plain := strings.ReplaceAll(part, `\`, "")
			name := dir + plain
			if !more && w.look(name).Kind != Missing {
				found = append(found, name)
			} else if more {
				found = append(found, name+"/")
			}
			continue
		}
		for _, entry := range w.list(dir) {
			name := entry.Name()
			if name[0] == '.' && !strings.HasPrefix(part, ".") {
				continue
			}
			if ok, _ := path.Match(part, name); !ok {
				continue
			}
			if more {
				name += "/"
			}
			found = append(found, dir+name)
		}
	}
	return found
}
