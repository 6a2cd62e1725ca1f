// Package scripted is a model that says what a TOML file tells it to, and that checks what it is told: for the demo,
// for tests, and to play a run again. It is used in place of a providers.Client, or behind one as a server.
//
// A script is a list of turns, which are used one after the other:
//
//	[[turn]]
//	text = "I will make the file."
//
//	[[turn.call]]
//	tool = "create_file"
//	args = { path = "hello.txt", content = "Hello" }
//
//	[[turn]]
//	text = "It is there."
//
//	[turn.expect]                    # what the model was told since the turn before
//	contains = ["created hello.txt"] # all of these, somewhere
//	excludes = ["error"]             # none of these
//
// Of a turn these may be given:
//
//	text         what the model says
//	call         what it wants done: tool, args (a table) or raw (text, to be no JSON), id (made up if absent)
//	expect       contains, excludes; tools: exactly the tools that are offered, in any order
//	finish       the finish_reason; without it "tool_calls" after calls, otherwise "stop"
//	delay, pace  durations such as "200ms": before the turn, and between its words
//	input, output  how many tokens the turn counts
//	error        the turn fails with this message instead
//	status       the HTTP status of the error, 500 if absent
//	retry_after  a duration that the error asks to wait, in whole seconds
//
// and of a server also
//
//	body         sent as it is instead of an answer, with status (200 if absent)
//	cut          true: the stream ends behind the text, without a farewell
//
// With repeat = true at the top the script begins again when it is used up, otherwise one turn more is an error. An
// expectation that is not met is an error that names the turn and its line, and says what the model was told.
package scripted

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

type script struct {
	Repeat bool   `toml:"repeat"`
	Turns  []turn `toml:"turn"`
}

type turn struct {
	Text   string `toml:"text"`
	Calls  []call `toml:"call"`
	Expect expect `toml:"expect"`
	Finish string `toml:"finish"`

	Delay  duration `toml:"delay"`
	Pace   duration `toml:"pace"`
	Input  int      `toml:"input"`
	Output int      `toml:"output"`

	Error      string   `toml:"error"`
	Status     int      `toml:"status"`
	RetryAfter duration `toml:"retry_after"`
	Body       string   `toml:"body"`
	Cut        bool     `toml:"cut"`

	where string // "turn 2 (demo.toml:14)"
}

type call struct {
	ID   string         `toml:"id"`
	Tool string         `toml:"tool"`
	Args map[string]any `toml:"args"`
	Raw  *string        `toml:"raw"`

	text string // the arguments, encoded
}

type expect struct {
	Contains []string  `toml:"contains"`
	Excludes []string  `toml:"excludes"`
	Tools    *[]string `toml:"tools"`
}

type duration time.Duration

func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = duration(v)
	return err
}

// Load reads a script from a file.
func Load(path string) (*Model, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Parse reads a script; name stands for its file in errors.
func Parse(name string, data []byte) (*Model, error) {
	var s script
	d := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return nil, fmt.Errorf("%s:%w", name, located(err))
	}
	lines := turnLines(data)
	for i := range s.Turns {
		t := &s.Turns[i]
		t.where = fmt.Sprintf("turn %d", i+1)
		if i < len(lines) {
			t.where = fmt.Sprintf("turn %d (%s:%d)", i+1, name, lines[i])
		}
		if err := t.prepare(i); err != nil {
			return nil, fmt.Errorf("%s: %w", t.where, err)
		}
	}
	return &Model{script: s, name: name}, nil
}

// prepare fills in what a turn leaves out.
func (t *turn) prepare(n int) error {
	for i := range t.Calls {
		c := &t.Calls[i]
		if c.ID == "" {
			c.ID = fmt.Sprintf("scripted_%d_%d", n+1, i+1)
		}
		switch {
		case c.Raw != nil && c.Args != nil:
			return fmt.Errorf("call %d has both args and raw", i+1)
		case c.Raw != nil:
			c.text = *c.Raw
		case c.Args == nil:
			c.text = "{}"
		default:
			text, err := json.Marshal(c.Args)
			if err != nil {
				return fmt.Errorf("call %d: %w", i+1, err)
			}
			c.text = string(text)
		}
	}
	if t.Finish == "" {
		t.Finish = "stop"
		if len(t.Calls) > 0 {
			t.Finish = "tool_calls"
		}
	}
	return nil
}

// located puts the place of an error in front of it: "12:1: ...".
func located(err error) error {
	var unknown *toml.StrictMissingError
	var bad *toml.DecodeError
	switch {
	case errors.As(err, &unknown) && len(unknown.Errors) > 0:
		row, column := unknown.Errors[0].Position()
		return fmt.Errorf("%d:%d: unknown key %v", row, column, unknown.Errors[0].Key())
	case errors.As(err, &bad):
		row, column := bad.Position()
		return fmt.Errorf("%d:%d: %w", row, column, err)
	}
	return fmt.Errorf(" %w", err)
}

// turnLines finds the lines that [[turn]] stands on.
func turnLines(data []byte) []int {
	var lines []int
	p := unstable.Parser{}
	p.Reset(data)
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.ArrayTable {
			continue
		}
		keys := e.Key()
		if keys.Next() && string(keys.Node().Data) == "turn" && keys.IsLast() {
			lines = append(lines, p.Shape(keys.Node().Raw).Start.Line)
		}
	}
	return lines
}
