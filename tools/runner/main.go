package runner

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"slices"

	"tricode/workdir/sandbox"
)

// Main is what a helper does: it closes its box and runs one command line in it. It returns the exit status.
func Main(ctx context.Context) int { return sandbox.Serve(ctx, run) }

func run(ctx context.Context, s sandbox.Script) (status int, left bool) {
	tell(s.Stderr)
	defer tell(nil) // it keeps the file open
	script := Script{Text: s.Text, Dir: s.Dir, Env: s.Env, Stdin: s.Stdin, Stdout: s.Stdout, Stderr: s.Stderr, Ours: s.Ours}
	if s.Check != nil {
		script.Check = func(ctx context.Context, at Start) error {
			if at.Program == "" && !slices.Contains(s.Builtins, at.Args[0]) {
				return nil
			}
			return s.Check(ctx, sandbox.Step{Dir: at.Dir, Program: at.Program, Args: at.Args, Set: at.Set})
		}
		script.Open = func(ctx context.Context, f File) error {
			return s.Check(ctx, sandbox.Step{Dir: s.Dir, Path: f.Path, Write: f.Write})
		}
	}
	status, left, err := Interpret(ctx, script)
	if err != nil && ctx.Err() == nil { // who ended it knows why
		fmt.Fprintf(s.Stderr, "tricode: %v\n", err)
	}
	return status, left
}

// tell lets whoever waits for the command read why this process failed in a way that nothing can catch, as a part of a
// pipeline may, which is a goroutine of the interpreter.
func tell(stderr *os.File) {
	if err := debug.SetCrashOutput(stderr, debug.CrashOptions{}); err != nil && stderr != nil {
		fmt.Fprintf(stderr, "tricode: %v\n", err)
	}
}
