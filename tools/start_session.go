package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"tricode/approval"
	"tricode/workdir/sandbox"
)

// shells are the shells whose input is judged like a command, with what keeps them from reading files, completing
// words and expanding exclamation marks when they are interactive.
var shells = map[string][]string{
	"bash": {"--norc", "--noprofile", "--noediting", "+H", "-i"},
	"dash": {"-i"},
	"sh":   {"-i"},
}

// shellLike are programs that take command lines which nobody judged.
var shellLike = []string{
	"ash", "bash", "busybox", "chroot", "csh", "dash", "doas", "elvish", "expect", "fish", "ksh", "login", "mksh", "nsenter", "nu", "pwsh",
	"rbash", "runuser", "screen", "script", "sh", "su", "sudo", "tclsh", "tcsh", "tmux", "unshare", "xonsh", "yash", "zellij", "zsh",
}

// StartSession returns the tool that starts a program behind a terminal.
func StartSession(w World) Tool {
	type input struct {
		Command string `json:"command,omitempty"`
		Shell   string `json:"shell,omitempty"`
	}
	return New("start_session", "Start a program, or a shell, in a terminal that stays.",
		func(ctx context.Context, in input) (*approval.Action, error) {
			if in.Command != "" {
				if err := checkText("command", in.Command); err != nil {
					return nil, err
				}
			}
			start, err := planStart(ctx, w, in.Command, in.Shell)
			if err != nil {
				return nil, err
			}
			if err := start.possible(); err != nil {
				return approval.Impossible(start.summary(), err, start.line.subjects()...), nil
			}
			a := start.line.action(ctx, start.summary(), start.do)
			a.Preview.Sections = append(a.Preview.Sections, approval.Section{Title: "Shell", Lines: start.args[:1]})
			if in.Command != "" {
				a.Draft = lineDraft("command.sh", "command", &in, &in.Command)
			}
			return a, nil
		})
}

// sessionStart is a session that does not run yet.
type sessionStart struct {
	w     World
	line  *commandLine
	args  []string // what runs
	name  string   // what a person calls it
	input inputKind
}

// planStart plans to start a command in a shell, or the shell itself if there is no command.
func planStart(ctx context.Context, w World, command, name string) (*sessionStart, error) {
	if _, known := shells[strings.TrimSpace(command)]; known && name == "" {
		command, name = "", strings.TrimSpace(command)
	}
	if name == "" {
		name = "bash"
		if at, err := w.Box.LookPath(name); err != nil || writable(w.Dir, at) {
			name = "sh"
		}
	}
	at, err := w.Box.LookPath(name)
	if err != nil {
		return nil, fmt.Errorf("shell: %w", err)
	}
	s := &sessionStart{w: w, name: command, args: []string{at, "-c", command}}
	options, known := shells[name]
	if command == "" {
		s.name, s.args = name, append([]string{at}, options...)
	} else if name == "bash" {
		s.args = []string{at, "--norc", "--noprofile", "-c", command}
	}
	s.line = analysed(ctx, w, command, at)
	s.line.session = true
	switch {
	case !known || writable(w.Dir, at):
		s.input = forUnknown
		s.line.more = append(s.line.more, approval.Subject{Effects: approval.Exec | approval.ExecOpaque, Args: s.args, Why: name + " is no shell whose commands can be judged"})
	case command == "":
		s.input = forShell
		s.line.more = append(s.line.more, approval.Subject{Effects: approval.Exec, Args: []string{name}})
	case slices.ContainsFunc(s.line.analysis.Subjects, startsShell):
		s.input = forUnknown
	}
	return s, nil
}

// startsShell reports whether a shell is among the words of a command.
func startsShell(s approval.Subject) bool {
	return s.Effects.Has(approval.ExecOpaque) || slices.ContainsFunc(s.Args, func(word string) bool {
		return slices.Contains(shellLike, path.Base(word))
	})
}

func (s *sessionStart) summary() string { return "start " + oneLine(s.name) + " in a session" }

func (s *sessionStart) possible() error {
	if !sandbox.Terminals {
		return errors.New("there are no sessions on this system; use run_command")
	}
	return s.w.Sessions.room()
}

func (s *sessionStart) do(ctx context.Context, live io.Writer) (approval.Result, error) {
	if err := s.line.unchanged(ctx); err != nil {
		return approval.Result{}, err
	}
	cmd, err := s.line.command(ctx, s.args)
	if err != nil {
		return approval.Result{}, err
	}
	before, protected := spotsOf(s.w.Dir, s.line.approved.Subjects), s.w.Boxes.protected()
	one, err := s.w.Sessions.start(ctx, cmd, oneLine(s.name), s.input)
	if err != nil {
		return approval.Result{}, err
	}
	one.mu.Lock()
	one.made = func() []string { return s.line.made(protected) }
	one.mu.Unlock()
	r, err := one.result(ctx, answerWithin, live, "session_id: "+one.id+"\n")
	r.Changed = changedSince(before)
	return r, err
}
