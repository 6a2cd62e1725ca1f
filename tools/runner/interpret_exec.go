package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
)

const (
	grace      = 300 * time.Millisecond // between asking a program to end and ending it
	maxCapture = 64 << 20               // bytes that $(…) may hold
)

// exec runs what is neither a function nor a builtin of the interpreter.
func (s *subshell) exec(ctx context.Context, args []string) error {
	hc := interp.HandlerCtx(ctx)
	if name, ok := strings.CutPrefix(args[0], mark); ok {
		if name == "program" {
			return s.program(ctx, hc, args[1:])
		}
		b := builtin(name)
		if b == nil {
			b = complement(name)
		}
		return b(call{s, ctx, hc, name, args[1:]})
	}
	if b := builtin(args[0]); b != nil { // behind exec, or the name of a function that is no more
		if err := s.check(ctx, Start{Args: args, Dir: hc.Dir}); err != nil {
			return denied(ctx, hc, args[0], err)
		}
		return b(call{s, ctx, hc, args[0], args[1:]})
	}
	return s.program(ctx, hc, args)
}

func denied(ctx context.Context, hc interp.HandlerContext, name string, err error) error {
	if ctx.Err() != nil { // nothing is said about what ends with its script
		return ctx.Err()
	}
	fmt.Fprintf(hc.Stderr, "%s: denied: %v\n", name, err)
	return interp.ExitStatus(126)
}

// program starts a program, or interprets what it would interpret, and waits for its end.
func (s *subshell) program(ctx context.Context, hc interp.HandlerContext, args []string) error {
	path, status, why := find(hc, args[0])
	if why != "" {
		fmt.Fprintf(hc.Stderr, "%s: %s: %s\n", s.zero, args[0], why)
		return interp.ExitStatus(status)
	}
	env := s.exported(hc)
	st := Start{Program: path, Args: args, Dir: hc.Dir, Set: s.changed(env)}
	if err := s.check(ctx, st); err != nil {
		return denied(ctx, hc, args[0], err)
	}
	if sh, ok, err := s.shellAt(ctx, st); err != nil {
		return denied(ctx, hc, args[0], err)
	} else if ok {
		return s.nested(ctx, hc, sh, env)
	}
	return s.start(ctx, hc, path, args, env)
}

// find is the program that a name means: absolute, links not followed. Otherwise it returns the status and the
// reason as bash(1) gives them.
func find(hc interp.HandlerContext, name string) (path string, status uint8, why string) {
	if strings.Contains(name, "/") || strings.ContainsRune(name, filepath.Separator) {
		path = name
		if !filepath.IsAbs(path) {
			path = filepath.Join(hc.Dir, path)
		}
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return "", 127, "No such file or directory"
		case err == nil && info.IsDir():
			return "", 126, "Is a directory"
		}
		if path, err = interp.LookPathDir(hc.Dir, hc.Env, path); err != nil {
			return "", 126, "Permission denied"
		}
		return path, 0, ""
	}
	path, err := interp.LookPathDir(hc.Dir, hc.Env, name)
	if err != nil || name == "" {
		return "", 127, "command not found"
	}
	return filepath.Clean(path), 0, ""
}

// exported is the environment of a program that starts now.
func (s *subshell) exported(hc interp.HandlerContext) map[string]string {
	env := make(map[string]string, len(s.given)+8)
	for name, v := range hc.Env.Each {
		if v.IsSet() && v.Exported && v.Kind == expand.String && !strings.HasPrefix(name, fileVar) {
			env[name] = v.Str
		} else {
			delete(env, name)
		}
	}
	env["PWD"] = hc.Dir
	if old := hc.Env.Get("OLDPWD"); old.IsSet() {
		env["OLDPWD"] = old.Str
	}
	return env
}

// changed lists what differs from the script's environment, sorted; where the shell stands is in Start.Dir.
func (s *session) changed(env map[string]string) []string {
	var set []string
	for name, value := range env {
		if given, ok := s.given[name]; (!ok || given != value) && name != "PWD" && name != "OLDPWD" && name != "SHLVL" && name != "_" {
			set = append(set, name+"="+value)
		}
	}
	slices.Sort(set)
	return set
}

func pairs(env map[string]string) []string {
	list := make([]string, 0, len(env))
	for name, value := range env {
		list = append(list, name+"="+value)
	}
	return list
}

// begin counts a program that starts, unless the script has ended.
func (s *session) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.live.Add(1)
	}
	return !s.ended
}

// wait waits for the programs that run. None starts from now on: the context of the script is done.
func (s *session) wait() {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.live.Wait()
}

// start runs a program to its end.
func (s *subshell) start(ctx context.Context, hc interp.HandlerContext, path string, args []string, env map[string]string) error {
	cmd := exec.CommandContext(ctx, path)
	cmd.Args, cmd.Env, cmd.Dir = args, pairs(env), hc.Dir
	if spelled(args[0]) {
		cmd.Path = args[0]
	}
	cmd.Stdin = hc.Stdin
	if !s.begin() {
		return ctx.Err()
	}
	defer s.live.Done()
	collected, err := s.collect(ctx, cmd, hc)
	if err != nil {
		return err
	}
	group(cmd, &s.thread)
	s.thread.do(func() { err = cmd.Start() })
	collected.started()
	if err != nil {
		collected.wait()
		return s.unstarted(ctx, hc, args[0], err)
	}
	if !s.last.Load() { // what traps start goes on
		defer context.AfterFunc(s.asked, func() { cmd.Cancel() })()
	}
	left := s.adopt(hc, cmd)
	cmd.Wait() // its error is the status below, or that of ctx
	left()
	s.spent(cmd.ProcessState)
	if ctx.Err() != nil {
		s.thread.do(func() { kill(cmd.Process.Pid) }) // what it left behind
	}
	collected.wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	if code := exitCode(cmd.ProcessState); code != 0 {
		return interp.ExitStatus(code)
	}
	return nil
}

// spelled reports whether a program can be started by a path as it was written, which is $0 of a script. One with .. could
// be another one than was asked about, behind a link.
func spelled(name string) bool {
	return strings.Contains(name, "/") && !slices.Contains(strings.Split(name, "/"), "..") && runtime.GOOS != "windows"
}

// unstarted says why a program did not start.
func (s *subshell) unstarted(ctx context.Context, hc interp.HandlerContext, name string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	fmt.Fprintf(hc.Stderr, "%s: %s: %v\n", s.zero, name, err)
	return interp.ExitStatus(126)
}
