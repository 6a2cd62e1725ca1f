package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"tricode/agent/config"
	"tricode/agent/transcript"
	"tricode/approval"
	"tricode/approval/plain"
)

// readRun reads the transcript of a session, of the latest if the name is empty.
func (c *commandLine) readRun(name string) (transcript.Run, error) {
	paths, err := config.Locate(c.Config, os.Getenv)
	if err != nil {
		return transcript.Run{}, &usageError{err.Error()}
	}
	path, err := transcript.Find(filepath.Join(paths.State, "sessions"), name)
	if err != nil {
		return transcript.Run{}, &usageError{err.Error()}
	}
	return transcript.Read(path)
}

// denials lists what was denied in a run.
func (c *commandLine) denials() error {
	run, err := c.readRun(c.Permissions.Denials.Session)
	if err != nil {
		return err
	}
	var b strings.Builder
	n := 0
	for _, call := range run.Calls {
		if call.Decision.Verdict == approval.Deny.String() {
			n++
			b.WriteString(plain.Line(fmt.Sprintf("%s %s: %s: %s", call.Time, call.Name, call.Summary, call.Decision.Reason)) + "\n")
		}
	}
	fmt.Fprintf(&b, "%s: %d denied\n", plain.Line(run.Session), n)
	_, err = io.WriteString(os.Stdout, b.String())
	return err
}

// replay decides anew about the calls of an earlier run and shows what differs first.
func (c *commandLine) replay(ctx context.Context) error {
	run, err := c.readRun(c.Permissions.Replay.Session)
	if err != nil {
		return err
	}
	if c.WorkDir == "" {
		c.WorkDir = run.WorkDir
	}
	j, err := c.judge()
	if err != nil {
		return err
	}
	defer j.close()
	var differ, gone, same []string
	for _, call := range run.Calls {
		if call.Time == "" { // it could not be planned then
			continue
		}
		v := j.decide(ctx, call.Name, json.RawMessage(call.Arguments))
		was, is := decidedBefore(call.Decision), v.decision.Verdict.String()
		text := plain.Line(fmt.Sprintf("%s: %s: %s", call.Name, call.Summary, v.decision.Reason))
		switch {
		case v.action == nil || v.action.Fault() != nil:
			gone = append(gone, fmt.Sprintf("%-5s -> -     %s", was, text))
		case was != is:
			differ = append(differ, fmt.Sprintf("%-5s -> %-5s %s", was, is, text))
		default:
			same = append(same, fmt.Sprintf("%-14s %s", is, text))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d differ, %d are not possible any more, %d are the same\n", plain.Line(run.Session), len(differ), len(gone), len(same))
	for _, line := range append(append(differ, gone...), same...) {
		b.WriteString(line + "\n")
	}
	_, err = io.WriteString(os.Stdout, b.String())
	return err
}

// decidedBefore is what the policy alone said: without hooks, and what a person answered.
func decidedBefore(d transcript.Decision) string {
	was := ""
	for _, s := range d.Trace {
		verdict := s.Verdict
		switch s.Layer {
		case approval.LayerPerson.String(), approval.LayerHooks.String():
			continue
		case approval.LayerSession.String():
			if verdict == approval.Allow.String() {
				verdict = approval.Ask.String()
			}
		}
		switch {
		case verdict == approval.Deny.String(), verdict == approval.Ask.String() && was != approval.Deny.String(), verdict == approval.Allow.String() && was == "":
			was = verdict
		}
	}
	if was == "" {
		return d.Verdict
	}
	return was
}
