// Package agent runs a task: it asks the model, plans each call the model makes, takes it to the gate and tells the
// model what came of it, until the model has nothing more to do.
//
// It reaches the world only through its Model and its Gate.
package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
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
	Keep    func(text string) (note string)         // keeps what is too long for the model and says where; nil: it is lost

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

// turn asks the model for its next message.
func (a *Agent) turn(ctx context.Context, n int, c *conversation) (providers.Message, error) {
	if ctx.Err() != nil {
		return providers.Message{}, context.Cause(ctx)
	}
	if err := a.emit(Turn{N: n}); err != nil {
		return providers.Message{}, err
	}
	m, err := a.ask(ctx, c)
	var broken *approval.RecordError
	var model *ModelError
	switch {
	case ctx.Err() != nil:
		return m, context.Cause(ctx)
	case errors.As(err, &broken), errors.As(err, &model):
		return m, err
	case err != nil:
		return m, &ModelError{err}
	}
	c.taken(m.Usage.Input)
	cost := a.spend(c, m)
	c.add(m)
	if err := a.emit(Said{Message: m, Cost: cost}); err != nil {
		return m, err
	}
	switch m.Finish {
	case "length":
		return m, a.emit(Notice{Text: "the model's answer was cut off at its length limit"})
	case "content_filter":
		return m, a.emit(Notice{Text: "the model's answer was cut off by the provider's content filter"})
	}
	return m, nil
}

// maxFits is how often a conversation is made shorter because the model did not take it.
const maxFits = 4

// ask sends the conversation, as short as it has to be.
func (a *Agent) ask(ctx context.Context, c *conversation) (providers.Message, error) {
	if err := a.fit(ctx, c); err != nil {
		return providers.Message{}, err
	}
	for try := 1; ; try++ {
		m, err := a.Model.Complete(ctx, a.request(c.messages, c), func(text string) error { return a.emit(Text{Text: text}) })
		if err == nil || try == maxFits || !c.refused(err) {
			return m, err
		}
		before := c.meter.weight
		if failed := a.makeRoom(ctx, c); failed != nil {
			return m, failed
		}
		if c.meter.weight == before {
			return m, err
		}
	}
}

func (a *Agent) request(messages []providers.Message, c *conversation) providers.Request {
	return providers.Request{
		Messages: messages, Tools: c.tools,
		OnRetry: func(r providers.Retry) error {
			return a.emit(Retry{Text: r.String(), Millis: r.Wait.Milliseconds(), Void: r.Void})
		},
	}
}

// spend counts a message of the model and returns what it cost. What the server does not count is estimated, for the
// limits alone.
func (a *Agent) spend(c *conversation, m providers.Message) (cost float64) {
	if a.Price != nil {
		cost = a.Price(m)
	}
	u := m.Usage
	if u == (providers.Usage{}) {
		u = providers.Usage{Input: c.meter.tokens(), Output: weigh(m)}
	}
	a.spent.Input += u.Input
	a.spent.Output += u.Output
	a.spent.Cost += cost
	return cost
}

// answer performs the calls in order, unless the run ended already. After an error the remaining calls are answered
// without being performed.
func (a *Agent) answer(ctx context.Context, calls []providers.Call, ended error) ([]providers.Message, error) {
	var told []providers.Message
	for _, c := range calls {
		text := "not performed: the run ended before"
		if ended == nil {
			text, ended = a.perform(ctx, c)
		}
		m := providers.Message{Role: providers.ToolRole, CallID: c.ID, Text: text}
		if err := a.emit(Said{Message: m}); err != nil {
			return told, err
		}
		told = append(told, m)
		if ended == nil {
			ended = a.showPlan()
		}
	}
	return told, ended
}

