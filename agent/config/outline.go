package config

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// mistake is something wrong at an offset of the document.
type mistake struct {
	offset int
	text   string
}

// outline goes over a document before it is decoded. It refuses what the decoder would let pass, keys in another
// letter case, or complain about in terms of Go, unknown keys and values of another type; and it remembers where
// things stand, which a decoded value does not tell.
type outline struct {
	parser unstable.Parser
	keys   []string         // of the values, dotted, in the order of the document; elements of arrays as in rules[0].tool
	places map[string]place // by the same keys, and by those of elements
	counts map[string]int   // how many elements an array of tables has so far
}

// place is where a setting stands, in bytes from the beginning of the document.
type place struct{ key, value int }

// section is a table of the document, or a value in one: its dotted key, the last part of that, and what can stand
// there.
type section struct {
	key, name string
	shape     reflect.Type
}

// read goes over the document as far as it can be parsed; where it cannot is for the decoder to say.
func (o *outline) read(data []byte, shape reflect.Type) *mistake {
	o.places, o.counts = map[string]place{}, map[string]int{}
	o.parser.Reset(data)
	root := section{shape: shape}
	at := root
	for o.parser.NextExpression() {
		var wrong *mistake
		switch e := o.parser.Expression(); e.Kind {
		case unstable.KeyValue:
			wrong = o.setting(e, at)
		default:
			at, wrong = o.table(e, root)
		}
		if wrong != nil {
			return wrong
		}
	}
	return nil
}

// table enters the table of a header.
func (o *outline) table(e *unstable.Node, root section) (section, *mistake) {
	s, offset, wrong := o.follow(e.Key(), root)
	switch {
	case wrong != nil:
		return s, wrong
	case e.Kind == unstable.ArrayTable && isTables(s.shape):
		return o.element(s, offset), nil
	case e.Kind == unstable.ArrayTable:
		return s, &mistake{offset, fmt.Sprintf("%s must be %s, not an array of tables", s.name, wanted(s.shape))}
	case !isTable(s.shape):
		return s, &mistake{offset, fmt.Sprintf("%s must be %s, not a table", s.name, wanted(s.shape))}
	}
	return s, nil
}

// element enters the next element of an array of tables.
func (o *outline) element(s section, offset int) section {
	n := o.counts[s.key]
	o.counts[s.key]++
	s = section{elementKey(s.key, n), s.name, s.shape.Elem()}
	o.places[s.key] = place{offset, offset}
	return s
}

func elementKey(array string, n int) string { return fmt.Sprintf("%s[%d]", array, n) }

// follow goes from a section to what a key means in it, and returns the offset of the key's last part too. A key
// that goes on behind an array of tables means the last of them.
func (o *outline) follow(key unstable.Iterator, s section) (section, int, *mistake) {
	offset := 0
	for key.Next() {
		name := string(key.Node().Data)
		if n := o.counts[s.key]; n > 0 && isTables(s.shape) {
			s.key, s.shape = elementKey(s.key, n-1), s.shape.Elem()
		}
		offset = int(key.Node().Raw.Offset)
		if !isTable(s.shape) {
			return s, offset, &mistake{offset, fmt.Sprintf("%s must be %s, not a table", s.name, wanted(s.shape))}
		}
		shape, known := member(s.shape, name)
		if shape == nil {
			text := "unknown key " + quote(name)
			if s.key != "" {
				text += " in [" + s.key + "]"
			}
			return s, offset, &mistake{offset, text + didYouMean(name, known)}
		}
		s = section{join(s.key, name), name, shape}
	}
	return s, offset, nil
}

// setting checks a key and its value.
func (o *outline) setting(e *unstable.Node, at section) *mistake {
	s, offset, wrong := o.follow(e.Key(), at)
	if wrong != nil {
		return wrong
	}
	where := place{offset, offset}
	if raw := e.Value().Raw; raw.Length > 0 { // the parser does not tell it of arrays
		where.value = int(raw.Offset)
	}
	if e.Value().Kind != unstable.InlineTable && !isTables(s.shape) { // what is in them has keys of its own
		o.keys = append(o.keys, s.key)
	}
	o.places[s.key] = where
	return o.value(e.Value(), s, where.value)
}

