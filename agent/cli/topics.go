package cli

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"tricode/approval"
	"tricode/approval/shell"
)

// topics are the pages of the help, each no wider than 80 columns; usage is the first one.
//
//go:embed topics/*.txt
var topics embed.FS

// topicNames are the pages that can be asked for, in the order in which they are best read.
var topicNames = []string{"permissions", "providers", "sandbox", "output", "hooks", "configuration", flagsTopic}

// flagsTopic is the page that the parser makes.
const flagsTopic = "flags"

type helpCommand struct {
	Topic string `arg:"" optional:"" help:"permissions, providers, sandbox, output, hooks, configuration or flags."`
}

// page is a page of the help.
func page(name string) string {
	text, err := topics.ReadFile("topics/" + name + ".txt")
	if err != nil {
		panic(err) // it is part of this program
	}
	return string(text)
}

// helpOn prints a page of the help.
func (c *commandLine) helpOn(topic string, out io.Writer) error {
	switch {
	case topic == "":
		topic = "usage"
	case topic == flagsTopic:
		return allFlags(out)
	case !slices.Contains(topicNames, topic):
		text := fmt.Sprintf("there is no help on %q; there is on %s", topic, strings.Join(topicNames, ", "))
		if near := approval.Nearest(topic, topicNames); near != "" {
			text = fmt.Sprintf("there is no help on %q (did you mean %q?)", topic, near)
		}
		return &usageError{text}
	}
	text := page(topic)
	if topic == "sandbox" {
		text += refusals()
	}
	_, err := io.WriteString(out, text)
	return err
}

// refusals are the end of the page about the sandbox: what a command line cannot have, and what to write instead.
func refusals() string {
	var b strings.Builder
	b.WriteString("\nRefused before anything runs, because it would not do what it does in bash;\n[sandbox] shell = \"/bin/bash\" runs it:\n\n")
	for _, r := range shell.Refusals() {
		fmt.Fprintf(&b, "  %s\n      %s\n", r.What, r.Instead)
	}
	return b.String()
}

// allFlags prints what the parser knows of all commands and flags.
func allFlags(out io.Writer) error {
	done := false
	parser, err := newParser(&commandLine{}, out, func(int) { done = true }, kong.Help(kong.DefaultHelpPrinter))
	if err != nil {
		return err
	}
	if _, err = parser.Parse([]string{"--help"}); done { // the parser misses a command then
		return nil
	}
	return err
}

// help prints the first page, or what the parser knows of a command: its own flags, and not those of a run that every
// command takes.
func help(o kong.HelpOptions, at *kong.Context) error {
	if at.Selected() == nil {
		_, err := io.WriteString(at.Stdout, page("usage"))
		return err
	}
	for _, f := range at.Model.Flags {
		f.Hidden, f.Help = f.Name != "help", "Print this help."
	}
	if err := kong.DefaultHelpPrinter(o, at); err != nil {
		return err
	}
	_, err := io.WriteString(at.Stdout, "\nFlags of a run may stand here too, such as --config and --work-dir: tricode help flags\n")
	return err
}

// checkTask refuses a task of one word that was probably meant to be a command: a slip of the finger should not cost
// anything. Behind -- everything is a task.
func (c *commandLine) checkTask(commands []string) error {
	if c.Run.Task == nil || c.taskGiven || strings.ContainsAny(*c.Run.Task, " \t\n") {
		return nil
	}
	word := *c.Run.Task
	for _, name := range commands {
		if slipped(word, name) {
			return &usageError{fmt.Sprintf("%q is no command; did you mean %q? As a task it is given behind --: tricode -- %[1]s", word, name)}
		}
	}
	return nil
}

// slipped reports whether a word is another one with a letter too many, too few or in the place of another, or with two
// neighbours changed.
func slipped(word, name string) bool {
	for word != "" && name != "" && word[0] == name[0] {
		word, name = word[1:], name[1:]
	}
	for word != "" && name != "" && word[len(word)-1] == name[len(name)-1] {
		word, name = word[:len(word)-1], name[:len(name)-1]
	}
	return len(word) <= 1 && len(name) <= 1 || len(word) == 2 && len(name) == 2 && word[0] == name[1] && word[1] == name[0]
}
