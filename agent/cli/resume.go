package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"tricode/agent/config"
	"tricode/agent/transcript"
	"tricode/approval"
	"tricode/approval/plain"
	"tricode/providers"
	"tricode/tools"
)

// earlier is a run that is gone on with: what was said in it, never what was allowed.
type earlier struct {
	names []string // of the session, and of those that it went on with
	task  string
	talk  []providers.Message
	steps []tools.Step // of its plan, if that is not done
}

// choose is what --resume without a name stands for.
const choose = "-"

// sessionTime is how the names of sessions begin.
const sessionTime = "20060102-150405.000-"

// isName reports whether a word behind --resume is meant to name a session: tasks are more than a word, or stand
// behind a flag or --.
func isName(word string) bool {
	return word != "" && word[0] != '-' && !strings.ContainsAny(word, " \t\n")
}

// resumeArgs gives --resume a value where none follows: the parser knows no flag that may have one or not.
func resumeArgs(args []string) []string {
	var all []string
	for i, a := range args {
		switch {
		case a == "--":
			return append(all, args[i:]...)
		case a == "--resume" && (i+1 == len(args) || !isName(args[i+1])):
			a += "=" + choose
		}
		all = append(all, a)
	}
	return all
}

// goesOn finds the run to go on with; nil if there is none.
func (c *commandLine) goesOn(ctx context.Context, cfg *config.Config) (*earlier, error) {
	switch {
	case c.Continue && c.Resume != "":
		return nil, &usageError{"--continue and --resume contradict each other"}
	case !c.Continue && c.Resume == "":
		return nil, nil
	}
	sessions := filepath.Join(cfg.Paths.State, "sessions")
	dir, err := c.projectDir()
	if err != nil {
		return nil, &usageError{err.Error()}
	}
	name := c.Resume
	if c.Continue || name == choose {
		if name, err = c.pick(ctx, transcript.List(sessions, dir, mostListed)); err != nil {
			return nil, err
		}
	}
	path, err := transcript.Find(sessions, name)
	if err != nil {
		return nil, hinted(&usageError{err.Error()}, "--resume without a name lists the runs here; a task of one word is given behind --")
	}
	run, err := transcript.Read(path)
	if err != nil {
		return nil, err
	}
	e := &earlier{names: append([]string{run.Session}, run.Resumes...), task: run.Task, talk: run.Conversation()}
	if slices.ContainsFunc(run.Plan.Steps, func(s tools.Step) bool { return !s.Done }) {
		e.steps = run.Plan.Steps
	}
	switch {
	case run.WorkDir != dir:
		return nil, &usageError{fmt.Sprintf("session %s worked in %s; --work-dir goes there", run.Session, run.WorkDir)}
	case len(e.talk) == 0:
		return nil, &usageError{fmt.Sprintf("in session %s nothing was said", run.Session)}
	}
	return e, nil
}

// mostListed is how many sessions are offered.
const mostListed = 9

// pick is the latest session, or the one that the person chooses.
func (c *commandLine) pick(ctx context.Context, list []transcript.Session) (string, error) {
	if len(list) == 0 {
		return "", &usageError{"there is no earlier run in this work directory"}
	}
	if c.Continue {
		return list[0].Name, nil
	}
	person := c.terminal()
	err := person.opened()
	if errors.Is(err, approval.ErrNobody) {
		return "", &usageError{"--resume without a session needs a terminal to choose at; --continue takes the latest"}
	}
	if err != nil {
		return "", err
	}
	for i, s := range list {
		fmt.Fprintf(folding{os.Stderr}, "  %d  %s  %s\n", i+1, when(s.Time), plain.Cut(s.Task, 50))
	}
	for {
		line, err := person.open.Line(ctx, "Which one", "1")
		if err != nil {
			return "", err
		}
		if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(list) {
			return list[n-1].Name, nil
		}
		fmt.Fprintf(folding{os.Stderr}, "Type a number from 1 to %d, or press Enter for the latest.\n", len(list))
	}
}

// when is a time as a list shows it.
func when(stamp string) string {
	t, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return plain.Cut(stamp, 16)
	}
	return t.Local().Format("2006-01-02 15:04")
}

// outputs are the directories where the earlier runs kept long outputs, of which the conversation may speak.
func (e *earlier) outputs(state string) []string {
	if e == nil {
		return nil
	}
	var dirs []string
	for _, name := range e.names {
		dir := filepath.Join(state, "sessions", name, "outputs")
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// sessions are the names of the runs that are gone on with.
func (e *earlier) sessions() []string {
	if e == nil {
		return nil
	}
	return e.names
}
