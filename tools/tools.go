// Package tools is what the model can ask for: one file for each tool, one list in all.go.
//
// A tool's plan looks and changes nothing; it returns an approval.Action that describes what would happen. Only the
// gate can make it happen.
//
// What a tool starts is held in a box of the system ([Boxes]). Each step of a command line is decided about again when it
// is taken, and where the person wants a preview nothing that the line changes is kept before they have seen it.
package tools

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"tricode/approval"
	"tricode/workdir"
)

// Tool is something the model can ask for. Schema is the JSON Schema of the arguments. Plan decodes the arguments
// strictly; its error is an answer to the model and names the field that is wrong.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage
	Writes            bool // what its arguments say goes into a file and nowhere else
	Plan              func(ctx context.Context, args json.RawMessage) (*approval.Action, error)
}

// writing is the tool with Writes set.
func (t Tool) writing() Tool {
	t.Writes = true
	return t
}

// draft is a text of a call that a person may write anew. in are the arguments of the call, and text is where in them it
// stands; check says what it cannot be, nil for anything.
func draft[In any](name string, in *In, text *string, check func(text string) error) *approval.Draft {
	return &approval.Draft{Name: name, Text: *text, Input: func(now string) (string, error) {
		if check != nil {
			if err := check(now); err != nil {
				return "", err
			}
		}
		*text = now
		return encoded(in)
	}}
}

func encoded(in any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(in)
	return strings.TrimSuffix(b.String(), lf), err
}

// New makes a tool whose arguments are the exported fields of the struct In: the json tag names the parameter, with
// omitempty or omitzero it is optional; doc describes it, default and enum (comma-separated) say the obvious. A path that plan finds
// outside the work directory becomes an action that the policy denies, not an error. A description that would only
// repeat the name is left empty: every request pays for it.
func New[In any](name, description string, plan func(context.Context, In) (*approval.Action, error)) Tool {
	schema := schemaOf[In]()
	return Tool{Name: name, Description: description, Schema: schema.text,
		Plan: func(ctx context.Context, args json.RawMessage) (*approval.Action, error) {
			var in In
			given, err := schema.decode(args, &in)
			if err != nil {
				return nil, err
			}
			a, err := plan(ctx, in)
			var outside *workdir.OutsideError
			if errors.As(err, &outside) {
				a, err = approval.Impossible(name+" "+outside.Name, err, approval.Subject{Effects: approval.Outside, Path: outside.Path}), nil
			}
			if err != nil {
				return nil, err
			}
			a.Tool = name
			a.Preview.Arguments = given
			return a, nil
		}}
}