// value checks a value that stands at offset.
func (o *outline) value(v *unstable.Node, s section, offset int) *mistake {
	switch {
	case s.shape.Kind() == reflect.Interface:
		return nil
	case v.Kind == unstable.InlineTable && isTable(s.shape):
		for it := v.Children(); it.Next(); {
			if wrong := o.setting(it.Node(), s); wrong != nil {
				return wrong
			}
		}
		return nil
	case v.Kind == unstable.Array && isTables(s.shape):
		return o.elements(v, s, offset)
	case v.Kind == unstable.Array && s.shape.Kind() == reflect.Slice:
		for it := v.Children(); it.Next(); {
			if !fits(it.Node(), s.shape.Elem()) {
				return &mistake{offset, fmt.Sprintf("%s must be %s", s.name, wanted(s.shape))}
			}
		}
		return nil
	case fits(v, s.shape):
		return nil
	}
	return &mistake{offset, fmt.Sprintf("%s must be %s, not %s", s.name, wanted(s.shape), found(v.Kind))}
}

// elements checks an array of tables that is written as a value.
func (o *outline) elements(v *unstable.Node, s section, offset int) *mistake {
	for it := v.Children(); it.Next(); {
		if it.Node().Kind != unstable.InlineTable {
			return &mistake{offset, fmt.Sprintf("%s must be %s", s.name, wanted(s.shape))}
		}
		at := begin(it.Node(), offset)
		if wrong := o.value(it.Node(), o.element(s, at), at); wrong != nil {
			return wrong
		}
	}
	return nil
}

// begin is the offset of the first key of an inline table, or another where it has none.
func begin(table *unstable.Node, otherwise int) int {
	if it := table.Children(); it.Next() {
		if key := it.Node().Key(); key.Next() {
			return int(key.Node().Raw.Offset)
		}
	}
	return otherwise
}

// fits reports whether a single value can stand for the type.
func fits(v *unstable.Node, shape reflect.Type) bool {
	switch v.Kind {
	case unstable.String:
		return shape.Kind() == reflect.String || readsText(shape)
	case unstable.Integer:
		return shape.Kind() == reflect.Int || shape.Kind() == reflect.Float64
	case unstable.Float:
		return shape.Kind() == reflect.Float64
	case unstable.Bool:
		return shape.Kind() == reflect.Bool
	}
	return false
}

// isTable reports whether a table can stand for the type; any takes whatever is given.
func isTable(shape reflect.Type) bool {
	return shape.Kind() == reflect.Struct || shape.Kind() == reflect.Map || shape.Kind() == reflect.Interface
}

func isTables(shape reflect.Type) bool {
	return shape.Kind() == reflect.Slice && shape.Elem().Kind() == reflect.Struct
}

func readsText(shape reflect.Type) bool {
	return reflect.PointerTo(shape).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// member is what the name means in a table, nil if nothing, and all names that mean something.
func member(table reflect.Type, name string) (reflect.Type, []string) {
	switch table.Kind() {
	case reflect.Map:
		return table.Elem(), nil
	case reflect.Interface:
		return table, nil
	}
	var known []string
	for f := range table.Fields() {
		tag := f.Tag.Get("toml")
		switch tag {
		case "-":
		case name:
			if f.Type.Kind() == reflect.Pointer {
				return f.Type.Elem(), nil
			}
			return f.Type, nil
		default:
			known = append(known, tag)
		}
	}
	return nil, known
}

// wanted says what a person should write for the type.
func wanted(shape reflect.Type) string {
	switch shape.Kind() {
	case reflect.String, reflect.Int64: // the latter is a time as text
		return "a string"
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		if isTables(shape) {
			return "an array of tables"
		}
		if readsText(shape) {
			return "a string or an array of strings"
		}
		return "an array of strings"
	}
	return "a table"
}

func found(k unstable.Kind) string {
	switch k {
	case unstable.String:
		return "a string"
	case unstable.Integer:
		return "a whole number"
	case unstable.Float:
		return "a number with a fraction"
	case unstable.Bool:
		return "true or false"
	case unstable.Array:
		return "an array"
	case unstable.InlineTable:
		return "a table"
	}
	return "a date or time"
}

func join(table, name string) string {
	if strings.ContainsAny(name, ".\"") || name == "" {
		name = quote(name)
	}
	if table == "" {
		return name
	}
	return table + "." + name
}
