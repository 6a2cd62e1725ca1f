package shell

import (
	"testing"

	"tricode/approval"
)

// What a text changes is not taken for what it was before.
func TestWhatChangesIsNotKnown(t *testing.T) {
	d := project(t)
	for _, text := range []string{
		// positional parameters, in loops and branches
		`set -- ls; while true; do "$@"; set -- rm x; done`, `set -- a.txt; while true; do cat "$1"; set -- /etc/passwd; done`, `set -- ls; if [ -f x ]; then set -- reboot; fi; "$@"`, `set -- ls; case x in x) set -- reboot;; esac; $1`,
		// functions that may not be defined, or be others
		"false && rm() { :; }; rm -rf x", "[ -f q ] && touch() { :; }; touch x", "if false; then rm() { :; }; fi; rm x", "while false; do rm() { :; }; done; rm x", "rm() { :; }; true && unset -f rm; rm x",
		"x=a.txt; f() { :; } && x=/etc/passwd; cat $x", "x=a.txt; f() { :; } || x=/etc/passwd | cat; cat $x",
		// variables of a function
		`x=/etc/passwd; f() { local x=a.txt; cat "$x"; }; f; cat $x`, `x=/etc/passwd; f() { declare x=a.txt; }; f; cat $x`, `x=/etc/passwd; f() { [ -f q ] && local x; x=a.txt; }; f; cat $x`, "x=/etc/passwd; local x=a.txt; cat $x",
		`f() { local x={a.txt,/etc/passwd}; cat "$x"; }; f`, `declare x={a.txt,/etc/passwd}; cat $x`, `export x=/etc/{fstab,passwd}; cat $x`,
		// what is left early
		"x=/etc/passwd; f() { return; x=a.txt; }; f; cat $x", "x=/etc/passwd; f() { [ -f q ] && return 0; x=a.txt; }; f; cat $x", "x=a.txt; for i in 1 2; do cat $x; x=/etc/passwd; continue; x=a.txt; done", "x=a.txt; for i in 1 2; do for j in 1; do cat $x; x=/etc/passwd; continue 2; x=a.txt; done; done",
		// what is not done because a redirect fails
		"cd src <b.txt; cat ../outside/secret.txt", "cd src >&9; cat ../outside/secret.txt", "exec 2>&-; cd src 1>&2; cat ../outside/secret.txt", "x=/etc/passwd; { x=a.txt; } <&9; cat $x", "x=/etc/passwd; declare x=a.txt <&9; cat $x",
		// or because the line ends
		"x=/etc/passwd\nn=$((1/m)); x=a.txt\ncat $x", "x=/etc/passwd\ny=${z:1:-9}; x=a.txt\ncat $x", "x=/etc/passwd\nn=$((08)); x=a.txt\ncat $x", "x=/etc/passwd\nm=08; n=$((m)); x=a.txt\ncat $x", "x=/etc/passwd\nn=$((3#4)); x=a.txt\ncat $x", "x=/etc/passwd\na[-5]=1; x=a.txt\ncat $x", "readonly z; x=/etc/passwd\nz=1; x=a.txt\ncat $x",
		// readonly variables, and those that the shell sets
		"readonly x=/etc/passwd; x=a.txt; cat $x", "x=/etc/passwd; readonly x; x=a.txt; cat $x", "declare -r x=/etc/passwd; (x=a.txt; cat $x)", "REPLY=ls; read; $REPLY", "_=ls; echo reboot; $_", "BASH_REMATCH=ls; [[ reboot =~ .* ]]; $BASH_REMATCH",
		// traps, places and globs
		"x=a.txt; trap 'x=/etc/passwd' ERR; false; cat $x", "trap 'cd ..' USR1; cat a.txt", "cd -P src/up; cat ../outside/secret.txt", "set -f; cat [ab].txt", "set +B; cat {a,b}.txt", "set -o noglob; cat [ab].txt",
		// variables that only change how output looks, unless they name files
		"LANGUAGE=../../../src ls", "TERM=/tmp/x ls", "TZ=:/etc/passwd date", "LC_ALL=$x ls",
	} {
		if decision, a := decide(d, approval.ModeAsk, text); decision.Verdict == approval.Allow {
			t.Errorf("%s: %v; %+v", text, decision.Verdict, a.Subjects)
		}
	}
}

// What is surely still the same is known.
func TestWhatStaysIsKnown(t *testing.T) {
	d := project(t)
	for _, text := range []string{
		"set -- a.txt; while true; do cat \"$1\"; done", "x=a.txt; f() { local x=b.txt; cat $x; }; f; cat $x", "x=a.txt; for i in 1 2; do [ -f $x ] || continue; cat $x; done", "for f in a.txt b.txt; do [ -f $f ] || continue; cat $f; done",
		"x=a.txt; { cat b.txt; } <b.txt; cat $x", "cd src >/dev/null 2>&1; cat ../a.txt", "cd src && cat main.go <../a.txt", "n=$((6/2)); head -n $n a.txt", "x=abc; echo ${x:0:2}", "LC_ALL=C sort a.txt", "TZ=Europe/Berlin date", "set -euo pipefail; cat a.txt",
		"if [ -f a.txt ]; then x=a.txt; else x=a.txt; fi; cat $x", "readonly x=a.txt; cat $x",
	} {
		if decision, a := decide(d, approval.ModeAsk, text); decision.Verdict != approval.Allow {
			t.Errorf("%s: %v, %s; %+v", text, decision.Verdict, decision.Reason, a.Subjects)
		}
	}
}
