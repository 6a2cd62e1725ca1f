package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tricode/approval"
	"tricode/providers"
	"tricode/tools"
)

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
	switch done.Changed = res.Changed; {
	case err == nil && res.Next != nil:
		done.Changed = changed(res.Next)
	case err == nil:
		if res.Changed == nil {
			done.Changed = changed(action)
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

func (a *Agent) toolNames() string {
	names := make([]string, len(a.Tools))
	for i, t := range a.Tools {
		names[i] = t.Name
	}
	return strings.Join(names, ", ")
}

// changed lists the paths that an action changes if it does what its subjects say.
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
