package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tricode/approval"
)

// decode reads the arguments of a call into the struct that in points to and lists what was given, in the order of
// the fields. It takes one JSON object with known names, each once and spelt exactly, and with values of the right
// types; null stands for a field that is left out. No text at all, as many servers send it, is the empty object.
func (s *schema) decode(args json.RawMessage, in any) ([]approval.Argument, error) {
	if len(bytes.TrimSpace(args)) == 0 {
		args = json.RawMessage("{}")
	}
	if !utf8.Valid(args) {
		return nil, errors.New("arguments: not valid UTF-8")
	}
	d := decoder{json.NewDecoder(bytes.NewReader(args))}
	d.UseNumber()
	v := reflect.ValueOf(in).Elem()
	if err := d.want(reflect.Struct, ""); err != nil {
		return nil, err
	}
	given, err := d.object(s.root, v, "")
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("arguments: something follows the object")
	}
	var list []approval.Argument
	for i, f := range s.root.fields {
		if given[i] {
			list = append(list, approval.Argument{Name: f.name, Value: show(v.Field(f.index))})
		}
	}
	return list, nil
}

// show is a value as a person reads it: text as it is, everything else as JSON.
func show(v reflect.Value) string {
	v = reflect.Indirect(v)
	if v.Kind() == reflect.String {
		return v.String()
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v.Interface()); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// decoder reads values by their shapes. at is the name of what is read, "" for the arguments as a whole.
type decoder struct{ *json.Decoder }

func (d decoder) token() (json.Token, error) {
	t, err := d.Token()
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("arguments: not JSON: %w (byte %d)", err, syntax.Offset)
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return nil, errors.New("arguments: not JSON: the end is missing")
	case err != nil:
		return nil, fmt.Errorf("arguments: not JSON: %w", err)
	}
	return t, nil
}

// object reads the fields of a struct, after its brace, and reports which ones there were.
func (d decoder) object(s *shape, v reflect.Value, at string) (given []bool, err error) {
	given = make([]bool, len(s.fields))
	for {
		t, err := d.token()
		if err != nil {
			return nil, err
		}
		name, ok := t.(string)
		if !ok { // the closing brace: the decoder lets nothing else stand here
			break
		}
		i := slices.IndexFunc(s.fields, func(f field) bool { return f.name == name })
		switch {
		case i < 0:
			return nil, fmt.Errorf("%s: unknown field %s (%s)", whole(at), quote(name), suggest(name, s.fields))
		case given[i]:
			return nil, fmt.Errorf("%s: given twice", join(at, name))
		}
		given[i] = true
		f := &s.fields[i]
		err = d.field(f, v.Field(f.index), join(at, name))
		var null *nullError
		if errors.As(err, &null) && null.at == join(at, name) && f.optional {
			given[i] = false
			v.Field(f.index).SetZero()
			continue
		}
		if err != nil {
			return nil, err
		}
	}
	return given, s.complete(v, given, at)
}

// complete fills in what was not given.
func (s *shape) complete(v reflect.Value, given []bool, at string) error {
	var missing []string
	for i, f := range s.fields {
		switch {
		case given[i]:
		case !f.optional:
			missing = append(missing, join(at, f.name))
		case f.preset.IsValid():
			v.Field(f.index).Set(f.preset)
		}
	}
	if missing != nil {
		return fmt.Errorf("%s: missing", strings.Join(missing, ", "))
	}
	return nil
}

func (d decoder) field(f *field, v reflect.Value, at string) error {
	if err := d.value(f.shape, v, at); err != nil {
		return err
	}
	if f.enum != nil && !slices.Contains(f.enum, reflect.Indirect(v).String()) {
		return fmt.Errorf("%s: %s is not one of %s", at, quote(reflect.Indirect(v).String()), strings.Join(f.enum, ", "))
	}
	return nil
}

func (d decoder) value(s *shape, v reflect.Value, at string) error {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch s.kind {
	case reflect.Slice:
		return d.list(s, v, at)
	case reflect.Struct:
		if err := d.want(reflect.Struct, at); err != nil {
			return err
		}
		_, err := d.object(s, v, at)
		return err
	case reflect.Map:
		return d.raw(v, at)
	}
	t, err := d.token()
	if err != nil {
		return err
	}
	switch t := t.(type) {
	case string:
		if s.kind == reflect.String {
			v.SetString(t)
			return nil
		}
	case bool:
		if s.kind == reflect.Bool {
			v.SetBool(t)
			return nil
		}
	case json.Number:
		if n, ok := integer(t); ok && s.kind == reflect.Int {
			v.SetInt(n)
			return nil
		}
	}
	return mismatch(s.kind, t, at)
}

func (d decoder) list(s *shape, v reflect.Value, at string) error {
	if err := d.want(reflect.Slice, at); err != nil {
		return err
	}
	v.SetZero()
	for i := 0; d.More(); i++ {
		elem := reflect.New(v.Type().Elem()).Elem()
		if err := d.value(s.elem, elem, fmt.Sprintf("%s[%d]", at, i)); err != nil {
			return err
		}
		v.Set(reflect.Append(v, elem))
	}
	_, err := d.token()
	return err
}

// raw takes any object as it is written.
func (d decoder) raw(v reflect.Value, at string) error {
	var text json.RawMessage
	if err := d.Decode(&text); err != nil {
		return fmt.Errorf("arguments: not JSON: %w", err)
	}
	switch c := text[0]; {
	case c == 'n':
		return mismatch(reflect.Map, nil, at)
	case c != '{':
		return fmt.Errorf("%s: not an object", at)
	}
	v.SetBytes(text)
	return nil
}

// want reads the bracket that a list or an object begins with.
func (d decoder) want(kind reflect.Kind, at string) error {
	t, err := d.token()
	if err != nil {
		return err
	}
	if kind == reflect.Struct && t == json.Delim('{') || kind == reflect.Slice && t == json.Delim('[') {
		return nil
	}
	return mismatch(kind, t, at)
}

// integer reads a number without a fraction; 1.0 and 1e2 are such, as JSON Schema has it.
func integer(t json.Number) (int64, bool) {
	if n, err := strconv.ParseInt(t.String(), 10, strconv.IntSize); err == nil {
		return n, true
	}
	f, err := t.Float64()
	ok := err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<31 // exact, and an int everywhere
	return int64(f), ok
}
