package tools

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// schema is the arguments of one tool: what the model is sent, and what its calls are held against.
//
// It is built here and not by a library because it is paid for at every start and in every request: this takes
// a few microseconds a tool where github.com/google/jsonschema-go takes 66, says nothing that a model does not
// need, and its errors are written for the model. Validating first and decoding afterwards would also read the
// arguments twice, with two opinions on duplicate names and letter case.
type schema struct {
	text []byte
	root *shape
}

// shape is the type of a value: a string, an int, a bool, a slice of one shape, a struct, or a map: any object, as
// text.
type shape struct {
	kind   reflect.Kind
	elem   *shape  // of a slice
	fields []field // of a struct
}

// field is a parameter, or a field of a struct inside of one.
type field struct {
	name, doc string
	index     int
	shape     *shape
	optional  bool
	enum      []string
	preset    reflect.Value // what is taken if the field is not given; invalid for the zero value
}

// schemaOf reads the exported fields of the struct In, as New describes them. It panics if it does not understand
// one: that is a mistake in this program, and any test that lists the tools finds it.
func schemaOf[In any]() *schema {
	root := shapeOf(reflect.TypeFor[In]())
	return &schema{text: root.append(nil), root: root}
}

func shapeOf(t reflect.Type) *shape {
	if t == reflect.TypeFor[json.RawMessage]() {
		return &shape{kind: reflect.Map}
	}
	s := &shape{kind: t.Kind()}
	switch s.kind {
	case reflect.String, reflect.Int, reflect.Bool:
	case reflect.Slice:
		s.elem = shapeOf(t.Elem())
	case reflect.Pointer:
		return shapeOf(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			s.fields = append(s.fields, fieldOf(f))
		}
	default:
		panic("tools: parameters cannot have the type " + t.String())
	}
	return s
}

func fieldOf(sf reflect.StructField) field {
	name, options, _ := strings.Cut(sf.Tag.Get("json"), ",")
	f := field{name: name, doc: sf.Tag.Get("doc"), index: sf.Index[0], shape: shapeOf(sf.Type)}
	if name == "" || !sf.IsExported() {
		panic("tools: parameter " + sf.Name + " is not exported or has no name")
	}
	preset, ok := sf.Tag.Lookup("default")
	if ok {
		f.preset = presetOf(sf.Type, preset)
	}
	if enum := sf.Tag.Get("enum"); enum != "" {
		f.enum = strings.Split(enum, ",")
		if f.shape.kind != reflect.String {
			panic("tools: parameter " + name + " is not a string and has an enum")
		}
	}
	f.optional = ok || options != "" || sf.Type.Kind() == reflect.Pointer
	return f
}

// presetOf reads the value of a default tag.
func presetOf(t reflect.Type, text string) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			panic("tools: default: " + err.Error())
		}
		v.SetInt(int64(n))
	case reflect.Bool:
		v.SetBool(text == "true")
	default:
		panic("tools: a " + t.String() + " cannot have a default")
	}
	return v
}

var typeNames = map[reflect.Kind]string{
	reflect.String: "string", reflect.Int: "integer", reflect.Bool: "boolean", reflect.Slice: "array", reflect.Struct: "object",
	reflect.Map: "object",
}

// append writes the JSON Schema of s. Texts are quoted as Go quotes them, which for printable text is JSON, without
// the escapes that encoding/json makes for HTML.
func (s *shape) append(b []byte) []byte {
	b = append(b, '{')
	b = s.appendType(b)
	return append(b, '}')
}

func (s *shape) appendType(b []byte) []byte {
	b = fmt.Appendf(b, `"type":%q`, typeNames[s.kind])
	switch s.kind {
	case reflect.Slice:
		b = s.elem.append(append(b, `,"items":`...))
	case reflect.Struct:
		b = append(b, `,"properties":{`...) // servers want it of an object without properties too
		var required []string
		for i, f := range s.fields {
			if i > 0 {
				b = append(b, ',')
			}
			b = f.append(b)
			if !f.optional {
				required = append(required, strconv.Quote(f.name))
			}
		}
		b = append(b, '}')
		if required != nil {
			b = fmt.Appendf(b, `,"required":[%s]`, strings.Join(required, ","))
		}
	}
	return b
}

func (f *field) append(b []byte) []byte {
	b = append(strconv.AppendQuote(b, f.name), ":{"...)
	b = f.shape.appendType(b)
	if f.doc != "" {
		b = fmt.Appendf(b, `,"description":%q`, f.doc)
	}
	for i, word := range f.enum {
		b = append(b, [...]string{`,"enum":[`, ","}[min(i, 1)]...)
		b = strconv.AppendQuote(b, word)
	}
	if f.enum != nil {
		b = append(b, ']')
	}
	switch f.preset.Kind() {
	case reflect.String:
		b = fmt.Appendf(b, `,"default":%q`, f.preset.String())
	case reflect.Int, reflect.Bool:
		b = fmt.Appendf(b, `,"default":%v`, f.preset)
	}
	return append(b, '}')
}
