package cli

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// bashCompletion follows the section "Programmable Completion" of bash's manual.
func bashCompletion(app *kong.Application) string {
	var cases, follow strings.Builder
	var flags, valued []string
	for _, f := range flagsOf(app.Node) {
		spelt := "--" + f.Name
		flags = append(flags, spelt)
		if f.Short != 0 {
			spelt += "|-" + string(f.Short)
		}
		words, file, dir := values(f)
		if !f.IsBool() {
			valued = append(valued, spelt)
		}
		switch {
		case words != nil:
			fmt.Fprintf(&cases, "    %s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", spelt, strings.Join(words, " "))
		case file:
			fmt.Fprintf(&cases, "    %s) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n", spelt)
		case dir:
			fmt.Fprintf(&cases, "    %s) COMPREPLY=($(compgen -d -- \"$cur\")); return ;;\n", spelt)
		}
	}
	for _, c := range visible(app.Node) {
		own := operands(c)
		for _, f := range flagsOf(c) {
			own = append(own, "--"+f.Name)
		}
		if len(own) > 0 {
			fmt.Fprintf(&follow, "    %s) words='%s' ;;\n", c.Name, strings.Join(own, " "))
		}
	}
	return fmt.Sprintf(`# tricode completion bash: source it, or save it as
# ~/.local/share/bash-completion/completions/tricode
_tricode() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= words= i
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
  case $prev in
%s  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
    %s) ((i++)) ;;
    -* | =) ;;
    *) command=${COMP_WORDS[i]}; break ;;
    esac
  done
  case $command in
    "") words='%s' ;;
%s  esac
  if [[ $cur == -* ]]; then words+=' %s'; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _tricode tricode
`, cases.String(), strings.Join(valued, " | "), strings.Join(commandNames(app.Node), " "), follow.String(), strings.Join(flags, " "))
}

// zshCompletion follows zshcompsys(1), _arguments and _describe.
func zshCompletion(app *kong.Application) string {
	var b strings.Builder
	b.WriteString("#compdef tricode\n# tricode completion zsh: save it as _tricode in a directory of $fpath\n_tricode() {\n  local -a commands\n  commands=(\n")
	for _, c := range visible(app.Node) {
		fmt.Fprintf(&b, "    %s\n", single(c.Name+":"+strings.ReplaceAll(c.Help, ":", `\:`)))
	}
	b.WriteString("  )\n  local context state line\n  _arguments -C \\\n")
	for _, f := range flagsOf(app.Node) {
		fmt.Fprintf(&b, "    %s \\\n", single(zshFlag(f)))
	}
	b.WriteString("    '1: :->command' '*:: :->operand' && return\n  case $state in\n    command) _describe command commands ;;\n    operand) case $line[1] in\n")
	for _, c := range visible(app.Node) {
		if own := operands(c); len(own) > 0 {
			fmt.Fprintf(&b, "      %s) compadd -- %s ;;\n", c.Name, strings.Join(own, " "))
		}
	}
	b.WriteString("      *) _files ;;\n    esac ;;\n  esac\n}\ncompdef _tricode tricode\n")
	return b.String()
}

// zshFlag is a flag as _arguments wants it.
func zshFlag(f *kong.Flag) string {
	help := strings.NewReplacer("[", `\[`, "]", `\]`, ":", `\:`).Replace(f.Help)
	if f.IsBool() {
		return fmt.Sprintf("--%s[%s]", f.Name, help)
	}
	action := ""
	switch words, file, dir := values(f); {
	case words != nil:
		action = "(" + strings.Join(words, " ") + ")"
	case file:
		action = "_files"
	case dir:
		action = "_files -/"
	}
	return fmt.Sprintf("*--%s=[%s]:%s:%s", f.Name, help, f.Name, action)
}

// fishCompletion follows the page "complete" of fish's manual.
func fishCompletion(app *kong.Application) string {
	var b strings.Builder
	b.WriteString("# tricode completion fish: save it as ~/.config/fish/completions/tricode.fish\ncomplete -c tricode -f\n")
	for _, f := range flagsOf(app.Node) {
		fmt.Fprintf(&b, "complete -c tricode -l %s", f.Name)
		if f.Short != 0 {
			fmt.Fprintf(&b, " -s %c", f.Short)
		}
		switch words, file, dir := values(f); {
		case words != nil:
			fmt.Fprintf(&b, " -x -a %s", single(strings.Join(words, " ")))
		case file:
			b.WriteString(" -r -F")
		case dir:
			b.WriteString(" -x -a '(__fish_complete_directories)'")
		case !f.IsBool():
			b.WriteString(" -x")
		}
		fmt.Fprintf(&b, " -d %s\n", single(f.Help))
	}
	for _, c := range visible(app.Node) {
		fmt.Fprintf(&b, "complete -c tricode -n __fish_use_subcommand -a %s -d %s\n", c.Name, single(c.Help))
		if own := operands(c); len(own) > 0 {
			fmt.Fprintf(&b, "complete -c tricode -n '__fish_seen_subcommand_from %s' -a %s\n", c.Name, single(strings.Join(own, " ")))
		}
	}
	return b.String()
}

// single quotes a text for bash and zsh, and for fish where it has no backslash before a quote or at its end.
func single(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
