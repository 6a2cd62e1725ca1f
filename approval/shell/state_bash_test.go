//go:build unix

package shell

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tricode/approval"
)

// The grammar of texts in which what a variable holds, what a name stands for and where the shell is depends on what ran before:
// @ stands for a statement, % for a word, & for a directory.
var (
	stateStatements = []string{
		"zap %", "zap % %", "zap \"$@\"", "zap $1", "f %", "g %", "x=%", "y=%", "x=$y", "x+=%", "set -- % %", "set --", "shift", "cd &", "cd -P &", "cd ..", "cd & && @", "pushd &",
		"@; @", "@\n@", "@\n@\n@", "@; @\n@", "@ && @", "@ || @", "@ | @", "( @ )", "{ @; }", "! @", "true", "false", "{ @; } & wait", "time @",
		"if @; then @; fi", "if false; then @; else @; fi", "for n in 1 2; do @; @; done", "for x in % %; do @; done", "for n in $n 1 2; do @; done", "while read n; do @; @; done <<E\n1\n2\nE\n", "case % in a) @;; b|c) @;& *) @;; esac",
		"break", "continue", "continue 2", "return", "return 1", "true && break", "false || continue", "f() { @; @; }", "g() { @; @; }", "f() { @; }; f %", "f() { local x=%; @; }; f", "f() ( @ )", "zip() { @; }", "zip %", "unset x", "unset -f zip", "unset zip",
		"local x", "local x=%", "local y=%", "declare x=%", "declare -g x=%", "readonly x=%", "readonly y", "export x=%", "x=% true", "x=% eval 'zap \"$x\"'", "eval @", "eval 'x=%'", "eval \"x=$y\"",
		"{ @; } </nowhere", "{ @; } <&9", "x=% <&9", "cd & <&9", "f % <&9", "@ 2>/dev/null", "exec 1>&-; { @; } 2>&1", "trap 'x=%' ERR", "trap '@' EXIT", "x=$((1/0))", "x=$((1/2))", "n=$((n+1))", "zap $((n))", "x=08; n=$((x))", "y=${x:1:-9}", "y=${x:0:1}", "y=${z:?}",
		"read x <<< %", "read <<< %", "[[ % =~ . ]]", "zap $REPLY", "zap $BASH_REMATCH", "zap $_", "REPLY=%", "_=%", "zap <<< %", "set -f", "zap {a,$x}", "zap ${x}", "zap $x$y", "x={a,b}", "set -e", "set -u",
	}
	stateWords  = []string{"a", "b", "c", "$x", "\"$x\"", "$y", "$1", "\"$2\"", "${x}", "$#", "'a b'", "\"$*\"", "$n", "{a,b}", "$x{a,b}", "~{a,b}", "~$x", "~", "?", "*", "ab", "''", "$((1+1))"}
	statePlaces = []string{"a", "b", "a/d", "l", "nowhere", ".", "..", "a/..", "\"$x\"", "l/.."}
)

