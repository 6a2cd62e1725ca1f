//go:build unix

package runner

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tricode/approval/shell"
)

// grammar writes random programs: what stands between braces is replaced by one of its alternatives.
var grammar = map[string][]string{
	"program": {"{st}\n{st}\n{st}", "{st}; {st}; {st}; {st}", "set -e; {st}; {st}; {st}", "set -u; {st}; {st}", "set -o pipefail; {st}; {st}", "f() { {st}; {st}; }; {st}; f {w} {w}; {st}", "set -euo pipefail\n{st}\n{st}\n{st}"},
	"st": {"{cmd}", "{cmd}", "{cmd}", "{cmd} && {cmd}", "{cmd} || {cmd}", "{cmd} && {cmd} || {cmd}", "! {cmd}", "{cmd} | {filter}", "{cmd} | {filter} | {filter}", "{assign}", "{assign}", "{assign}",
		"if {cond}; then {st}; else {st}; fi", "if {cond}; then {st}; fi", "for i in {w} {w} {w}; do {st}; done", "for i in {1..3}; do {st}; done", "for ((j=0;j<{n};j++)); do {cmd}; done; true",
		"while read -r l; do {st}; done < words.txt; true", "case {w} in {pat}) {st};; {pat}|x) {st};; *) {st};; esac", "{ {st}; {st}; }", "({st}; {st})", "({st}) || {cmd}", "{ {cmd}; } > out; cat out", "{ {st}; } 2>/dev/null", "cat <<E\n{w} $x {sub}\nE\n", "cat <<'E'\n{w} $x\nE\n", "{cmd} <<< {w}",
		"{st} & wait", "g() { local x=\"{dq}\"; {st}; return {n}; }; g {w}; echo $?", "set -- {w} {w}; echo $# \"$@\"", "a=({w} {w} {w}); echo ${#a[@]} \"${a[@]}\"", "eval {q}", "trap 'echo bye' EXIT", "declare -A m; m[{k}]={w}; m[{k}]={w}; echo ${#m[@]} ${m[{k}]-}",
		"{cond}; echo $?", "(({ar})); echo $?", "time_=1", "until {cond}; do {st}; break; done; true", "for i in {w}; do {cond} && continue; {st}; break; done", "x={sub}", "x=$( {st}; {st}); echo $?", "f2() { {st}; }; f2 | {filter}", "IFS=:; {st}; unset IFS"},
	"cmd":    {"echo {w} {w}", "echo {w}", "echo \"$x\" $y", "printf '%s-%s\\n' {w} {w} {w}", "true", "false", "echo $?", "test {w} = {w}", "(exit {n})", "cat words.txt", "ls", "grep {lit} words.txt", "echo {ar2}", "printf '%d|%5s|%-4s|%03d\\n' {n} {lit} {lit} {n}", ":", "echo \"{dq}\"", "unset x", "shift", "cd dir && pwd | xargs basename", "nosuch_cmd", "echo {w} >&2", "read x y <<< \"{lit} {lit} c\"", "sh -c 'echo $1; exit {n}' _ {w}", "echo $x $y $# $1"},
	"filter": {"cat", "sort", "wc -l", "tr a-z A-Z", "sed -n 1p", "grep {lit}", "while read -r l; do echo \"<$l>\"; done", "sed s/a/b/", "{ read x; echo $x; cat >/dev/null; }", "tail -1"},
	"cond":   {"[ {w} = {w} ]", "[[ {w} == {pat} ]]", "[ -n \"$x\" ]", "[ -f words.txt ]", "[[ $x =~ ^a.*$ ]]", "(({ar}))", "true", "false", "grep -q {lit} words.txt", "[ {n} -lt {n} ]", "[[ -z $y && {n} -gt 2 ]]", "! false", "[[ $x < $y ]]", "test -d {lit}"},
	"assign": {"x={w}", "y={w}", "x=$x{w}", "x+={w}", "y={sub}", "x=\"{dq}\"", "local z=1 2>/dev/null", "readonly R{n}={w}", "export x", "let p={n}", "((p={n}))", "((q+={n}))", "p={n}", "q=$(({ar}))", "a=({w}); a+=({w})", "a[{n}]={w}; echo ${!a[@]}", "unset y", "x=*.txt", "x=\"a b  c\"", "x= ", "y=:a:b:"},
	"w":      {"{lit}", "{lit}", "$x", "a\\ b", "\\'{lit}", "\"$x\"", "${y}", "\"{dq}\"", "'{lit} {lit}'", "{pe}", "\"{pe}\"", "{sub}", "\"{sub}\"", "$(({ar}))", "{lit}{1..2}", "{a,{lit}}", "*.txt", "$'a\\tb'", "\"$@\"", "$#", "\"${a[@]}\"", "$y$x", "w?rds.txt", "[a-p]*.txt", "~nouser", "\\$x", "'a\"b'"},
	"lit":    {"a", "b", "abc", "apple", "banana", "x1", "words.txt", "dir", "0", "7", "-n", "a.b", "A", "foo-bar", "%s", "a=b"},
	"k":      {"k", "one", "\"a b\"", "1"},
	"n":      {"0", "1", "2", "3", "5", "10"},
	"dq":     {"{lit} $x", "${x} {lit}", "{sub}", "a\\\"b", "\\$x \\\\", "  {lit}  ", "{pe}", "'{lit}'", "$(({ar}))", "*", "a\nb"},
	"sub":    {"$(echo {lit})", "$(echo {lit} {lit}; true)", "$(cat words.txt)", "`echo {lit}`", "$(printf '%s\\n\\n' {lit})", "$(false)", "$(echo \"$x\" | {filter})", "$(<words.txt)"},
	"pe":     {"${x:-{lit}}", "${y-{lit}}", "${x:+{lit}}", "${#x}", "${x#a}", "${x##*a}", "${x%a}", "${x%%a*}", "${x/a/b}", "${x//a/Z}", "${x^^}", "${x,,}", "${x^}", "${x:1}", "${x:0:2}", "${x: -1}", "${y:=d}", "${#a[@]}", "${a[@]:1}", "${!a[@]}", "${*}", "${1:-none}", "${x//[a-c]/_}", "${x/#a/}", "${a[@]/a/b}", "${a[*]}", "${x:+\"$x\"}", "${@:2}", "${x%.*}"},
	"pat":    {"a*", "*", "?", "[a-c]*", "{lit}", "*.txt", "$x", "\"$x\"", "''"},
	"ar":     {"{n}", "p", "{n}+{n}", "{n}*{n}-{n}", "{n}>{n}", "p==0", "p++", "++q", "{n}?{n}:{n}", "({n}+{n})*2", "!p", "{n}%3", "p+=2", "2**{n}", "{n}<<1", "{n}&3|4", "-{n}", "$p+1", "{n}/2", "{n},{n}", "~{n}", "{n}&&{n}", "p||{n}", "0x1f", "010", "p=q=3", "p*q"},
	"ar2":    {"$(({ar}))", "$((  {ar} ))"},
	"q":      {"'echo $x'", "echo {lit}", "\"x={lit}\"", "'f3() { echo in; }; f3'", "'(exit 3)'", "'echo a | cat'"},
}

