package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"tricode/approval"
	"tricode/approval/hook"
	"tricode/approval/plain"
	"tricode/tools"
)

// explain shows what would be decided about a call, or about each call of a batch.
func (c *commandLine) explain(ctx context.Context, j *judge, out io.Writer) (int, error) {
	in := c.Permissions.Explain
	switch {
	case in.Batch != "" && in.Tool != "":
		return 0, &usageError{"--batch and a call contradict each other"}
	case in.Batch != "":
		return statusDone, batch(ctx, j, in.Batch, out)
	case in.Tool == "":
		return 0, &usageError{"no call was given; as in: tricode permissions explain run_command 'git push -f'"}
	}
	args, err := j.arguments(in.Tool, strings.Join(in.Args, " "))
	if err != nil {
		return 0, err
	}
	v := j.unplanned(j.decide(ctx, in.Tool, args))
	if in.JSON {
		return statusDone, printJSON(out, j.explanation(in.Tool, args, v))
	}
	return statusDone, writeExplanation(out, j.explanation(in.Tool, args, v))
}

// unquoted is a mistake if words behind the tool that explain is asked about begin with a dash and so are flags that are known,
// without which the command would be another one. Long flags may stand behind a command in quotes.
func unquoted(args []string) error {
	at := slices.Index(args, "explain")
	if at < 1 || !slices.Contains(args[:at], "permissions") {
		return nil
	}
	rest := args[at+1:]
	if end := slices.Index(rest, "--"); end >= 0 {
		rest = rest[:end]
	}
	tool := slices.IndexFunc(rest, func(word string) bool { return approval.CheckTool(word) == nil })
	words := rest[tool+1:]
	flag := slices.IndexFunc(words, func(word string) bool { return len(word) > 1 && word[0] == '-' })
	short := slices.ContainsFunc(words, func(word string) bool { return len(word) > 1 && word[0] == '-' && word[1] != '-' })
	if tool < 0 || flag < 0 || flag < 2 && !short {
		return nil
	}
	command := strings.ReplaceAll(strings.Join(words, " "), "'", `'\''`)
	return hinted(&usageError{words[flag] + " is a flag of tricode there; a command is one argument, in quotes"},
		fmt.Sprintf("tricode permissions explain %s '%s'", rest[tool], command))
}

// unplanned is what becomes of a call as long as the model has not decided about a plan: where one is required, what no
// layer denies and does more than read is refused.
func (j *judge) unplanned(v verdict) verdict {
	d := &v.decision
	if !j.planRequired || d.Verdict == approval.Deny || d.Effects.Looks() {
		return v
	}
	d.Reason = fmt.Sprintf("%v (then: %s, %s)", (&tools.Plan{}).Require(v.action), d.Verdict, d.Reason)
	d.Verdict, d.Layer = approval.Deny, 0
	return v
}

// arguments makes the arguments of a call from a text: a JSON object, or the first string that the tool needs, or its
// command or path.
func (j *judge) arguments(tool, text string) (json.RawMessage, error) {
	if t := strings.TrimSpace(text); t == "" || t[0] == '{' && json.Valid([]byte(t)) {
		return json.RawMessage(cmp.Or(t, "{}")), nil
	}
	i := slices.IndexFunc(j.tools, func(t tools.Tool) bool { return t.Name == tool })
	if i < 0 {
		return nil, nil // there is no such tool, which is what will be said
	}
	var schema struct {
		Properties map[string]struct{ Type string }
		Required   []string
	}
	if err := json.Unmarshal(j.tools[i].Schema, &schema); err != nil {
		return nil, err
	}
	for _, name := range append(schema.Required, "command", "path") {
		if schema.Properties[name].Type == "string" {
			return encode(map[string]string{name: text})
		}
	}
	return nil, &usageError{tool + " wants its arguments as a JSON object"}
}

