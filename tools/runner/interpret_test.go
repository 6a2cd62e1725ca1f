//go:build unix

package runner

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// output runs a script to its end and returns what it wrote.
func output(t testing.TB, s Script) (stdout, stderr string, status int, err error) {
	t.Helper()
	out, finish := collected(t)
	errs, finishErrs := collected(t)
	s.Stdout, s.Stderr = out, errs
	if s.Dir == "" {
		s.Dir = t.TempDir()
	}
	if s.Env == nil {
		s.Env = environment(t)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	status, _, err = Interpret(ctx, s)
	return finish(), finishErrs(), status, err
}

// collected collects what is written to w until finish.
func collected(t testing.TB) (w *os.File, finish func() string) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	text := make(chan string)
	go func() {
		data, _ := io.ReadAll(r)
		text <- string(data)
	}()
	return w, func() string {
		w.Close()
		defer r.Close()
		return <-text
	}
}

func environment(t testing.TB) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir(), "LC_ALL=C.UTF-8", "TZ=UTC"}
}

// seen is a Check that remembers every program, and refuses rm.
type seen struct {
	mu     sync.Mutex
	starts []Start
}

func (s *seen) check(_ context.Context, st Start) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.starts = append(s.starts, st)
	if filepath.Base(st.Program) == "rm" {
		return errors.New("never")
	}
	return nil
}

// TestCheckSeesThroughSpelling has rm spelled in every way: it arrives with its final arguments and never starts.
func TestCheckSeesThroughSpelling(t *testing.T) {
	for _, text := range []string{
		"rm f", "/bin/rm f", `\rm f`, "'r'm f", "X=rm; $X f", "$(echo rm) f", "`echo rm` f", "r() { rm f; }; r", "eval 'r''m f'", "a=r; b=m; $a$b f",
		"trap 'rm f' EXIT", "trap 'rm f' ERR; false", "trap 'rm f' INT; kill -INT $$", "${0+rm} f", "shopt -s expand_aliases\nalias x='rm f'\nx", "command rm f", "exec rm f", "builtin command rm f",
		"command command rm f", "command -p rm f", "builtin exec rm f", "command exec rm f", "command eval rm f", "builtin eval 'rm f'", "x=eval; $x rm f", "(rm f)", "{ rm f; }", "rm f &\nwait", "rm f | cat", "echo | rm f",
		"sh -c 'rm f'", "bash -c 'rm f'", "bash -lc 'rm f'", "bash -ec 'rm f'", "bash -c 'bash -c \"rm f\"'", "X=rm bash -c '$X f'", "bash -c '$0 f' rm", "bash -c '$@' _ rm f", "bash <<<'rm f'", "bash <<E\nrm f\nE",
		"echo 'rm f' | bash", "echo 'rm f' | sh -s", "echo 'rm f' > s; bash s", "echo 'rm f' > s; . ./s", "echo 'rm f' > s; source ./s", "printf '#!/bin/sh\\nrm f\\n' > s; chmod +x s; ./s",
		"printf '#!/usr/bin/env bash\\nrm f\\n' > s; chmod +x s; ./s", "echo 'rm f' > s; chmod +x s; ./s", "cat <(rm f)", "echo $(rm f)", "x=$(rm f)", "[[ -n $(rm f) ]]", "a[$(rm f)0]=1", "echo $(($(rm f) + 1))",
		"echo ${x:-$(rm f)}", "case $(rm f) in *) ;; esac", "for i in $(rm f); do :; done", "cat <<E\n$(rm f)\nE", "echo hi > $(rm f; echo out)", "if rm f; then :; fi", "while rm f; do break; done",
		"time rm f", "! rm f", "rm f || true", "f() { \"$@\"; }; f rm f", "set -- rm f; \"$@\"", "x=(rm f); \"${x[@]}\"", "IFS=,; x=rm,f; $x", "echo {rm,f} >/dev/null; {rm,f}", "PATH=/usr/bin:/bin rm f",
		"printf -v x 'r%s' m; $x f", "read x <<<rm; $x f", "mapfile -t x <<<rm; ${x[0]} f", "declare -n n=x; x=rm; $n f", "x=y; y=rm; ${!x} f", "x=RM; ${x,,} f", "x=frm; ${x#f} f",
	} {
		s := &seen{}
		dir := t.TempDir()
		os.WriteFile(filepath.Join(dir, "f"), nil, 0o644)
		_, _, _, err := output(t, Script{Text: text, Dir: dir, Check: s.check, Ours: []string{dir}})
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if !slices.ContainsFunc(s.starts, func(st Start) bool {
			return filepath.Base(st.Program) == "rm" && filepath.IsAbs(st.Program) && filepath.Base(st.Args[0]) == "rm" && st.Dir == dir
		}) {
			t.Errorf("%s: not seen: %v", text, s.starts)
		}
		if _, err := os.Stat(filepath.Join(dir, "f")); err != nil {
			t.Errorf("%s: rm ran", text)
		}
	}
}

