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
	"tricode/tools/runner"
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
	About []string `arg:"" name:"topic" optional:"" help:"permissions, providers, sandbox, output, hooks, configuration, flags, or a command."`
}

// page is a page of the help.
func page(name string) string {
	text, err := topics.ReadFile("topics/" + name + ".txt")
	if err != nil {
		panic(err) // it is part of this program
	}
	return string(text)
}

// helpOn prints a page of the help, or what there is to say about a command.
func (c *commandLine) helpOn(about []string, out io.Writer) error {
	switch topic := strings.Join(about, " "); {
	case topic == "":
		return printPage(out, page("usage"))
	case topic == flagsTopic:
		return allFlags(out)
	case topic == "sandbox":
		return printPage(out, page(topic)+refusals())
	case slices.Contains(topicNames, topic):
		return printPage(out, page(topic))
	}
	return helpOnCommand(about, out)
}

// printPage writes a page as wide as the terminal.
func printPage(out io.Writer, text string) error {
	_, err := io.WriteString(folded(out), text)
	return err
}

// helpOnCommand prints what a command prints with --help.
func helpOnCommand(words []string, out io.Writer) error {
	done := false
	parser, err := newParser(&commandLine{}, out, func(int) { done = true })
	if err != nil {
		return err
	}
	commands := commandNames(parser.Model.Node)
	if slices.Contains(commands, words[0]) {
		if _, err = parser.Parse(append(slices.Clone(words), "--help")); done { // the parser misses an argument then
			return nil
		}
		return mistake(err, parser.Model, words)
	}
	text := fmt.Sprintf("there is no help on %q; there is on %s", words[0], strings.Join(topicNames, ", "))
	if near := approval.Nearest(words[0], slices.Concat(topicNames, commands)); near != "" {
		text = fmt.Sprintf("there is no help on %q (did you mean %q?)", words[0], near)
	}
	return &usageError{text}
}

// refusals are the end of the page about the sandbox: what a command line cannot have, and what to write instead; and what is not
// as in bash.
func refusals() string {
	var b strings.Builder
	b.WriteString("\nRefused before anything runs, because it would not do what it does in bash;\n[sandbox] shell = \"/bin/bash\" runs it:\n\n")
	for _, r := range shell.Refusals() {
		fmt.Fprintf(&b, "  %s\n      %s\n", r.What, r.Instead)
	}
	b.WriteString("\nNot as in bash, and run all the same:\n\n")
	for _, d := range runner.Differences {
		fmt.Fprintf(&b, "  %s\n", d)
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
	parser.Model.HelpFlag.Help = helpOfHelp
	if _, err = parser.Parse([]string{"--help"}); done { // the parser misses a command then
		return nil
	}
	return err
}

// help prints the first page, or what the parser knows of a command: its own flags, and not those of a run that every
// command takes.
func help(o kong.HelpOptions, at *kong.Context) error {
	if n := at.Selected(); n == nil || n.Hidden {
		return printPage(at.Stdout, page("usage"))
	}
	for _, f := range at.Model.Flags {
		f.Hidden, f.Help = f.Name != "help", helpOfHelp
	}
	if err := kong.DefaultHelpPrinter(o, at); err != nil {
		return err
	}
	text := ""
	if lines := typed[at.Selected().Path()]; lines != nil {
		text = "\nExamples:\n  " + strings.Join(lines, "\n  ") + "\n"
	}
	return printPage(at.Stdout, text+"\nFlags of a run, such as --config, may stand here too: tricode help flags\n")
}

// typed are command lines that show what a command is for.
var typed = map[string][]string{
	"completion":          {"source <(tricode completion bash)", "tricode completion fish > ~/.config/fish/completions/tricode.fish"},
	"doctor":              {"tricode doctor --check sandbox,keys"},
	"providers test":      {"tricode providers test local"},
	"trust":               {"tricode trust --show"},
	"permissions import":  {"tricode permissions import ~/.claude/settings.json > policy.toml"},
	"permissions check":   {"tricode --config policy.toml permissions check"},
	"permissions denials": {"tricode permissions denials 20260102-03"},
	"permissions explain": {
		"tricode permissions explain run_command 'git push -f'",
		"tricode permissions explain read_file .env",
		`tricode permissions explain create_file '{"path": "a.txt", "content": "x"}'`,
	},
}

// helpOfHelp is said of a flag that the parser has words of its own for.
const helpOfHelp = "Print this help."