// explanation is all that led to a decision, for programs.
type explanation struct {
	Tool     string           `json:"tool"`
	Args     json.RawMessage  `json:"args,omitempty"`
	Decision approval.Verdict `json:"decision"`
	Layer    string           `json:"layer,omitempty"` // empty where there was nothing to decide about
	Reason   string           `json:"reason"`
	Effects  []string         `json:"effects"`
	Parts    []part           `json:"parts"`
	Trace    []approval.Step  `json:"trace"`
	Hooks    []string         `json:"hooks,omitempty"` // that a run would ask, and explain does not
	Hint     string           `json:"hint,omitempty"`  // the least that would have allowed it
}

// part is one thing that the call does something to.
type part struct {
	What    string   `json:"what"`
	Effects []string `json:"effects"`
	Program string   `json:"program,omitempty"`
	Why     string   `json:"why,omitempty"`
}

func (j *judge) explanation(tool string, args json.RawMessage, v verdict) explanation {
	e := explanation{
		Tool: tool, Args: args, Decision: v.decision.Verdict, Layer: v.decision.Layer.String(), Reason: v.decision.Reason,
		Effects: v.effects(), Parts: []part{}, Trace: append([]approval.Step{}, v.decision.Trace...),
	}
	if v.action == nil {
		return e
	}
	for i, s := range v.action.Subjects {
		alone := approval.Action{Tool: tool, Effects: s.Effects, Subjects: v.action.Subjects[i : i+1]}
		effects := j.policy.Decide(&alone, nil).Effects // with what follows from its path
		p := part{What: s.String(), Effects: strings.Split(effects.String(), ", "), Why: s.Why}
		if s.Command != nil {
			p.Program = s.Command.Program
		}
		e.Parts = append(e.Parts, p)
	}
	e.Hooks = j.concerned(tool, v.decision.Verdict)
	if v.decision.Verdict == approval.Ask {
		e.Hint = j.least(v.action)
	}
	return e
}

// concerned names the hooks that a run would ask about a call, by what the policy says to it.
func (j *judge) concerned(tool string, v approval.Verdict) []string {
	var list []string
	for i := range j.asked {
		h := &j.asked[i]
		asked := h.Event == hook.BeforeTool && v != approval.Deny || h.Event == hook.Permission && v == approval.Ask
		if concerns, err := approval.MatchTools(h.Tools); asked && err == nil && concerns(tool) {
			list = append(list, fmt.Sprintf("%s: %s (%s)", h.Event, strings.Join(h.Command, " "), h.Source))
		}
	}
	return list
}

// writeExplanation shows it to a person.
func writeExplanation(out io.Writer, e explanation) error {
	var b strings.Builder
	line := func(format string, args ...any) { b.WriteString(plain.Line(fmt.Sprintf(format, args...)) + "\n") }
	line("%s: %s", e.Decision, e.Reason)
	if len(e.Effects) > 0 {
		line("effects: %s", strings.Join(e.Effects, ", "))
	}
	if len(e.Parts) > 0 {
		line("parts:")
	}
	for _, p := range e.Parts {
		text := fmt.Sprintf("  %s [%s]", p.What, strings.Join(p.Effects, ", "))
		if p.Program != "" {
			text += " " + p.Program
		}
		if p.Why != "" {
			text += ": " + p.Why
		}
		line("%s", text)
	}
	writeTrace(&b, e.Trace)
	for i, h := range e.Hooks {
		if i == 0 {
			line("hooks that a run would ask too:")
		}
		line("  %s", h)
	}
	if _, err := io.WriteString(folded(out), b.String()); err != nil || e.Hint == "" {
		return err
	}
	b.Reset()
	for text := range strings.SplitSeq("hint: "+e.Hint, "\n") { // in one piece, to be pasted
		line("%s", text)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// writeTrace shows the layers that were consulted, for each part, or once for neighbours about which they said the same.
func writeTrace(b *strings.Builder, trace []approval.Step) {
	for _, c := range approval.Consulted(trace) {
		title := "layers"
		for i, subject := range c.Subjects {
			if i > 0 {
				title += "\n   and"
			}
			title += " for " + plain.Line(subject)
		}
		b.WriteString(title + ":\n")
		for _, s := range c.Steps {
			b.WriteString("  " + plain.Line(s.String()) + "\n")
		}
	}
}
