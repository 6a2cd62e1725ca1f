package cli

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// fishCompletion follows the page "complete" of fish's manual.
func fishCompletion(app *kong.Application) string {
	var b strings.Builder
	b.WriteString("# tricode completion fish: save it as ~/.config/fish/completions/tricode.fish\ncomplete -c tricode -f\n")
	for _, f := range flagsOf(app.Node) {
		fishFlag(&b, "", f)
	}
	for _, c := range visible(app.Node) {
		fmt.Fprintf(&b, "complete -c tricode -n __fish_use_subcommand -a %s -d %s\n", c.Name, single(c.Help))
		fishCommand(&b, "__fish_seen_subcommand_from "+c.Name, c)
	}
	return b.String()
}

// fishCommand is what can follow a command; seen is the test for it.
func fishCommand(b *strings.Builder, seen string, n *kong.Node) {
	for _, f := range flagsOf(n) {
		fishFlag(b, seen, f)
	}
	below := visible(n)
	if words := operands(n); len(below) == 0 && words != nil {
		fmt.Fprintf(b, "complete -c tricode -n '%s' -a %s\n", seen, single(strings.Join(words, " ")))
	}
	if takesFile(n) {
		fmt.Fprintf(b, "complete -c tricode -n '%s' -F\n", seen)
	}
	for _, c := range below {
		fmt.Fprintf(b, "complete -c tricode -n '%s; and not __fish_seen_subcommand_from %s' -a %s -d %s\n",
			seen, strings.Join(commandNames(n), " "), c.Name, single(c.Help))
		fishCommand(b, seen+"; and __fish_seen_subcommand_from "+c.Name, c)
	}
}

// fishFlag is a flag, of a command if seen is the test for that.
func fishFlag(b *strings.Builder, seen string, f *kong.Flag) {
	b.WriteString("complete -c tricode")
	if seen != "" {
		fmt.Fprintf(b, " -n '%s'", seen)
	}
	fmt.Fprintf(b, " -l %s", f.Name)
	if f.Short != 0 {
		fmt.Fprintf(b, " -s %c", f.Short)
	}
	switch words, file, dir := values(f); {
	case words != nil:
		fmt.Fprintf(b, " -x -a %s", single(strings.Join(words, " ")))
	case file:
		b.WriteString(" -r -F")
	case dir:
		b.WriteString(" -x -a '(__fish_complete_directories)'")
	case !f.IsBool():
		b.WriteString(" -x")
	}
	fmt.Fprintf(b, " -d %s\n", single(f.Help))
}
