package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tricode/agent"
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

// denials are what was denied in a run, for programs.
type denials struct {
	Session string         `json:"session"`
	Denials []agent.Denial `json:"denials"`
}

// denials lists what was denied in a run.
func (c *commandLine) denials(out io.Writer) error {
	run, err := c.readRun(c.Permissions.Denials.Session)
	if err != nil {
		return err
	}
	d := denials{run.Session, append([]agent.Denial{}, run.Denials...)}
	if c.Permissions.Denials.JSON {
		return printJSON(out, d)
	}
	var b strings.Builder
	for _, denial := range d.Denials {
		b.WriteString(denialLine(denial))
	}
	fmt.Fprintf(&b, "%s: %d denied\n", plain.Line(d.Session), len(d.Denials))
	_, err = io.WriteString(folded(out), b.String())
	return err
}

// denialLine is a denial as a person reads it.
func denialLine(d agent.Denial) string {
	return plain.Line(fmt.Sprintf("%s %s: %s: %s", d.Time, d.Tool, d.Summary, d.Reason)) + "\n"
}

// replay is what the policy of today says to the calls of an earlier run.
type replay struct {
	Session string     `json:"session"`
	Differ  int        `json:"differ"`
	Gone    int        `json:"gone"` // not possible any more
	Same    int        `json:"same"`
	Calls   []replayed `json:"calls"` // in this order
}

// replayed is a call that was decided about again.
type replayed struct {
	Call    string `json:"call"`
	Tool    string `json:"tool"`
	Summary string `json:"summary"`
	Was     string `json:"was"`
	Now     string `json:"now"` // "-" if the call is not possible any more
	Reason  string `json:"reason"`
}

// gone is what is said instead of a verdict about a call that cannot be planned any more.
const gone = "-"

// replay decides anew about the calls of an earlier run and shows what differs first.
func (c *commandLine) replay(ctx context.Context, out io.Writer) error {
	run, err := c.readRun(c.Permissions.Replay.Session)
	if err != nil {
		return err
	}
	there := c.WorkDir == ""
	if there {
		c.WorkDir = run.WorkDir
	}
	j, err := c.judge()
	if _, gone := os.Stat(run.WorkDir); err != nil && there && gone != nil {
		return hinted(err, "--work-dir DIR decides as if it had been there")
	}
	if err != nil {
		return err
	}
	defer j.close()
	r := j.replay(ctx, run)
	if c.Permissions.Replay.JSON {
		return printJSON(out, r)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d differ, %d are not possible any more, %d are the same\n", plain.Line(r.Session), r.Differ, r.Gone, r.Same)
	for _, call := range r.Calls {
		change := fmt.Sprintf("%-5s -> %-5s", call.Was, call.Now)
		if call.Was == call.Now {
			change = fmt.Sprintf("%-14s", call.Now)
		}
		b.WriteString(plain.Line(fmt.Sprintf("%s %s: %s: %s", change, call.Tool, call.Summary, call.Reason)) + "\n")
	}
	_, err = io.WriteString(folded(out), b.String())
	return err
}

func (j *judge) replay(ctx context.Context, run transcript.Run) replay {
	var differ, lost, same []replayed
	for _, call := range run.Calls {
		if call.Time == "" { // it could not be planned then
			continue
		}
		v := j.decide(ctx, call.Name, json.RawMessage(call.Arguments))
		one := replayed{call.ID, call.Name, call.Summary, decidedBefore(call.Decision), v.decision.Verdict.String(), v.decision.Reason}
		switch {
		case v.action == nil || v.action.Fault() != nil:
			one.Now = gone
			lost = append(lost, one)
		case one.Was != one.Now:
			differ = append(differ, one)
		default:
			same = append(same, one)
		}
	}
	return replay{run.Session, len(differ), len(lost), len(same), slices.Concat([]replayed{}, differ, lost, same)}
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
