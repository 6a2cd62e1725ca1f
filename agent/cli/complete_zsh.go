package cli

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// zshCompletion follows zshcompsys(1), _arguments and _describe.
func zshCompletion(app *kong.Application) string {
	var b strings.Builder
	b.WriteString("#compdef tricode\n# tricode completion zsh: save it as _tricode in a directory of $fpath\n")
	zshFunction(&b, "_tricode", app.Node, flagsOf(app.Node))
	b.WriteString("compdef _tricode tricode\n")
	return b.String()
}

// zshFunction writes the function of a command, and those of the ones below it. Flags of a run may stand anywhere.
func zshFunction(b *strings.Builder, name string, n *kong.Node, flags []*kong.Flag) {
	below := visible(n)
	for _, c := range below {
		zshFunction(b, name+"_"+c.Name, c, append(flagsOf(c), flags...))
	}
	specs := []string{"_arguments -C"}
	for _, f := range flags {
		specs = append(specs, zshFlag(f))
	}
	switch words := operands(n); {
	case len(below) > 0:
		specs = append(specs, "'1: :->command' '*:: :->operand' && return")
	case words != nil:
		specs = append(specs, fmt.Sprintf("'1: :(%s)'", strings.Join(words, " ")))
	case takesFile(n):
		specs = append(specs, "'*: :_files'")
	}
	fmt.Fprintf(b, "%s() {\n", name)
	if len(below) > 0 {
		b.WriteString("  local context state line\n")
	}
	fmt.Fprintf(b, "  %s\n", strings.Join(specs, " \\\n    "))
	if len(below) > 0 {
		zshCommands(b, name, below)
	}
	b.WriteString("}\n")
}

// zshCommands goes on with the commands below another one.
func zshCommands(b *strings.Builder, name string, below []*kong.Node) {
	var described, called strings.Builder
	for _, c := range below {
		described.WriteString(" " + single(c.Name+":"+strings.ReplaceAll(c.Help, ":", `\:`)))
		fmt.Fprintf(&called, "      %s) %s_%[1]s ;;\n", c.Name, name)
	}
	fmt.Fprintf(b, "  local -a commands=(%s )\n  case $state in\n    command) _describe command commands ;;\n"+
		"    operand) case $words[1] in\n%s      *) _files ;;\n    esac ;;\n  esac\n", &described, &called)
}

// zshFlag is a flag as _arguments wants it, in each of its spellings.
func zshFlag(f *kong.Flag) string {
	help := "[" + strings.NewReplacer("[", `\[`, "]", `\]`, ":", `\:`).Replace(f.Help) + "]"
	long := "*--" + f.Name
	if !f.IsBool() {
		long += "="
		action := ""
		switch words, file, dir := values(f); {
		case words != nil:
			action = "(" + strings.Join(words, " ") + ")"
		case file:
			action = "_files"
		case dir:
			action = "_files -/"
		}
		help += ":" + f.Name + ":" + action
	}
	if f.Short != 0 {
		return single(long+help) + " " + single("*-"+string(f.Short)+help)
	}
	return single(long + help)
}
