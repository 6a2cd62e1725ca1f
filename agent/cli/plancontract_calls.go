package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"tricode/agent"
	"tricode/approval"
	"tricode/tools"
)

// plannedCall plans one call, as it would be planned now or when the calls before it were done, and finds what it needs.
func (s *session) plannedCall(ctx context.Context, w *world, call tools.StepCall, promised *promises) (agent.ContractCall, []approval.Rule) {
	one := agent.ContractCall{Tool: call.Tool, Summary: strings.TrimSpace(call.Tool + " " + string(call.Args))}
	i := slices.IndexFunc(s.agent.Tools, func(t tools.Tool) bool { return t.Name == call.Tool })
	if i < 0 {
		one.Needs, one.Reason = agent.NeedsChange, "there is no such tool"
		return one, nil
	}
	action, err := s.agent.Tools[i].Plan(ctx, json.RawMessage(call.Args))
	if err != nil {
		one.Reason = "it cannot be planned yet: " + err.Error()
		return one, nil
	}
	one.Summary = action.Summary
	action = promised.kept(action)
	var rules []approval.Rule
	one.Needs, one.Reason, rules = w.needs(action)
	one.Reason = strings.ReplaceAll(one.Reason, w.policy.WorkDir+"/", "")
	return one, rules
}

// promises are the paths that earlier calls of a plan write.
type promises []string

// kept is the action as it would be if these paths were there: what it needs depends on the tool and the path alone.
func (p *promises) kept(a *approval.Action) *approval.Action {
	promised := func(s approval.Subject) bool {
		return s.Path != "" && slices.ContainsFunc(*p, func(path string) bool { return approval.Within(s.Path, path) })
	}
	if errors.Is(a.Fault(), fs.ErrNotExist) && slices.ContainsFunc(a.Subjects, promised) {
		possible := approval.NewAction(a.Summary, nil, a.Subjects...)
		possible.Tool, a = a.Tool, possible
	}
	for _, s := range a.Subjects {
		if s.Path != "" && s.Effects.Has(approval.Write) {
			*p = append(*p, s.Path)
		}
	}
	return a
}
