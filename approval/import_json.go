package approval

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// object is a JSON object in the order of the file, which matters where the last match wins.
type object []member

type member struct {
	key   string
	value any // string, bool, json.Number, nil, []any or object
}

func (o object) get(key string) any {
	for _, m := range o {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// parseJSON reads an object; comments and commas before a closing bracket are what several agents accept.
func parseJSON(text string) (object, error) {
	d := json.NewDecoder(strings.NewReader(withoutComments(text)))
	d.UseNumber()
	v, err := parseValue(d, 0)
	if err == nil && d.More() {
		err = errors.New("more follows the object")
	}
	if err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	o, _ := v.(object)
	return o, nil
}

const maxNesting = 64

func parseValue(d *json.Decoder, depth int) (any, error) {
	if depth > maxNesting {
		return nil, errors.New("it is nested too deep")
	}
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		return parseObject(d, depth)
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := parseValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err
	}
	return token, nil
}

func parseObject(d *json.Decoder, depth int) (any, error) {
	o, seen := object{}, map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string)
		if seen[key] { // which of the two counts, and where, differs between readers
			return nil, fmt.Errorf("%q is there twice", key)
		}
		seen[key] = true
		v, err := parseValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		o = append(o, member{key, v})
	}
	_, err := d.Token()
	return o, err
}

// withoutComments replaces comments and dangling commas by blanks.
func withoutComments(text string) string {
	b := []byte(text)
	comma := -1
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] == '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
			comma = -1
		case b[i] == '/' && i+1 < len(b) && b[i+1] == '/':
			for ; i < len(b) && b[i] != '\n'; i++ {
				b[i] = ' '
			}
		case b[i] == '/' && i+1 < len(b) && b[i+1] == '*':
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				return text
			}
			for end += i + 4; i < end; i++ {
				b[i] = ' '
			}
			i--
		case b[i] == ',':
			comma = i
		case (b[i] == ']' || b[i] == '}') && comma >= 0:
			b[comma] = ' '
			comma = -1
		case b[i] > ' ':
			comma = -1
		}
	}
	return string(b)
}

// stringsOf is a list of strings; anything else is an error.
func stringsOf(key string, v any) ([]string, error) {
	if v == nil {
		return nil, nil
	}
	if s, ok := v.(string); ok {
		return []string{s}, nil
	}
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%s is not a list of strings", key)
	}
	all := make([]string, 0, len(list))
	for _, item := range list {
		s, ok := item.(string)
		if !ok {
			return nil, fmt.Errorf("%s is not a list of strings", key)
		}
		all = append(all, s)
	}
	return all, nil
}

// stringOf is a string, empty if there is none; anything else is an error.
func stringOf(key string, v any) (string, error) {
	s, ok := v.(string)
	if v != nil && !ok {
		return "", fmt.Errorf("%s is not a string", key)
	}
	return s, nil
}
