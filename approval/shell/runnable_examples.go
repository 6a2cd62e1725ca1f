package shell

import (
	"errors"
	"strings"
)

// refused are examples of all that is refused beside the commands of calls, one for each kind.
var refused = []string{
	"coproc cat", "select x in a b; do :; done", "exec 3<>file", "exec {fd}>file", "exec 300>file", "cat <&3-", "exec > >(tee log)", "(trap 'rm -f x' EXIT; make)",
	"declare -i n=1", "export -f f", "m+=([key]=value)", "echo $((a[0]++))", "let 'a=5'", "echo $FUNCNAME", `echo "${x@P}"`, `cat ${x:="a b"}`, "shopt -s nocasematch",
	"ls !(*.txt)", "kill %1", "exec -a name sh", "eval() { :; }", "echo ${x##+(a)}", "a[i++]+=x", "declare x={a,b}",
	"export", "local -", "while continue; do :; done", "for f in *; do (continue); done", "declare +x name", "local -n r=$1; ((r++))", "local -n r=$1; unset r", "declare -A m=(key value)", "echo $GROUPS", "CDPATH=dir", "TIMEFORMAT=%R", "echo $x{a,b}", "echo ${BASH_SOURCE[1]}", `echo $'\cA'`,
}

// Refusals lists what is refused before anything runs, as Runnable words it: one of each kind.
func Refusals() (list []*Unrunnable) {
	examples := refused
	for _, c := range calls {
		arg, _, _ := strings.Cut(c.args, " ")
		examples = append(examples, strings.TrimSpace(c.name+" "+arg))
	}
	for _, text := range examples {
		var u *Unrunnable
		if errors.As(Interpretable(text), &u) {
			list = append(list, u)
		}
	}
	return list
}
