// Package agent runs a task: it asks the model, plans each call the model makes, takes it to the gate and tells the
// model what came of it, until the model has nothing more to do.
//
// It reaches the world only through its Model and its Gate.
package agent

import (
	"context"
	"fmt"
	"io"
	"time"

	"tricode/approval"
	"tricode/providers"
	"tricode/tools"
)

// Model gives the next message of a conversation; onText gets the text while it arrives.
type Model interface {
	Complete(ctx context.Context, req providers.Request, onText func(string) error) (providers.Message, error)
}

// Gate performs actions, or refuses to. *approval.Gate is the one there is; tests may watch it.
type Gate interface {
	Do(ctx context.Context, a *approval.Action, live io.Writer) (approval.Result, error)
}

// Agent runs one task. Emit is told everything that happens; its error ends the run before anything else does.
type Agent struct {
	Model  Model
	Gate   Gate
	Tools  []tools.Tool
	Plan   *tools.Plan // shown when it changes; nil if there is no plan tool
	Emit   func(Event) error
	Limits Limits

	Secrets Secrets // nil: nothing is hidden

	Window  int                                     // how many tokens the model takes, its answer included; 0 if that is not known
	Reserve int                                     // how many of them an answer may have; 0 if that is not known
	Price   func(m providers.Message) (usd float64) // what a message of the model cost; nil if that is not known
	Keep    func() Keeper                           // keeps a text that is too long for the model; nil: it is lost

	talk      *conversation // the latest, and when it began
	began     time.Time
	turns     int
	spent     Spent
	denied    []string // what was denied in turns that were summed up
	planShown int
}

// ModelError says that the model could not be asked or gave no usable answer.
type ModelError struct{ Err error }

func (e *ModelError) Error() string { return e.Err.Error() }
func (e *ModelError) Unwrap() error { return e.Err }

// CrashError says that a tool panicked, or the run itself. The run ends, the transcript is whole.
type CrashError struct {
	Tool  string
	Cause any
}

func (e *CrashError) Error() string { return fmt.Sprintf("internal error in %s: %v", e.Tool, e.Cause) }

// maxReplans is how often a call is planned anew because the world changed under it.
const maxReplans = 3

// Run goes on from history until the model answers without a call, and returns that answer. Every call gets an
// answer, also when the run ends in an error, so that what was emitted can always be gone on from.
func (a *Agent) Run(ctx context.Context, history []providers.Message) (providers.Message, error) {
	a.recall(history)
	a.talk, a.began, a.turns = a.converse(history), time.Now(), 0
	if err := a.showPlan(); err != nil { // one that was begun with
		return providers.Message{}, err
	}
	return a.goOn(ctx)
}

// Continue tells the model one thing more after Run and goes on: in the same conversation, within the same limits.
func (a *Agent) Continue(ctx context.Context, text string) (providers.Message, error) {
	told := providers.Message{Role: providers.User, Text: text}
	if err := a.emit(Said{Message: told}); err != nil {
		return providers.Message{}, err
	}
	a.talk.add(told)
	return a.goOn(ctx)
}

// Next is Continue with another task: what bounds turns and time begins anew.
func (a *Agent) Next(ctx context.Context, task string) (providers.Message, error) {
	a.began, a.turns = time.Now(), 0
	return a.Continue(ctx, task)
}

// goOn goes on with the conversation until the model answers without a call.
func (a *Agent) goOn(ctx context.Context) (providers.Message, error) {
	ctx, cancel := a.Limits.within(ctx, a.began)
	defer cancel()
	c := a.talk
	reminded := 0 // the version of the plan at the last reminder: one that stays as it is is not mentioned twice
	for {
		a.turns++
		n := a.turns
		if a.Limits.Turns > 0 && n > a.Limits.Turns {
			return providers.Message{}, &LimitError{count(a.Limits.Turns, "turn"), "--max-turns"}
		}
		m, err := a.turn(ctx, n, c)
		if err != nil {
			return m, err
		}
		limit := a.Limits.reached(a.spent)
		var told []providers.Message
		if len(m.Calls) > 0 {
			told, err = a.answer(ctx, m.Calls, limit)
		} else if open := a.Plan.Open(); open > 0 && limit == nil && reminded != a.Plan.Version() {
			told, err = a.remind(open)
			reminded = a.Plan.Version()
		} else {
			return m, nil
		}
		for _, t := range told {
			c.add(a.cap(c, t))
		}
		if err != nil {
			return m, err
		}
	}
}

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// How the reminder begins, and the answer to a call that was denied.
const (
	reminderHead = "Your plan still has "
	deniedHead   = "denied: "
)

// remind tells the model once that steps of its plan are open, when it wants to end.
func (a *Agent) remind(open int) ([]providers.Message, error) {
	m := providers.Message{Role: providers.User, Text: fmt.Sprintf(
		reminderHead+"%s to do. Do what is left, check or drop it with the plan tool, or say why it stays open.", count(open, "step"))}
	return []providers.Message{m}, a.emit(Said{Message: m})
}

func (a *Agent) showPlan() error {
	if a.Plan == nil || a.Plan.Version() == a.planShown {
		return nil
	}
	a.planShown = a.Plan.Version()
	return a.emit(PlanChanged{Steps: a.Plan.Steps()})
}

func (a *Agent) emit(e Event) error {
	if a.Emit == nil {
		return nil
	}
	if err := a.Emit(e); err != nil {
		return &approval.RecordError{Err: err}
	}
	return nil
}
