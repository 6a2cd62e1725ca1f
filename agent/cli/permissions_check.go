package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"tricode/agent/config"
	"tricode/approval"
	"tricode/approval/plain"
)

// checkPolicy says what a person should know about the policy and runs the tests that it carries. The status is that of
// a mistake if one fails.
func (c *commandLine) checkPolicy(ctx context.Context, j *judge, out io.Writer) (int, error) {
	warnings, failures := j.lint(), j.failures(ctx)
	var b strings.Builder
	for _, text := range slices.Concat(warnings, failures) {
		b.WriteString(plain.Line(text) + "\n")
	}
	fmt.Fprintf(&b, "rules: %d, warnings: %d, tests: %d, failed: %d\n", len(j.rules)+len(j.settings.Tools), len(warnings), len(j.settings.Tests), len(failures))
	if _, err := io.WriteString(folded(out), b.String()); err != nil {
		return 0, err
	}
	if len(failures) > 0 {
		return statusUsage, nil
	}
	return statusDone, nil
}

// lint lists what does not do what it says.
func (j *judge) lint() []string {
	var lines []string
	for _, w := range j.warnings {
		lines = append(lines, fmt.Sprintf("%s: warning: %s %s", w.Rule.Source, w.Rule, w.Text))
	}
	for _, r := range j.rules {
		if text := stillAsked(r); text != "" {
			lines = append(lines, fmt.Sprintf("%s: warning: %s %s", r.Source, r, text))
		}
	}
	for i := range j.asked {
		h := &j.asked[i]
		if _, err := j.box.LookPath(h.Command[0]); err != nil {
			lines = append(lines, fmt.Sprintf("%s: warning: %s denies all that it is asked about: %v", h.Source, h, err))
		}
	}
	return lines
}

// failures runs the tests of the policy and lists those that fail.
func (j *judge) failures(ctx context.Context) []string {
	var lines []string
	for _, t := range j.settings.Tests {
		args, err := j.testArguments(t)
		var d approval.Decision
		if err == nil {
			d, err = j.testedBy(ctx, t.Tool, args)
		}
		switch {
		case err != nil:
			lines = append(lines, fmt.Sprintf("%s: %s %s is no call: %v", t.Source, t.Tool, args, err))
		case d.Verdict != t.Expect:
			lines = append(lines, fmt.Sprintf("%s: %s %s is %s, want %s: %s", t.Source, t.Tool, args, d.Verdict, t.Expect, d.Reason))
		}
	}
	return lines
}

// testedBy is what the policy says to the call of a test, whether or not that could be done here and now. What is no call at all is
// an error: that it is denied says nothing of the policy.
func (j *judge) testedBy(ctx context.Context, tool string, args json.RawMessage) (approval.Decision, error) {
	v := j.decide(ctx, tool, args)
	switch {
	case v.action == nil:
		return v.decision, errors.New(v.decision.Reason)
	case v.action.Fault() != nil:
		return j.policy.Decide(v.action, nil), nil
	}
	return v.decision, nil
}

// testArguments are the arguments of the call that a test is about.
func (j *judge) testArguments(t config.Test) (json.RawMessage, error) {
	switch args := t.Args.(type) {
	case nil:
		return json.RawMessage("{}"), nil
	case string:
		return j.arguments(t.Tool, args)
	default:
		return encode(args)
	}
}

// startOthers are programs with options by which they start others or write files.
var startOthers = strings.Fields("awk env find git go less make man rg rsync sed sort ssh tar wget xargs zip")

// stillAsked says what an allow rule for all that a program can do leaves to be asked about.
func stillAsked(r approval.Rule) string {
	words := r.Prefix
	if words == nil {
		words = strings.Fields(strings.TrimSuffix(r.Pattern, "*"))
	}
	if r.Action != approval.Allow || len(words) != 1 || !slices.Contains(startOthers, words[0]) || r.Command != "" {
		return ""
	}
	return "allows less than it says: options by which " + words[0] + " starts another program or writes elsewhere are still asked about, unless a rule spells them"
}
