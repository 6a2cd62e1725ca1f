package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"tricode/providers"
)

// file is what can stand in a configuration file.
type file struct {
	Provider    string                      `toml:"provider"`
	Model       string                      `toml:"model"`
	TrustMode   bool                        `toml:"trust_mode"`
	Providers   map[string]providers.Config `toml:"providers"`
	Permissions permissions                 `toml:"permissions"`
	Agent       agentTable                  `toml:"agent"`
	Sandbox     sandboxTable                `toml:"sandbox"`
	Hooks       []hookTable                 `toml:"hooks"`
	Terminal    terminalTable               `toml:"terminal"`
}

type terminalTable struct {
	Notify bool `toml:"notify"`
}

type permissions struct {
	Mode                  string   `toml:"mode"`
	Profile               string   `toml:"profile"`      // another name of mode
	DefaultMode           string   `toml:"default_mode"` // and another
	TrustMode             bool     `toml:"trust_mode"`
	Default               string   `toml:"default"`
	Protected             []string `toml:"protected"`
	MaxUntrackedDeletes   int      `toml:"max_untracked_deletes"`
	AdditionalDirectories []string `toml:"additional_directories"`

	Tools map[string]string `toml:"tools"`
	Rules []rule            `toml:"rules"`
	Tests []test            `toml:"tests"`
}

type agentTable struct {
	Plan      string             `toml:"plan"`
	MaxTurns  int                `toml:"max_turns"`
	MaxTokens int                `toml:"max_tokens"`
	MaxCost   float64            `toml:"max_cost"` // in US dollars
	MaxTime   providers.Duration `toml:"max_time"`
}

// document is a file that was understood, and where in it things stand.
type document struct {
	name string
	data []byte
	file file
	outline
}

// parse understands a whole file or says what is wrong with it. name is for messages.
func parse(name string, data []byte) (*document, error) {
	d := &document{name: name, data: bytes.TrimPrefix(data, []byte("\uFEFF"))}
	if err := d.decode(&d.file); err != nil {
		return nil, err
	}
	return d, nil
}

// decode understands a whole file as what into points to.
func (d *document) decode(into any) error {
	if !utf8.Valid(d.data) {
		return d.wrong(invalid(d.data), "the file is not text in UTF-8")
	}
	if m := d.read(d.data, reflect.TypeOf(into).Elem()); m != nil {
		return d.wrong(m.offset, m.text)
	}
	err := toml.Unmarshal(d.data, into)
	if err == nil {
		err = d.parser.Error() // the decoder has a parser of its own, and both must be content
	}
	var at *toml.DecodeError
	switch {
	case errors.As(err, &at):
		return d.wrong(d.offset(at.Position()), explain(at))
	case err != nil: // without a position, and perhaps with values in it
		return &Error{File: d.name, Text: "it is not TOML as tricode understands it"}
	}
	return nil
}

// explain is the decoder's message, with what a person is not likely to know. It has no values in it; String, which
// shows the lines around, would.
func explain(err *toml.DecodeError) string {
	text := strings.TrimPrefix(err.Error(), "toml: ")
	if strings.Contains(text, "escape") {
		text += ` (write a backslash as \\, or use 'single quotes')`
	}
	return text
}

// wrong is an error at an offset.
func (d *document) wrong(offset int, text string) *Error {
	before := d.data[:min(max(offset, 0), len(d.data))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return &Error{
		File: d.name, Line: bytes.Count(before, []byte("\n")) + 1, Column: utf8.RuneCount(before[start:]) + 1, Text: text,
	}
}

// wrongValue is an error at the value of a key, which is followed by what is wrong.
func (d *document) wrongValue(key, format string, args ...any) *Error {
	return d.wrong(d.places[key].value, last(key)+" "+fmt.Sprintf(format, args...))
}

// last is a key without its table.
func last(key string) string {
	return key[strings.LastIndexByte(key, '.')+1:]
}

// offset is where a line and a column begin; both count from 1, the column in bytes.
func (d *document) offset(line, column int) int {
	offset := 0
	for ; line > 1; line-- {
		offset += bytes.IndexByte(d.data[offset:], '\n') + 1
	}
	return offset + column - 1
}

// invalid is where the first byte stands that is not UTF-8.
func invalid(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(data)
}

func readAll(f *os.File) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("it has more than %d bytes", maxFile)
	}
	return data, err
}
