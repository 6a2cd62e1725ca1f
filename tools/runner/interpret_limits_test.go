//go:build unix

package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestLimits runs what would kill or fill a process without bounds.
func TestLimits(t *testing.T) {
	for _, text := range []string{
		"f() { f; }; f",
		"f() { f x; echo; }; f | cat",
		"f() { eval f; }; f",
		"f() { x=$(f); }; f",
		"f() { f & f; }; f",
		"f() { f | f & }; f; while :; do :; done",
		":(){ :|:& };:; while true; do true; done",
		"echo '. ./self' > self; . ./self",
		"trap 'false; eval false' ERR; f() { false; f; }; f",
		"trap 'kill -USR1 $$; :' USR1; kill -USR1 $$; while :; do :; done",
		"x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done",
		"x=$(cat /dev/zero)",
		"x=$(yes)",
		"x=$(</dev/zero)",
	} {
		start := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		status, _, err := Interpret(ctx, Script{Text: text, Dir: t.TempDir(), Env: environment(t)})
		cancel()
		if !errors.Is(err, ErrLimit) || status == 0 {
			t.Errorf("%s: status %d, %v after %v", text, status, err, time.Since(start))
		}
		for runtime.NumGoroutine() > 50 { // the next one begins with a process of its own
			time.Sleep(time.Millisecond)
		}
		runtime.GC()
	}
}

func TestWithinLimits(t *testing.T) {
	for text, want := range map[string]string{
		"f() { [ $1 = 0 ] && return; f $(($1-1)); }; f 300; echo $?":      "0\n",
		"read x < /dev/zero; echo $?":                                     "1\n",
		"mapfile x < /dev/zero; echo $?":                                  "1\n",
		"printf '%999999999d' 1; echo $?":                                 "1\n",
		"echo {1..999999999} 2>/dev/null; echo":                           "\n",
		"while :; do echo y; done | head -1":                              "y\n",
		"f() { bash -c 'echo $((n+1)) > n; read n < n; [ $n -lt 99 ]'; }": "",
		"echo 'bash ./s' > s; bash s 2>&1 | grep -c 'within each other'":  "1\n",
	} {
		out, errs, _, err := output(t, Script{Text: text})
		if out != want || err != nil {
			t.Errorf("%s: %q, %q, %v; want %q", text, out, errs, err, want)
		}
	}
}

// TestEnds has ctx end what does not end by itself.
func TestEnds(t *testing.T) {
	for _, text := range []string{
		"sleep 60", "while :; do :; done", "for ((;;)); do x=1; done", "sleep 60 | cat", "sleep 60 & wait", "x=$(sleep 60)", "cat <(sleep 60)", "bash -c 'sleep 60'",
		"trap '' TERM INT; sleep 60", "until false; do sleep 0.01; done", "read x < <(sleep 60)", "(sleep 60 &) ; wait; sleep 60", "sh -c 'trap \"\" TERM; while :; do :; done'",
		"env sh -c 'trap \"\" TERM; while :; do sleep 1; done'", "sleep 60 & sleep 60 & wait -n", "mkfifo p; cat p", "mkfifo p; read x < p", "yes > /dev/null", "x=$(env sh -c 'sleep 60 & echo hi; wait')",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(context.Background(), 150*time.Millisecond)
			start := time.Now()
			_, _, err := Interpret(ctx, Script{Text: text, Dir: t.TempDir(), Env: environment(t)})
			cancel()
			if took := time.Since(start); took > 50*time.Second || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v after %v", text, err, took)
			}
		})
	}
}

// TestNothingIsLeft holds that the background ends with the script.
func TestNothingIsLeft(t *testing.T) {
	dir := t.TempDir()
	sleep := fmt.Sprintf("sleep 99.%d", os.Getpid()) // as nobody else on this machine sleeps
	start := time.Now()
	out, _, status, err := output(t, Script{Text: sleep + " & (" + sleep + "; echo never) & env " + sleep + " & echo done", Dir: dir})
	if out != "done\n" || status != 0 || err != nil || time.Since(start) > time.Minute {
		t.Errorf("%q, %d, %v after %v", out, status, err, time.Since(start))
	}
	var found []byte
	if !eventually(func() bool {
		found, _ = exec.Command("pgrep", "-f", "^"+sleep).Output()
		return len(found) == 0
	}) {
		t.Errorf("left: %s", found)
	}
}

