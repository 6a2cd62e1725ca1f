package tools

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"tricode/approval"
)

// What the decoder tells a model about its mistakes.

var wanted = map[reflect.Kind]string{
	reflect.String: "a string", reflect.Int: "an integer", reflect.Bool: "true or false", reflect.Slice: "a list", reflect.Struct: "an object",
	reflect.Map: "an object",
}

func mismatch(kind reflect.Kind, got json.Token, at string) error {
	if got == nil {
		return &nullError{at, wanted[kind]}
	}
	return fmt.Errorf("%s: want %s, got %s", whole(at), wanted[kind], describe(got))
}

// nullError says that null stands where a value should. Models write it for what they leave out.
type nullError struct{ at, wanted string }

func (e *nullError) Error() string {
	return fmt.Sprintf("%s: want %s, got null", whole(e.at), e.wanted)
}

func describe(t json.Token) string {
	switch t := t.(type) {
	case string:
		return quote(t)
	case json.Delim:
		if t == '[' {
			return "a list"
		}
		return "an object"
	case nil:
		return "null"
	default:
		return cut(fmt.Sprint(t))
	}
}

// quote quotes text of unknown length.
func quote(s string) string { return strconv.Quote(cut(s)) }

// cut keeps an answer short whatever it has to quote; the limit is in bytes.
func cut(s string) string {
	const limit = 60
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "..."
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

func whole(at string) string {
	if at == "" {
		return "arguments"
	}
	return at
}

// suggest names the field that was probably meant, or all there are.
func suggest(name string, fields []field) string {
	names := make([]string, len(fields))
	nearest := ""
	for i, f := range fields {
		names[i] = f.name
		if strings.HasSuffix(name, f.name) { // file_path for path
			nearest = f.name
		}
	}
	if near := approval.Nearest(name, names); near != "" {
		nearest = near
	}
	switch {
	case nearest != "":
		return fmt.Sprintf("did you mean %q?", nearest)
	case len(fields) == 0:
		return "there are none"
	}
	return "there are " + strings.Join(names, ", ")
}
