package approval

import (
	"context"
	"errors"
)

// Asker puts an action to a person. The zero Answer is no; an error is no as well. An Asker that finds nobody to
// ask returns ErrNobody at once and never waits for somebody to come.
type Asker interface {
	Ask(ctx context.Context, a *Action, d Decision) (Answer, error)
}

// ErrNobody says that there is no terminal, or that it is not in front of this run.
var ErrNobody = errors.New("nobody is there to ask")

// Answer is what a person said.
type Answer struct {
	Choice Choice
	Reason string // why not, for the model; with Refuse only
	Input  string // the arguments as the person wants them; with Edited only
}

// Choice is one of the answers to the question.
type Choice int

// The choices. The zero value ends the run.
const (
	End    Choice = iota // 3: deny and end the run
	Once                 // 1: allow this action
	Always               // 2: allow this tool for the rest of the run
	Refuse               // n: deny this action, tell the model why, go on
	Again                // the policy was changed at the question: decide anew
	Edited               // e: plan the call anew with other arguments
)

// Redraft is the error of an action that was not performed because a person wants it with other arguments.
type Redraft struct{ Input string }

func (r *Redraft) Error() string { return "changed by a person" }