// perform takes one call from its arguments to the text that answers it. Its error ends the run.
func (a *Agent) perform(ctx context.Context, c providers.Call) (text string, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			text, err = "error: the tool crashed", &CrashError{c.Name, cause}
		}
	}()
	if ctx.Err() != nil {
		return "not performed: the run was interrupted", context.Cause(ctx)
	}
	i := slices.IndexFunc(a.Tools, func(t tools.Tool) bool { return t.Name == c.Name })
	if i < 0 { // the gate may have more to say: that the person does not want it in this run
		missing := approval.Impossible(c.Name, fmt.Errorf("there is no tool %q\nthe tools are %s", c.Name, a.toolNames()),
			approval.Subject{Effects: approval.Read})
		missing.Tool, missing.Call, missing.Input = c.Name, c.ID, c.Arguments
		return a.do(ctx, missing)
	}
	arguments, err := a.restored(a.Tools[i], c.Arguments)
	if err != nil {
		return a.refuse(c, err)
	}
	input, edited := c.Arguments, false
	for n := 0; n < maxReplans; n++ {
		action, err := a.Tools[i].Plan(ctx, json.RawMessage(arguments))
		if err != nil {
			return a.refuse(c, err)
		}
		action.Call, action.Input, action.Edited = c.ID, input, edited
		text, err := a.do(ctx, action)
		var redraft *approval.Redraft
		switch {
		case errors.As(err, &redraft):
			arguments, edited = redraft.Input, true
			input, n = a.hideArguments(arguments), -1
		case !errors.Is(err, approval.ErrStale):
			return text, err
		}
	}
	return a.refuse(c, errors.New("what it is about kept changing while it was looked at; look again before you retry"))
}

// refuse answers a call that could not even be planned.
func (a *Agent) refuse(c providers.Call, err error) (string, error) {
	if err := a.emit(Proposed{Call: c.ID, Tool: c.Name, Summary: c.Name}); err != nil {
		return "", err
	}
	text := a.hide("error: "+err.Error(), false)
	return text, a.emit(Done{Call: c.ID, Tool: c.Name, Failed: true, Result: text})
}

// do takes a planned action to the gate.
func (a *Agent) do(ctx context.Context, action *approval.Action) (string, error) {
	if err := a.emit(Proposed{Call: action.Call, Tool: action.Tool, Summary: action.Summary}); err != nil {
		return "", err
	}
	start := time.Now()
	res, err := a.Gate.Do(ctx, action, &liveOutput{a, action.Call})
	done := Done{Call: action.Call, Tool: action.Tool, Result: res.Text, Note: res.Note, Millis: time.Since(start).Milliseconds()}
	var denied *approval.Denied
	var broken *approval.RecordError
	var redraft *approval.Redraft
	var ends error
	switch {
	case err == nil:
		if done.Changed = changed(action); res.Next != nil {
			done.Changed = changed(res.Next)
		}
	case errors.Is(err, approval.ErrStale), errors.As(err, &redraft):
		return "", err
	case errors.As(err, &broken):
		return "not performed: it could not be recorded", err
	case ctx.Err() != nil:
		done.Result, ends = strings.TrimPrefix(res.Text+"\ninterrupted", "\n"), context.Cause(ctx)
	case errors.As(err, &denied):
		done.Result = denied.Error()
		if denied.End {
			ends = denied
		}
	default:
		done.Result = "error: " + err.Error()
	}
	done.Result, done.Failed, done.Ends = a.hide(done.Result, res.Hidden), err != nil, ends != nil
	if action.Edited {
		done.Result += "\n(a person changed this call at the question; its arguments were " + action.Input + ")"
	}
	if err := a.emit(done); err != nil {
		return done.Result, err
	}
	return done.Result, ends
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

func (a *Agent) toolNames() string {
	names := make([]string, len(a.Tools))
	for i, t := range a.Tools {
		names[i] = t.Name
	}
	return strings.Join(names, ", ")
}

// changed lists the paths that an action was known to change.
func changed(a *approval.Action) []string {
	var paths []string
	for _, s := range a.Subjects {
		if s.Path == "" || !s.Effects.Has(approval.Write|approval.Delete) {
			continue
		}
		if s.Rel != "" {
			paths = append(paths, s.Rel)
		} else {
			paths = append(paths, s.Path)
		}
	}
	return paths
}

// liveOutput turns what an effect prints into events.
type liveOutput struct {
	agent *Agent
	call  string
}

func (o *liveOutput) Write(p []byte) (int, error) {
	return len(p), o.agent.emit(Output{Call: o.call, Text: p})
}
