package runner

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// parameter follows ${10} and those behind it, which the interpreter does not know.
func (h *hoister) parameter(x *syntax.ParamExp) {
	if x.Param == nil || len(x.Param.Value) < 2 || strings.Trim(x.Param.Value, "0123456789") != "" {
		return
	}
	name := h.variable()
	call := special("parameter", name)
	words := call.Cmd.(*syntax.CallExpr)
	one := &syntax.ParamExp{Param: &syntax.Lit{Value: "@"}, Slice: &syntax.Slice{Offset: literal(x.Param.Value), Length: literal("1")}}
	words.Args = append(words.Args, &syntax.Word{Parts: []syntax.WordPart{&syntax.DblQuoted{Parts: []syntax.WordPart{one}}}})
	h.before = append(h.before, call)
	x.Param = &syntax.Lit{Value: name}
}

// parameter sets a variable to a value, or unsets it where none follows.
func parameter(c call) error {
	set := "unset " + c.args[0]
	if len(c.args) > 1 {
		set = c.args[0] + "=" + quote(c.args[1])
	}
	if err := c.native("eval", set); err != nil {
		return err
	}
	return c.status()
}

// indirect follows ${!x}, also with an operator, which the interpreter would leave out, and where x names elements.
func (h *hoister) indirect(x *syntax.ParamExp) {
	if !x.Excl || x.Names != 0 || x.Index != nil || x.Param == nil || x.Param.Value == "!" || h.mapped(x.Param.Value) && !h.keyed(x.Param.Value) {
		return // the last is the name that another stands for
	}
	name := h.variable()
	from := &syntax.ParamExp{Param: x.Param, Exp: &syntax.Expansion{Op: syntax.DefaultUnset, Word: literal("")}}
	plain := x.Exp == nil && x.Repl == nil && x.Slice == nil
	call := special("indirect", name, x.Param.Value)
	if plain {
		call = special("indirect-elements", name, x.Param.Value)
		x.Index = literal("@")
	}
	words := call.Cmd.(*syntax.CallExpr)
	words.Args = append(words.Args, &syntax.Word{Parts: []syntax.WordPart{&syntax.DblQuoted{Parts: []syntax.WordPart{from}}}})
	h.before = append(h.before, call)
	x.Excl, x.Short, x.Param = false, false, &syntax.Lit{Value: name}
}

// named is what the value of a variable may name: a variable, a parameter, elements of an array.
var named = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z_]\w*(\[[\w@*+.:/-]+\])?|[0-9]+)$`) })

// indirect gives a variable the value that another one has whose name is a value, or makes an array of its elements.
func indirect(c call) error {
	name, by, to := c.args[0], c.args[1], c.args[2]
	if !named().MatchString(to) {
		c.fail(1, "%s: invalid indirect expansion", by)
		return c.native("exit", "1")
	}
	text := "if [[ -n ${" + to + "+x} ]]; then " + name + "=${" + to + "}; else unset " + name + "; fi"
	if c.name == "indirect-elements" {
		text = name + `=("${` + to + `}")`
	}
	if err := c.native("eval", text); err != nil {
		return err
	}
	return c.status()
}

// hashed makes the elements of an associative array come in the order that they have in bash, not in any.
func (h *hoister) hashed(x *syntax.ParamExp) {
	if x.Param == nil || !allElements(x) || x.Length || x.Exp != nil || x.Repl != nil || x.Slice != nil || !h.mapped(x.Param.Value) {
		return
	}
	name, what := h.variable(), "values"
	if x.Excl {
		what = "keys"
	}
	h.before = append(h.before, special(what, name, x.Param.Value))
	x.Excl, x.Param = false, &syntax.Lit{Value: name}
}

// mapped reports whether any text so far declared an associative array of a name, or that the name stands for another.
func (s *session) mapped(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.maps[name]
	return ok
}

// keyed reports whether any text so far declared an associative array of a name.
func (s *session) keyed(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.maps[name]
}

// enumerated makes an array of the keys or the values of an array.
func enumerated(c call) error {
	from := c.args[1]
	v := c.hc.Env.Get(from)
	if name, to := v.Resolve(c.hc.Env); name != "" {
		from, v = name, to
	}
	if v.Kind != expand.Associative {
		if from += "[@]"; c.name == "keys" {
			from = "!" + from
		}
		if err := c.native("eval", c.args[0]+`=("${`+from+`}")`); err != nil {
			return err
		}
		return c.status()
	}
	list := bucketed(v.Map)
	for i, key := range list {
		if c.name == "values" {
			list[i] = v.Map[key]
		}
	}
	return c.prepare(c.args[0], list)
}

// bucketed are the keys in the order of the table in which bash keeps them: by the lowest bits of their FNV-1 hash.
func bucketed(m map[string]string) []string {
	size := uint32(1024)
	for len(m) > 2*int(size) {
		size *= 4
	}
	bucket := func(key string) uint32 {
		hash := uint32(2166136261)
		for i := 0; i < len(key); i++ {
			hash = hash*16777619 ^ uint32(int8(key[i]))
		}
		return hash % size
	}
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		if x, y := bucket(a), bucket(b); x != y {
			return int(x) - int(y)
		}
		return strings.Compare(b, a) // the newest one is the first there
	})
}