func (t *teller) state(depth int) string {
	form := stateStatements[t.choose(len(stateStatements))]
	if depth == 4 {
		form = stateStatements[t.choose(8)]
	}
	var b strings.Builder
	for i, c := range form {
		switch {
		case c == '@':
			b.WriteString(t.state(depth + 1))
		case c == '%':
			b.WriteString(stateWords[t.choose(len(stateWords))])
		case c == '&' && strings.HasPrefix(form[max(0, i-3):], "cd &"), c == '&' && strings.HasSuffix(form[:i], "-P "), strings.HasPrefix(form, "pushd") && c == '&':
			b.WriteString(statePlaces[t.choose(len(statePlaces))])
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// starts runs a text in bash and returns what the program zap was started with: where, and its arguments.
func (r *bashRun) starts(t testing.TB, text string) (all [][]string) {
	work := filepath.Join(r.dir, "tree")
	log := filepath.Join(r.dir, "log")
	os.Remove(log)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.bash, "--norc", "--noprofile", "-c", text)
	cmd.Dir, cmd.Env = work, []string{"PATH=" + r.dir + "/bin", "HOME=" + work, "FUNCNEST=4"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Run() // however it ends
	data, _ := os.ReadFile(log)
	for start := range bytes.SplitSeq(data, []byte("\n\x00")) {
		if len(start) > 0 {
			all = append(all, strings.Split(strings.TrimSuffix(string(start), "\x00"), "\x00"))
		}
	}
	return all
}

// newStateRun is newBashRun with a tree to walk in, and programs that tell how they were started.
func newStateRun(t testing.TB) *bashRun {
	r := newBashRun(t)
	for _, name := range []string{"zap", "zip"} {
		script := "#!/bin/sh\nprintf '%s\\0' \"$(pwd -P)\" " + name + " \"$@\" '\n' >> " + r.dir + "/log\n" // all at once
		if err := os.WriteFile(filepath.Join(r.dir, "bin", name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	err := os.MkdirAll(filepath.Join(r.dir, "tree", "a", "d"), 0o755)
	if err == nil {
		err = os.Mkdir(filepath.Join(r.dir, "tree", "b"), 0o755)
	}
	if err == nil {
		err = os.Symlink("a/d", filepath.Join(r.dir, "tree", "l"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// startTold reports whether an analysis says that a program may be started so.
func startTold(a Analysis, start []string) bool {
	return slices.ContainsFunc(a.Commands, func(c Command) bool {
		s := a.Subjects[c.Subject]
		switch {
		case s.Args[0] != start[1], c.Dir != "" && c.Dir != start[0]:
			return false
		case len(c.Open) > 0:
			return true
		}
		return slices.Equal(s.Args, start[1:])
	})
}

// compareStarts fails if bash starts a program in another way than the analysis says.
func compareStarts(t testing.TB, r *bashRun, choices []byte) (compared bool) {
	chosen, text := &teller{choices}, ""
	for len(chosen.bytes) > 0 {
		text += chosen.state(0) + "\n"
	}
	work, err := filepath.EvalSymlinks(filepath.Join(r.dir, "tree"))
	if err != nil {
		t.Fatal(err)
	}
	a := Analyze(text, disk{work: work, home: work})
	if !strings.Contains(text, "zap") && !strings.Contains(text, "zip") || effectsOf(a).Has(approval.ExecOpaque) {
		return false
	}
	for _, start := range r.starts(t, text) {
		if compared = true; !startTold(a, start) {
			t.Errorf("bash starts %q, which is not told: %q; %+v", start, text, a.Subjects)
		}
	}
	return compared
}

// Whatever ran before, bash starts programs with the words and in the places that the analysis says, unless it says that it does not know.
func TestBashStartsWhatIsTold(t *testing.T) {
	r := newStateRun(t)
	random, choices := rand.NewChaCha8([32]byte{}), make([]byte, 16)
	compared := 0
	for range 6000 {
		random.Read(choices)
		if compareStarts(t, r, choices) {
			compared++
		}
	}
	t.Logf("%d texts compared", compared)
	if compared < 100 {
		t.Errorf("only %d texts compared", compared)
	}
}

func FuzzBashStarts(f *testing.F) {
	r := newStateRun(f)
	f.Add([]byte{18, 6, 1, 0, 3})
	f.Fuzz(func(t *testing.T, choices []byte) { compareStarts(t, r, choices) })
}

// wordPieces are what words are made of that bash expands in several steps.
var wordPieces = []string{
	"{", "}", ",", "a", "b", "..", "1", "3", "\\", "'", "\"", "$x", "{a,b}", "{,", "-", "$(echo a)", "~", "*", "?", "[a]", "[!a]", "[]a]", "$'", "x", "/", "${x:-", "$((1+", "))", ")", "#", "=", "$1", "\"$@\"", ":", "!", "^", "@(", "$\"", "+(", "|",
}

// However a word is put together, bash makes of it what the analysis says, unless it says that it does not know.
func TestBashExpandsAsTold(t *testing.T) {
	r := newStateRun(t)
	work, err := filepath.EvalSymlinks(filepath.Join(r.dir, "tree"))
	if err != nil {
		t.Fatal(err)
	}
	random, compared := rand.New(rand.NewChaCha8([32]byte{1})), 0
	for range 5000 {
		text := "x=b\nset -- 'c d' e\nzap "
		for range 2 + random.IntN(8) {
			text += wordPieces[random.IntN(len(wordPieces))]
		}
		a := Analyze(text, disk{work: work, home: work})
		if effectsOf(a).Has(approval.ExecOpaque) || strings.Contains(text, "//") { // one slash is as good as two
			continue
		}
		for _, start := range r.starts(t, text) {
			if compared++; !startTold(a, start) {
				t.Errorf("bash starts %q, which is not told: %q; %+v", start, text, a.Subjects)
			}
		}
	}
	t.Logf("%d words compared", compared)
	if compared < 100 {
		t.Errorf("only %d words compared", compared)
	}
}
