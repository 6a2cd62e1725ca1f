package tools

import (
	"context"
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"tricode/approval"
	"tricode/approval/shell"
	"tricode/workdir/sandbox"
)

// commandLine is a text for a shell, with what it would do as far as that was found out.
type commandLine struct {
	w        World
	text     string
	shell    []string // the program that runs the text, and its options; nil if it is interpreted
	analysis shell.Analysis
	more     []approval.Subject         // what starting it does beside what the text does
	programs map[string]sandbox.Program // what the commands start, by path
	approved *approval.Action           // what the gate decided about
	fault    error                      // why it cannot be run
	layer    string                     // what takes what it would write to the work directory, see sandbox.Overlay; empty for nothing

	interpreted bool // by a helper, which asks about each step
	session     bool // what it starts stays, so that there is no end at which a preview could be shown
}

// errNoShell says that commands cannot be run at all.
var errNoShell = errors.New("there is neither bash nor sh outside the work directory")

// newCommandLine plans to run a text: with the interpreter, with the shell that the person wants instead, or, where there are no
// helpers, with any shell. A text that would not run as it was analysed is an error of the action.
func newCommandLine(ctx context.Context, w World, text string) (*commandLine, error) {
	if name := w.Boxes.shell(); name != "" {
		return withShell(ctx, w, text, []string{name, "-c"})
	}
	if sandbox.Helpers {
		c := analysed(ctx, w, text, "")
		c.interpreted, c.fault = true, shell.Interpretable(text)
		return c, nil
	}
	for _, program := range [...][]string{{"bash", "--norc", "--noprofile", "-c"}, {"sh", "-c"}} {
		if c, err := withShell(ctx, w, text, program); err == nil {
			return c, nil
		}
	}
	return nil, errNoShell
}

// withShell plans to run a text with a shell.
func withShell(ctx context.Context, w World, text string, program []string) (*commandLine, error) {
	at, err := w.Box.LookPath(program[0])
	if err != nil {
		return nil, err
	}
	if writable(w.Dir, at) {
		return nil, fmt.Errorf("%s lies where the run may write", at)
	}
	c := analysed(ctx, w, text, at)
	c.shell = append([]string{at}, program[1:]...)
	return c, nil
}

// analysed plans to run a text with the shell at a path, empty for the interpreter; an empty text does nothing.
func analysed(ctx context.Context, w World, text, shell string) *commandLine {
	c := &commandLine{w: w, text: text, analysis: analyse(ctx, w, text)}
	c.programs = map[string]sandbox.Program{}
	if shell != "" {
		c.programs[shell] = w.Box.Program(shell)
	}
	for _, command := range c.analysis.Commands {
		if command.Program != "" {
			c.programs[command.Program] = w.Box.Program(command.Program)
		}
	}
	c.more = append(c.unheld(ctx), c.stray()...)
	return c
}

// stray is what git reads outside because the repository of the work directory says so.
func (c *commandLine) stray() []approval.Subject {
	if !c.runs("git") {
		return nil
	}
	at := sandbox.StrayGitDir(c.w.Dir.Name())
	if at == "" {
		return nil
	}
	return []approval.Subject{{Effects: approval.Read, Path: at, Tree: true, Why: "the repository of the work directory says that git's files are in " + at}}
}

// configured are the reading programs that may start others of which files of the project decide: git those that its configuration names, go
// another version of itself (https://go.dev/doc/toolchain).
var configured = []string{"git", "go"}

// unheld are the commands of a line that only reads that could run configured programs, if no box holds those.
func (c *commandLine) unheld(ctx context.Context) (more []approval.Subject) {
	if c.w.Boxes == nil || !c.runs(configured...) || !c.onlyReads() || len(c.w.Boxes.Gaps(ctx, true)) == 0 {
		return nil
	}
	for _, command := range c.analysis.Commands {
		if slices.Contains(configured, path.Base(command.Program)) {
			s := c.analysis.Subjects[command.Subject]
			s.Effects, s.Why = approval.Exec, "the system does not hold what its configuration may run"
			more = append(more, s)
		}
	}
	return more
}

