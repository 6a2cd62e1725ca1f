package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// parse fills c. done says that the help or the version was all that was wanted.
func parse(c *commandLine, args []string, stdout io.Writer) (command string, done bool, err error) {
	if i := slices.Index(args, "--"); i >= 0 && !slices.Contains(args[:i], "permissions") {
		c.taskGiven = true
		args = append([]string{"run"}, args...) // what stands after -- is a task, also if it is named like a command
	}
	parser, err := newParser(c, stdout, func(int) { done = true })
	if err != nil {
		return "", false, err
	}
	parsed, err := parser.Parse(resumeArgs(args))
	if done {
		return "", true, nil
	}
	if wrong := unquoted(args); wrong != nil && (err == nil || !strings.HasPrefix(err.Error(), "unknown flag ")) {
		return "", false, wrong
	}
	if err != nil {
		return "", false, mistake(err, parser.Model, args)
	}
	if err = c.checkTask(parser.Model); err == nil {
		err = c.check(parsed.Path)
	}
	return parsed.Command(), false, err
}

// newParser makes the parser of the command line; exit is called once the help or the version was printed.
func newParser(c *commandLine, stdout io.Writer, exit func(int), more ...kong.Option) (*kong.Kong, error) {
	options := []kong.Option{kong.Name("tricode"), kong.Writers(stdout, io.Discard), kong.Vars{"version": banner()}, kong.Exit(exit),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}), kong.Help(help)}
	return kong.New(c, append(options, more...)...)
}

// check finds values and combinations of flags that make no sense; path is what was typed.
func (c *commandLine) check(path []*kong.Path) error {
	if c.Stdio {
		if c.Output != "text" && c.Output != "stream-json" {
			return &usageError{"--stdio and --output " + c.Output + " contradict each other"}
		}
		c.Output = "stream-json"
	}
	for _, flag := range []struct {
		name, value string
		allowed     []string
	}{
		{"--output", c.Output, []string{"text", "json", "stream-json"}},
		{"--color", c.Color, []string{"auto", "always", "never"}},
		{"--no-terminal", c.NoTerminal, []string{"stop", "continue"}},
	} {
		if !slices.Contains(flag.allowed, flag.value) {
			return &usageError{fmt.Sprintf("%s %q is not one of %s", flag.name, flag.value, strings.Join(flag.allowed, ", "))}
		}
	}
	switch {
	case c.Verbose && c.Quiet:
		return &usageError{"--verbose and --quiet contradict each other"}
	case c.OverrideSystemPrompt && c.SystemPrompt == "":
		return &usageError{"--override-system-prompt needs --system-prompt FILE"}
	}
	if err := c.checkLimits(path); err != nil {
		return err
	}
	if err := c.checkPlan(); err != nil {
		return err
	}
	_, err := c.typedRules()
	return err
}

// typedOutput is the form of output that a command line asks for that could not be parsed.
func typedOutput(args []string) string {
	for i, a := range args {
		value, ok := strings.CutPrefix(a, "--output=")
		switch {
		case ok:
			return value
		case a == "--output" && i+1 < len(args):
			return args[i+1]
		case a == "--stdio":
			return "stream-json"
		case a == "--":
			return ""
		}
	}
	return ""
}
