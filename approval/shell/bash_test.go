//go:build unix

package shell

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tricode/approval"
)

// The grammar of lines that try to run zap unseen: @ stands for a statement, % for a word. Nothing in it names a path outside the
// directory that it runs in, or a program that could harm anything.
var (
	bashStatements = []string{
		"%", "% %", "echo % %", "true %", "zap", "x=%", "x=% y=%", "x+=%", "a[%]=%", "a=(% %)", "@; @", "@ && @", "@ || @", "@ | @", "@\n@", "@ & @", "! @", "( @ )", "{ @; }", "if @; then @; else @; fi", "while @; do @; break; done", "until @; do @; break; done",
		"for x in % %; do @; done", "for ((x=%; x<1; x++)); do @; break; done", "case % in %) @ ;; %|%) @ ;& *) @ ;; esac", "select x in %; do @; break; done", "f() { @; }; f %", "function f { @; }; f", "f() ( @ ); f", "coproc @", "time @", "[[ % == % ]]", "[[ -v % ]]", "[[ % -eq % ]]", "[[ -n % && ! -z % ]]", "[[ % =~ % ]]",
		"(( % ))", "let %", "test % = %", "[ % -eq % ]", "test -v %", "printf %", "printf -v % %", "read % <<< %", "read -r x y <<E\n%\nE\n", "cat <<E\n%\nE\n", "cat <<'E'\n%\nE\n", "cat <<-E\n\t%\n\tE\n", "cat <<< %", "echo % > x", "echo % >> x 2>&1", "cat < %", "exec % > x", "declare %", "declare -i x=%", "export %", "readonly x=%", "local x=%", "typeset -n x=%", "unset %", "shift %", "set -- % %", "set -%",
		"eval %", "eval echo %", "trap % EXIT", "trap @ DEBUG", "alias e=%\ne", "exec %", "command %", "builtin %", "env %", "env x=% %", "xargs %", "echo % | xargs %", "echo % | read x", "mapfile -C % x", "hash -p % e", "type %", "wait %", "getopts % x", "bash -c %", "sh -c % x %", "PS4=% ; set -x; true", "IFS=%; $x %", "shopt -s %", "return %", "echo \"%\" '%' $'%' $\"%\"", "echo #% \n@", "true \\\n@", "true # \\\n@", "x=% true", "x=zap; @",
		"${x:-%}", "$(@)", "`@`", "echo $(@)", "echo \"$(@)\"", "echo `@`", "echo <(@)", "cat <(@) >(@)", "echo ${x:-$(@)}", "echo ${x@P} ${x/%/%} ${x:%} ${x%%%} ${!x} ${x^^%}", "echo $((%)) $[%]", "echo ${a[%]} ${a[@]:%}", "echo ${x:=%} ; @",
	}
	bashWords = []string{
		"zap", "x", "a", "echo", "e", "1", "0", "-v", "-c", "-", "--", "=", "z''ap", "z\\ap", "\"zap\"", "'zap'", "$'zap'", "$'\\x7aap'", "$'\\172\\u61p'", "z{a,b}p", "{zap,x}", "{a..z}p", "z?p", "z*", "z[a]p", "@(zap|x)", "!(x)", "~", "~+", "$x", "\"$x\"", "'$x'", "${x}", "$1", "$@", "\"$@\"", "$#", "$?", "$!", "$_", "$0", "$-",
		"$(zap)", "`zap`", "\"$(zap)\"", "'$(zap)'", "\\$\\(zap\\)", "$((1))", "$((x))", "a[$(zap)]", "'a[$(zap)]'", "x[zap]", "x=zap", "x='a[$(zap)]'", "'x=$(zap)'", "<(zap)", "x;zap", "x\\;zap", "x|zap", "x&zap", "'x;zap'", "';zap'", "#zap", "x#zap", "\\#", "\\\n", "x\\\nzap", "\r", "x\r", "\\", "'", "\"", "`", "$", "$'", "${", "}", "{", "(", ")", "((", "))", "[[", "]]", "!", "&", "|", "<", ">", "*", "?", "E", "\nE\nzap\n", "\t", "\n",
		"${x:-zap}", "${x:=zap}", "${x+zap}", "${x@P}", "${x//a/zap}", "${!x}", "${x[$(zap)]}", "${#x}", "${x:0:1}", "\u00a0zap", "\u00e9", "time", "if", "then", "do", "done", "in", "esac", "function", "coproc", "exec", "command", "builtin", "env", "eval", ".", ":", "[", "]", "x=(zap)", "IFS", "PATH=.", "EXIT", "extglob", "expand_aliases", "%s", "%b", "zap\\n",
	}
)

