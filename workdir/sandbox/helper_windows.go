package sandbox

import (
	"context"
	"errors"
	"os"
)

// Helpers tells whether command lines can be interpreted here by a helper.
const Helpers = false

type helpers struct{}

func (b *Box) dismiss() {}

// Warm does nothing where there are no helpers.
func (b *Box) Warm(*Limits) {}

// Holds returns that nothing holds a box here.
func (b *Box) Holds(context.Context, *Limits) (Mechanisms, error) { return 0, nil }

func (b *Box) help(context.Context, Cmd, []*os.File, bool) (*process, error) {
	return nil, errors.New("command lines cannot be interpreted on this system")
}

// Serve is for helpers, which are not started here.
func Serve(context.Context, func(context.Context, Script) (int, bool)) int { return statusHelper }

func userSpace() string { return "" }
