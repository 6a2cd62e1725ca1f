package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"tricode/approval"
)

// maxTimeout is the longest that a command may take, in seconds.
const maxTimeout = 600

// RunCommand returns the tool that runs a command line to its end.
func RunCommand(w World) Tool {
	type input struct {
		Command string `json:"command"`
		Timeout int    `json:"timeout,omitempty" doc:"seconds" default:"60"`
	}
	return New("run_command", "Run a bash command. What it leaves in the background is stopped. Temporary files go to $TMPDIR.",
		func(ctx context.Context, in input) (*approval.Action, error) {
			if err := checkText("command", in.Command); err != nil {
				return nil, err
			}
			if in.Timeout < 1 || in.Timeout > maxTimeout {
				return nil, fmt.Errorf("timeout: %d is not between 1 and %d", in.Timeout, maxTimeout)
			}
			c, err := newCommandLine(ctx, w, in.Command)
			if err != nil {
				return nil, err
			}
			timeout := time.Duration(in.Timeout) * time.Second
			a := c.action(ctx, "run "+oneLine(in.Command), func(ctx context.Context, live io.Writer) (approval.Result, error) {
				if err := c.unchanged(ctx); err != nil {
					return approval.Result{}, err
				}
				if c.previewed() {
					return c.preview(ctx, timeout, live)
				}
				return c.run(ctx, timeout, live)
			})
			a.Draft = lineDraft("command.sh", "command", &in, &in.Command)
			return a, nil
		})
}

// lineDraft is a field of a call as a person may write it anew in a file with this name. Editors end every file with a line end.
func lineDraft[In any](file, field string, in *In, text *string) *approval.Draft {
	d := draft(file, in, text, func(now string) error { return checkText(field, now) })
	input := d.Input
	d.Input = func(now string) (string, error) { return input(strings.TrimRight(now, "\r\n")) }
	return d
}

// errTimeout is the cause of a context that ended a program.
var errTimeout = errors.New("timed out")

// run runs the line and tells what came of it.
func (c *commandLine) run(ctx context.Context, timeout time.Duration, live io.Writer) (approval.Result, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, errTimeout)
	defer cancel()
	out := newOutput(c.w, live)
	before, protected := spotsOf(c.w.Dir, c.approved.Subjects), c.w.Boxes.protected()
	var status int
	var notes []string
	cmd, err := c.command(ctx, append(slices.Clip(c.shell), c.text))
	if err == nil {
		cmd.Stdout, cmd.Stderr = out, out
		status, err = c.w.Box.Run(ctx, cmd)
	}
	text := out.text()
	switch {
	case errors.Is(err, errTimeout):
		notes, err = append(notes, fmt.Sprintf("timed out after %d s; the program was stopped", timeout/time.Second)), nil
	case err != nil:
	case status != 0:
		notes = append(notes, fmt.Sprintf("exit status %d", status))
		if c.w.Boxes.on() && !cmd.Look {
			notes = append(notes, refusals(text)...)
		}
	case text == "":
		text = "(no output)"
	}
	if !cmd.Look {
		c.w.Boxes.changed()
		notes = append(notes, c.made(protected)...)
	}
	note := strings.Join(notes, "; ")
	if note != "" {
		text = withNote(text, note)
	}
	return approval.Result{Text: text, Note: note, Hidden: c.w.Redact != nil, Changed: changedSince(before)}, err
}

// refusals says what a box refuses, if a program printed what the C library says of that.
func refusals(text string) (notes []string) {
	text = strings.ToLower(text) // as some languages do
	for _, r := range [...]struct{ said, note string }{
		{"read-only file system", "the sandbox lets programs write only to the work directory, caches and temporary files"}, // EROFS
		{"operation not permitted", "the sandbox refuses namespaces, rights of an administrator, and sockets of this machine that a person did not list ([sandbox] sockets)"},
	} {
		if strings.Contains(text, r.said) {
			notes = append(notes, r.note)
		}
	}
	return notes
}

// withNote puts a line of its own behind a text.
func withNote(text, note string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + note
}
