package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"tricode/approval"
	"tricode/tools"
)

type completionCommand struct {
	Shell string `arg:"" help:"bash, zsh or fish."`
}

// completion prints what makes a shell complete command lines of tricode.
func (c *commandLine) completion(out io.Writer) error {
	parser, err := newParser(&commandLine{}, io.Discard, func(int) {})
	if err != nil {
		return err
	}
	var script string
	switch shell := c.Completion.Shell; shell {
	case "bash":
		script = bashCompletion(parser.Model)
	case "zsh":
		script = zshCompletion(parser.Model)
	case "fish":
		script = fishCompletion(parser.Model)
	default:
		return &usageError{fmt.Sprintf("completion: %q is not one of bash, zsh, fish", shell)}
	}
	_, err = io.WriteString(out, script)
	return err
}

// values are the words that can follow a flag; file and dir say that names of files or directories can. A flag without
// a value has none of them.
func values(f *kong.Flag) (words []string, file, dir bool) {
	switch p := f.PlaceHolder; {
	case f.IsBool():
	case f.Name == "permission-mode":
		words = []string{"ask", "accept_edits", "plan", "read_only"}
	case f.Name == "check":
		words = checkNames()
	case f.Name == "from":
		words = approval.ImportFormats()
	case f.Name == "tools":
		words = toolNames()
	case strings.Contains(p, "|"):
		words = strings.Split(p, "|")
	case p == "FILE":
		file = true
	case p == "DIR":
		dir = true
	}
	return words, file, dir
}

// visible are the commands below a node.
func visible(n *kong.Node) []*kong.Node {
	var all []*kong.Node
	for _, c := range n.Children {
		if !c.Hidden {
			all = append(all, c)
		}
	}
	return all
}

// operands are the words that can follow a command: its subcommands, or what its argument can be.
func operands(n *kong.Node) []string {
	switch n.Name {
	case "help":
		return helpWords(n.Parent)
	case "completion":
		return []string{"bash", "zsh", "fish"}
	case "explain":
		return toolNames()
	}
	return commandNames(n)
}

// helpWords are what there is help on: the topics, and the commands that are none.
func helpWords(app *kong.Node) []string {
	words := slices.Clone(topicNames)
	for _, name := range commandNames(app) {
		if !slices.Contains(words, name) {
			words = append(words, name)
		}
	}
	return words
}

// toolNames are the tools that a run has beside those of servers.
func toolNames() []string {
	var names []string
	for _, t := range tools.All(tools.World{}) {
		names = append(names, t.Name)
	}
	return names
}

func commandNames(n *kong.Node) []string {
	var names []string
	for _, c := range visible(n) {
		names = append(names, c.Name)
	}
	return names
}

// flagsOf are the flags of a node that are not hidden.
func flagsOf(n *kong.Node) []*kong.Flag {
	var all []*kong.Flag
	for _, f := range n.Flags {
		if !f.Hidden {
			all = append(all, f)
		}
	}
	return all
}

// takesFile reports whether the argument of a command is a file.
func takesFile(n *kong.Node) bool {
	return slices.ContainsFunc(n.Positional, func(p *kong.Positional) bool { return p.Name == "file" })
}

// single quotes a text for bash and zsh, and for fish where it has no backslash before a quote or at its end.
func single(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