// TestMarksGainNothing spells the names that only this package may call unasked.
func TestMarksGainNothing(t *testing.T) {
	for _, text := range []string{"__tricode_kill 1", "__tricode_eval 'kill 1'", "command __tricode_kill 1", "exec __tricode_kill 1", "X=__tricode_kill; $X 1", "eval '__tricode_kill 1'", "__tricode_program kill 1", "__tricode_trapped kill 1", "__tricode___tricode_kill 1"} {
		var asked []string
		never := func(_ context.Context, st Start) error {
			asked = append(asked, st.Args[0])
			if st.Args[0] == "eval" || st.Args[0] == "exec" {
				return nil
			}
			return errors.New("never")
		}
		if _, errs, status, _ := output(t, Script{Text: text, Check: never}); status != 126 && status != 127 {
			t.Errorf("%s: status %d, %q, asked %q", text, status, errs, asked)
		}
	}
}

func TestWrappersArriveAsSuch(t *testing.T) {
	for text, want := range map[string]string{
		"env rm f": "env rm f", "xargs rm <<<f": "xargs rm", "timeout 5 rm f": "timeout 5 rm f", "env bash -c 'rm f'": "env bash -c rm f", "nohup rm f": "nohup rm f",
	} {
		refuse := func(_ context.Context, st Start) error {
			if strings.Join(st.Args, " ") == want {
				return errors.New("never")
			}
			return nil
		}
		_, errs, status, err := output(t, Script{Text: text, Check: refuse})
		if status != 126 || err != nil || !strings.Contains(errs, "denied: never") {
			t.Errorf("%s: %q, status %d, %v", text, errs, status, err)
		}
	}
}

// TestScriptsArriveAsWhatRunsThem holds that a script of ours is no other name for its interpreter.
func TestScriptsArriveAsWhatRunsThem(t *testing.T) {
	for text, want := range map[string]string{
		"printf '#!/bin/rm\n' > s; chmod +x s; ./s f": "/bin/rm DIR/s f", "printf '#! /usr/bin/env  -S rm -f \n' > s; chmod +x s; PATH=$PATH:. s f": "/usr/bin/env -S rm -f DIR/s f",
		"printf '#!/bin/rm\t-f' > s; chmod +x s; ln -s s t; exec ./t f": "/bin/rm -f DIR/t f", "printf '#!/bin/rm' > s; printf '#!s -x\n' > t; chmod +x s t; ./t f": "/bin/rm DIR/s -x DIR/t f",
	} {
		dir, asked := t.TempDir(), []string{}
		refuse := func(_ context.Context, st Start) error {
			if asked = append(asked, strings.ReplaceAll(strings.Join(st.Args, " "), dir, "DIR")); asked[len(asked)-1] == want && filepath.IsAbs(st.Program) {
				return errors.New("never")
			}
			return nil
		}
		if _, errs, status, err := output(t, Script{Text: text, Dir: dir, Check: refuse, Ours: []string{dir}}); status != 126 || err != nil || !strings.Contains(errs, "denied: never") {
			t.Errorf("%s: %q, status %d, %v, asked %q", text, errs, status, err, asked)
		}
	}
}

func TestRefused(t *testing.T) {
	never := func(context.Context, Start) error { return errors.New("not today") }
	for text, want := range map[string]string{
		"ls": "ls: denied: not today\n", "echo hi": "echo: denied: not today\n", "cd /": "cd: denied: not today\n", "bash -c 'echo hi'": "bash: denied: not today\n",
	} {
		out, errs, status, err := output(t, Script{Text: text, Check: never})
		if out != "" || errs != want || status != 126 || err != nil {
			t.Errorf("%s: %q, %q, %d, %v", text, out, errs, status, err)
		}
	}
}

