package cli

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// bashCompletion follows the section "Programmable Completion" of bash's manual.
func bashCompletion(app *kong.Application) string {
	var cases strings.Builder
	var flags []string
	for _, f := range flagsOf(app.Node) {
		flags = append(flags, "--"+f.Name)
	}
	valued := bashValues(&cases, app.Node)
	return fmt.Sprintf(`# tricode completion bash: source it, or save it as
# ~/.local/share/bash-completion/completions/tricode
_tricode() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= words= i
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
  case $prev in
%s  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
    --) return ;;
    %s) ((i++)) ;;
    -* | =) ;;
    *) command+="${COMP_WORDS[i]} " ;;
    esac
  done
  case $command in
    "") words='%s' ;;
%s  esac
  if [[ $cur == -* ]]; then words+=' %s'; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _tricode tricode
`, cases.String(), strings.Join(valued, " | "), strings.Join(commandNames(app.Node), " "), bashCommands(app.Node, ""), strings.Join(flags, " "))
}

// bashValues is what can follow each flag of a command and of those below it, and returns the flags that have a value.
func bashValues(b *strings.Builder, n *kong.Node) (valued []string) {
	for _, f := range flagsOf(n) {
		if f.IsBool() {
			continue
		}
		spelt := "--" + f.Name
		if f.Short != 0 {
			spelt += "|-" + string(f.Short)
		}
		valued = append(valued, spelt)
		switch words, file, dir := values(f); {
		case words != nil:
			fmt.Fprintf(b, "    %s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", spelt, strings.Join(words, " "))
		case file:
			fmt.Fprintf(b, "    %s) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n", spelt)
		case dir:
			fmt.Fprintf(b, "    %s) COMPREPLY=($(compgen -d -- \"$cur\")); return ;;\n", spelt)
		default: // nothing is known of it, and it is no file
			fmt.Fprintf(b, "    %s) compopt +o default 2>/dev/null; return ;;\n", spelt)
		}
	}
	for _, c := range visible(n) {
		valued = append(valued, bashValues(b, c)...)
	}
	return valued
}

// bashCommands is what can follow each command below a node; those with more words come first.
func bashCommands(n *kong.Node, before string) string {
	var b strings.Builder
	for _, c := range visible(n) {
		b.WriteString(bashCommands(c, before+c.Name+" "))
		own := operands(c)
		for _, f := range flagsOf(c) {
			own = append(own, "--"+f.Name)
		}
		fmt.Fprintf(&b, "    '%s%s '*) words='%s' ;;\n", before, c.Name, strings.Join(own, " "))
	}
	return b.String()
}