func write(r *rand.Rand, text string, depth int) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			b.WriteString(text)
			return b.String()
		}
		end := strings.IndexByte(text[open:], '}')
		if end < 0 {
			b.WriteString(text)
			return b.String()
		}
		all, ok := grammar[text[open+1:open+end]]
		if !ok {
			b.WriteString(text[:open+1])
			text = text[open+1:]
			continue
		}
		b.WriteString(text[:open])
		if depth > 4 {
			all = all[:1]
		}
		b.WriteString(write(r, all[r.IntN(len(all))], depth+1))
		text = text[open+end+1:]
	}
}

// TestRandomPrograms holds that random programs are refused, or run as bash runs them.
func TestRandomPrograms(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash to compare with")
	}
	dir := filepath.Join(t.TempDir(), "w")
	for seed := range uint64(150) {
		agree(t, bash, dir, seed)
	}
}

func FuzzCompat(f *testing.F) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		f.Skip("there is no bash to compare with")
	}
	f.Add(uint64(1000))
	f.Fuzz(func(t *testing.T, seed uint64) { agree(t, bash, filepath.Join(t.TempDir(), "w"), seed) })
}

func agree(t *testing.T, bash, dir string, seed uint64) {
	t.Helper()
	text := "p=0 q=0\n" + write(rand.New(rand.NewPCG(seed, 0)), "{program}", 0)
	got, err := interpreted(t, text, dir)
	var refused *shell.Unrunnable
	if errors.As(err, &refused) || errors.Is(err, ErrLimit) || errors.Is(err, ErrArithmetic) || errors.Is(err, context.DeadlineExceeded) {
		return // a program without end is none to compare
	}
	if _, parsed := shell.Parse(text); parsed != nil {
		return
	}
	want := byBash(t, bash, text, dir)
	if want.status == 127 && got.status == 1 {
		want.status = 1 // bash -c has a status of its own where nounset ends it
	}
	got.stderr, want.stderr = fmt.Sprint(got.stderr != ""), fmt.Sprint(want.stderr != "")
	if err != nil || got != want {
		t.Errorf("seed %d:\n%s\n got %q, status %d, errors %s\nwant %q, status %d, errors %s\n%v", seed, text, got.stdout, got.status, got.stderr, want.stdout, want.status, want.stderr, err)
	}
}
