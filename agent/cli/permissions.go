package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"tricode/approval"
	"tricode/tools"
)

// permissionsCommand is what can be asked about the policy. Nothing of it changes anything on disk.
type permissionsCommand struct {
	Show    struct{} `cmd:"" default:"1" help:"Show the policy that holds here, and where it comes from (the default)."`
	Explain struct {
		JSON  bool     `help:"Print JSON."`
		Batch string   `placeholder:"FILE" help:"Decide about each line {\"id\", \"tool\", \"args\"} of FILE, - for standard input."`
		Tool  string   `arg:"" optional:"" help:"The tool that would be called."`
		Args  []string `arg:"" optional:"" help:"Its arguments as a JSON object, or the command, path or URL."`
	} `cmd:"" help:"Show what would be decided about a call, and why."`
	Check   struct{} `cmd:"" help:"Load everything, point out rules that do not do what they say, and run the tests of the policy."`
	Denials struct {
		JSON    bool   `help:"Print JSON."`
		Session string `arg:"" optional:"" help:"The session; the latest if none is named."`
	} `cmd:"" help:"List what was denied in a run, also while it goes on."`
	Replay struct {
		JSON    bool   `help:"Print JSON."`
		Session string `arg:"" optional:"" help:"The session; the latest if none is named."`
	} `cmd:"" help:"Decide anew about the calls of an earlier run, and show what differs."`

	Import importCommand `cmd:"" help:"Print the rules of another agent's settings in the form of tricode."`
}

// permissions answers a question about the policy.
func (c *commandLine) permissions(ctx context.Context, name string, out io.Writer) (int, error) {
	name, _, _ = strings.Cut(name, " ")
	switch name {
	case "denials":
		return statusDone, c.denials(out)
	case "replay":
		return statusDone, c.replay(ctx, out)
	}
	j, err := c.judge()
	if err != nil {
		return 0, err
	}
	defer j.close()
	switch name {
	case "explain":
		return c.explain(ctx, j, out)
	case "check":
		return c.checkPolicy(ctx, j, out)
	}
	_, err = io.WriteString(folded(out), c.policyText(j.world))
	return statusDone, err
}

// judge decides about calls as a run would, and performs none of them.
type judge struct {
	*world
	tools []tools.Tool
}

// judge makes a judge for the policy that holds here.
func (c *commandLine) judge() (*judge, error) {
	cfg, err := c.load()
	if err != nil {
		return nil, err
	}
	w, err := c.look(&cfg)
	if err != nil {
		return nil, err
	}
	if _, err := w.tools(&tools.Plan{}); err != nil { // the names that --tools has
		w.close()
		return nil, err
	}
	return &judge{w, w.allTools(&tools.Plan{})}, nil
}

// verdict is what was decided about a call. Where there was nothing to decide about, action is nil and the decision
// denies.
type verdict struct {
	action   *approval.Action
	decision approval.Decision
}

// decide plans a call and decides about it, as an agent and its gate do.
func (j *judge) decide(ctx context.Context, tool string, args json.RawMessage) (v verdict) {
	defer func() {
		if cause := recover(); cause != nil {
			v = refused(fmt.Sprintf("internal error in %s: %v", tool, cause))
		}
	}()
	i := slices.IndexFunc(j.tools, func(t tools.Tool) bool { return t.Name == tool })
	if i < 0 {
		return refused(fmt.Sprintf("there is no tool %q%s", tool, j.instead(tool)))
	}
	action, err := j.tools[i].Plan(ctx, args)
	if err != nil {
		return refused(err.Error())
	}
	d := j.policy.Decide(action, nil)
	if err := action.Fault(); err != nil && d.Verdict != approval.Deny {
		d.Verdict, d.Reason = approval.Deny, "it cannot be done: "+err.Error()
	}
	if d.Reason == "" {
		d.Reason = "nothing allows it without a question"
	}
	return verdict{action, d}
}

// instead says which tool is meant by a name that other agents have for it, or nearly so, or which there are.
func (j *judge) instead(name string) string {
	if means, err := approval.MatchTools([]string{name}); err == nil {
		if i := slices.IndexFunc(j.tools, func(t tools.Tool) bool { return means(t.Name) }); i >= 0 {
			return fmt.Sprintf("; rules mean %s by it", j.tools[i].Name)
		}
	}
	return "; the tools are " + names(j.tools)
}

func refused(reason string) verdict {
	return verdict{decision: approval.Decision{Verdict: approval.Deny, Reason: reason}}
}

// effects are the names of the effects, for programs.
func (v verdict) effects() []string {
	if v.action != nil && v.decision.Effects == 0 {
		return []string{v.decision.Effects.String()}
	}
	return append([]string{}, v.decision.Effects.Names()...)
}