// TestLeft tells scripts of which something may go on behind their end from those that are over.
func TestLeft(t *testing.T) {
	for text, want := range map[string]bool{
		":": false, "env true": false, "exit 3": false, "echo a | cat": false, "sleep 60 &": true, "while :; do echo > f; done &": true, "(sleep 60 &)": true, "f() { sleep 60 & }; f": true,
		"true & wait": false, "true & wait $!": false, "(true & wait)": false, "cat <(echo a)": true, "eval 'cat <(echo a)'": true, "x=$(echo a)": false, "bash -c 'sleep 60 &'": true, "bash -c true": false, "cat <<< a": false,
	} {
		if _, left, err := Interpret(t.Context(), Script{Text: text, Dir: t.TempDir(), Env: environment(t)}); left != want || err != nil {
			t.Errorf("%s: %v, %v", text, left, err)
		}
	}
}

// TestEndsSilently has the background be asked about just when the script ends, however that is answered.
func TestEndsSilently(t *testing.T) {
	for _, answer := range []error{nil, errors.New("never")} {
		late := func(ctx context.Context) error {
			<-ctx.Done()
			return answer
		}
		for _, text := range []string{"sleep 60 & echo ok", "sleep 60 | cat & echo ok", "echo > f & echo ok", "echo > f | cat & echo ok", "x=$(sleep 60) & echo ok", "cat <<< $(sleep 60) & echo ok"} {
			before := runtime.NumGoroutine()
			out, finish := collected(t)
			errs, finishErrs := collected(t)
			status, _, err := Interpret(context.Background(), Script{
				Text: text, Dir: t.TempDir(), Env: environment(t), Stdout: out, Stderr: errs,
				Check: func(ctx context.Context, s Start) error {
					if s.Args[0] == "sleep" {
						return late(ctx)
					}
					return nil
				},
				Open: func(ctx context.Context, _ File) error { return late(ctx) },
			})
			for end := time.Now().Add(30 * time.Second); runtime.NumGoroutine() > before+2 && time.Now().Before(end); { // two collect
				time.Sleep(time.Millisecond)
			}
			if got, said := finish(), finishErrs(); got != "ok\n" || said != "" || status != 0 || err != nil {
				t.Errorf("%s: %q, %q, status %d, %v", text, got, said, status, err)
			}
		}
	}
}

// TestTrapsRunAtTheEnd holds that a script that is asked to end can clean up.
func TestTrapsRunAtTheEnd(t *testing.T) {
	for _, text := range []string{
		"trap 'echo > done' EXIT; env sh nap", "trap 'env touch done' EXIT; >ready; sleep 60; echo > not", "trap 'touch done' EXIT; x=$(>ready; sleep 60; echo > not)", "trap 'echo > done' TERM; env sh nap; echo > not", "trap 'env touch done' EXIT; env sh nap; echo > not",
		"clean() { rm -f x; touch done; }; trap clean EXIT INT TERM; touch x ready; while :; do sleep 0.01; done", "trap 'touch done; exit' TERM; >ready; while :; do sleep 0.01; done",
		"trap 'touch done' EXIT; env sh nap | cat", "bash -c 'trap \"touch done\" EXIT; env sh nap; echo > not'", "trap 'touch done' EXIT; env sh nap & wait",
		"trap 'touch done' EXIT; x=$(env sh nap; echo > not)", "set -e; trap 'touch done' EXIT; (env sh nap; echo > not)", "trap '' TERM; trap 'touch done' EXIT; >ready; while :; do :; done",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "nap"), []byte(">ready\nexec sleep 60\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			_, _, err := Interpret(endedWhenReady(t, dir), Script{Text: text, Dir: dir, Env: environment(t), lastWords: time.Second})
			_, missing := os.Stat(filepath.Join(dir, "done"))
			_, on := os.Stat(filepath.Join(dir, "not"))
			if took := time.Since(start); missing != nil || on == nil || took > 50*time.Second || err != errAsked {
				t.Errorf("%s: %v, went on: %v, %v after %v", text, missing, on == nil, err, took)
			}
		})
	}
}

// TestStopsGently holds that programs are asked to end before they are ended.
func TestStopsGently(t *testing.T) {
	dir := t.TempDir()
	text := `env sh -c 'trap "echo asked > asked; exit" TERM; sleep 60 & >ready; wait'`
	if _, _, err := Interpret(endedWhenReady(t, dir), Script{Text: text, Dir: dir, Env: environment(t)}); err != errAsked {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "asked")); err != nil {
		t.Errorf("the program was not asked to end: %v", err)
	}
}

var errAsked = errors.New("asked to end")

// endedWhenReady is a context that ends when a script has made the file "ready".
func endedWhenReady(t *testing.T, dir string) context.Context {
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		eventually(func() bool {
			_, err := os.Stat(filepath.Join(dir, "ready"))
			return err == nil || ctx.Err() != nil
		})
		cancel(errAsked)
	}()
	return ctx
}

// eventually reports whether something becomes so. It takes as long as that does, on a slow machine too.
func eventually(so func() bool) bool {
	for end := time.Now().Add(time.Minute); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}