// teller makes choices from bytes, and the first one when there are none left.
type teller struct{ bytes []byte }

func (t *teller) choose(n int) int {
	if len(t.bytes) == 0 {
		return 0
	}
	b := int(t.bytes[0])
	t.bytes = t.bytes[1:]
	return b % n
}

// line makes a statement.
func (t *teller) line(depth int) string {
	form := bashStatements[t.choose(len(bashStatements))]
	if depth == 4 {
		form = "% %"
	}
	var b strings.Builder
	for _, c := range form {
		switch c {
		case '@':
			b.WriteString(t.line(depth + 1))
		case '%':
			b.WriteString(bashWords[t.choose(len(bashWords))])
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// bashRun is where bash runs lines: a directory with the programs that they may find, of which zap leaves a mark.
type bashRun struct{ bash, dir string }

func newBashRun(t testing.TB) *bashRun {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here to compare with")
	}
	r := &bashRun{bash, t.TempDir()}
	if err := os.Mkdir(filepath.Join(r.dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cat", "env", "xargs", "sh", "bash"} {
		at, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(at, filepath.Join(r.dir, "bin", name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(r.dir, "bin", "zap"), []byte("#!/bin/sh\n: > "+r.dir+"/ran\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return r
}

// runsZap reports whether bash runs zap because of a line.
func (r *bashRun) runsZap(t testing.TB, line string) bool {
	work, err := os.MkdirTemp(r.dir, "work")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(work)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.bash, "--norc", "--noprofile", "-c", line)
	cmd.Dir, cmd.Env = work, []string{"PATH=" + r.dir + "/bin", "HOME=" + work, "FUNCNEST=4"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	if err := cmd.Start(); err != nil {
		return false // it takes no NUL in words
	}
	cmd.Wait()
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left behind
	mark := filepath.Join(r.dir, "ran")
	_, err = os.Stat(mark)
	os.Remove(mark)
	return err == nil
}

// unseen reports whether the analysis says that all of a line is known and none of it runs zap.
func unseen(line string) bool {
	a := Analyze(line, nowhere{})
	for _, s := range a.Subjects {
		if s.Effects.Has(approval.ExecOpaque) || len(s.Args) > 0 && programName(s.Args[0]) == "zap" {
			return false
		}
	}
	return true
}

// compareWithBash fails if bash runs what the analysis did not see.
func compareWithBash(t testing.TB, r *bashRun, bytes []byte) (compared bool) {
	line := (&teller{bytes}).line(0)
	if !strings.Contains(line, "ap") || !unseen(line) {
		return false
	}
	if r.runsZap(t, line) {
		t.Errorf("bash runs zap, unseen: %q; %+v", line, Analyze(line, nowhere{}).Subjects)
	}
	return true
}

// Bash runs nothing that the analysis did not see.
func TestBashRunsNothingUnseen(t *testing.T) {
	r := newBashRun(t)
	random := rapid.SliceOfN(rapid.Byte(), 1, 40)
	compared := 0
	for seed := range 2000 {
		if compareWithBash(t, r, random.Example(seed)) {
			compared++
		}
	}
	t.Logf("%d lines compared", compared)
	if compared < 100 {
		t.Errorf("only %d lines compared", compared)
	}
}

func FuzzBash(f *testing.F) {
	r := newBashRun(f)
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, bytes []byte) { compareWithBash(t, r, bytes) })
}