// TestFIFOIsNoProgram holds that nobody waits for a script to come out of one.
func TestFIFOIsNoProgram(t *testing.T) {
	for _, text := range []string{"./p", "PATH=. p", "exec ./p", "ln -s p q; ./q", "(sleep 5 >p &) ; ./p"} {
		dir := t.TempDir()
		if out, errs, status, err := output(t, Script{Text: "mkfifo p; chmod +x p; " + text, Dir: dir, Ours: []string{dir}}); status != 126 || err != nil {
			t.Errorf("%s: %q, %q, status %d, %v", text, out, errs, status, err)
		}
	}
}

// TestOpenIsJudgedWhereItIs holds that a link that takes the place of a file after it was judged gains nothing.
func TestOpenIsJudgedWhereItIs(t *testing.T) {
	for text, want := range map[string]string{
		"echo lost > out": "", "echo lost >> out": "", "echo lost &> out": "", "cat < out": "", "cat < sub/../out": "", "source ./out": "", "bash out": "",
	} {
		dir := t.TempDir()
		kept := filepath.Join(dir, "kept")
		os.Mkdir(filepath.Join(dir, "sub"), 0o755)
		os.WriteFile(kept, []byte("echo kept"), 0o644)
		os.WriteFile(filepath.Join(dir, "out"), nil, 0o644)
		open := func(_ context.Context, f File) error {
			if f.Path == kept {
				return errors.New("not that")
			}
			os.Remove(filepath.Join(dir, "out"))
			return os.Symlink("kept", filepath.Join(dir, "out"))
		}
		out, errs, _, err := output(t, Script{Text: text, Dir: dir, Open: open})
		data, _ := os.ReadFile(kept)
		if out != want || !strings.Contains(errs, "denied: not that") || err != nil || string(data) != "echo kept" {
			t.Errorf("%s: %q, %q, %v, left %q", text, out, errs, err, data)
		}
	}
}

func TestOpenIsAsked(t *testing.T) {
	for text, want := range map[string]File{
		"echo hi > out": {"out", true}, "echo hi >> out": {"out", true}, "cat < in": {"in", false}, "echo hi &> out": {"out", true}, "x=out; echo > $x": {"out", true},
		"source ./in": {"in", false}, "echo $(< in)": {"in", false}, "bash in": {"in", false}, "cd sub; cat < in": {"sub/in", false}, "bash -c 'echo > out'": {"out", true}, "exec > out": {"out", true},
	} {
		dir := t.TempDir()
		os.Mkdir(filepath.Join(dir, "sub"), 0o755)
		os.WriteFile(filepath.Join(dir, "in"), []byte("echo secret"), 0o644)
		asked := false
		open := func(_ context.Context, f File) error {
			asked = asked || filepath.Clean(f.Path) == filepath.Join(dir, want.Path) && f.Write == want.Write
			return errors.New("not today")
		}
		out, errs, status, err := output(t, Script{Text: text, Dir: dir, Open: open})
		if !asked || out != "" && out != "\n" || !strings.Contains(errs, "denied: not today") || err != nil {
			t.Errorf("%s: asked %v, %q, %q, %d, %v", text, asked, out, errs, status, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
			t.Errorf("%s: opened", text)
		}
	}
}

// Arithmetic with what is no number ends the script where the interpreter would go on with another value than bash.
func TestArithmeticThatIsNotKnown(t *testing.T) {
	for _, text := range []string{
		`e=1+2; echo $(($e * 2))`, `echo $(( $(echo 1+2) * 2 ))`, `f() { echo $(($1 * 2)); }; f 1+2`,
		`x='a b'; echo $((x))`, `x='$(touch ran)'; echo $((x))`, `x='a[$(touch ran)]'; echo $((x))`, `x=y=3; echo $((x))`, `a=(1+2); echo $((${a[0]} * 2))`, `x=y++; echo $((x))`,
		`read -r x <<< 08; echo $((x + 1))`, `v=1.5; echo $((v + 1))`, `echo $((10 / $(echo 0)))`, `a=b; b=a; echo $((a))`, `echo $((08))`,
		`eval 'e=1+2; ((e == $e * 1))'`,
	} {
		dir := t.TempDir()
		status, _, err := Interpret(t.Context(), Script{Text: text + "; touch after", Dir: dir, Env: environment(t)})
		if !errors.Is(err, ErrArithmetic) || status == 0 {
			t.Errorf("%s: status %d, %v", text, status, err)
		}
		if files, _ := os.ReadDir(dir); len(files) > 0 {
			t.Errorf("%s: made %v", text, files)
		}
	}
}