// checkText returns an error for what cannot be an argument of a shell.
func checkText(name, text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return fmt.Errorf("%s: is empty", name)
	case strings.IndexByte(text, 0) >= 0:
		return fmt.Errorf("%s: has a NUL byte", name)
	case len(text) > maxText:
		return fmt.Errorf("%s: has %d bytes, %d are possible", name, len(text), maxText)
	}
	return nil
}

// maxText is the longest argument that Linux takes, less one for its end (execve(2)).
const maxText = 128<<10 - 1

// action is the command line as the gate sees it. What does more than reading counts as a command, whatever its
// parts are.
func (c *commandLine) action(ctx context.Context, summary string, do approval.Effect) *approval.Action {
	a := approval.NewAction(summary, do, c.subjects()...)
	if c.fault != nil {
		a = approval.Impossible(summary, c.fault, c.subjects()...)
	}
	c.approved = a
	a.Rechecked = c.interpreted && c.w.Recheck != nil
	if a.Effects != 0 && !a.Effects.Only(approval.Read) {
		a.Effects |= approval.Exec
	}
	a.Text = c.text
	a.Preview.Sections = append(sections(ctx, c.w, a.Subjects), approval.Section{Title: "Work directory", Lines: []string{c.w.Dir.Name()}})
	if c.w.Boxes != nil && !c.onlyReads() {
		a.Preview.Sections = append(a.Preview.Sections, c.enforced(ctx))
	}
	return a
}

func (c *commandLine) subjects() []approval.Subject {
	return slices.Concat(c.analysis.Subjects, c.more)
}

// onlyReads reports whether the line is known to do nothing else.
func (c *commandLine) onlyReads() bool {
	return !slices.ContainsFunc(c.subjects(), func(s approval.Subject) bool { return !s.Effects.Only(approval.Read) })
}

// command is what runs the line: a shell, or another program that was planned for it, or the interpreter. Nobody is asked
// about one that only reads, so git starts nothing else there.
func (c *commandLine) command(ctx context.Context, args []string) (cmd sandbox.Cmd, err error) {
	cmd = sandbox.Cmd{Args: args, Look: c.onlyReads(), Limits: c.w.Boxes.limits(c)}
	if c.interpreted {
		cmd.Args, cmd.Text, cmd.Check, cmd.Builtins, cmd.Ours = nil, c.text, c.check(), c.w.builtins(), c.w.Dir.Roots()
	}
	if cmd.Look && c.runs("git") {
		cmd.Env, err = c.w.Box.GitOff(ctx)
	}
	return cmd, err
}

// runs reports whether a line was seen to start one of these programs.
func (c *commandLine) runs(programs ...string) bool {
	return slices.ContainsFunc(c.analysis.Commands, func(command shell.Command) bool {
		return slices.Contains(programs, path.Base(command.Program))
	})
}

// unchanged returns approval.ErrStale unless the line would still do what was shown, with the same programs.
func (c *commandLine) unchanged(ctx context.Context) error {
	for at, was := range c.programs {
		if c.w.Box.Program(at) != was {
			return approval.ErrStale
		}
	}
	if again := analyse(ctx, c.w, c.text); !reflect.DeepEqual(again, c.analysis) {
		return approval.ErrStale
	}
	return nil
}

// summaryWidth is how much of a command's first line stands in its summary, in runes.
const summaryWidth = 100

// oneLine is a text as a part of a summary.
func oneLine(text string) string {
	text = strings.TrimSpace(text)
	line, rest, _ := strings.Cut(text, "\n")
	if utf8.RuneCountInString(line) > summaryWidth {
		return string([]rune(line)[:summaryWidth]) + " …"
	}
	if n := strings.Count(rest, "\n"); rest != "" {
		return fmt.Sprintf("%s (and %s)", line, number(n+1, "more line", "more lines"))
	}
	return line
}
