package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"tricode/approval/shell"
)

// builtin is what this package does instead of the interpreter, which lacks it, lacks options of it, or would do it
// without a bound.
func builtin(name string) func(call) error {
	switch name {
	case "echo":
		return echo
	case "printf":
		return printf
	case "read":
		return read
	case "mapfile", "readarray":
		return mapfile
	case "eval":
		return eval
	case "source", ".":
		return source
	case "exec":
		return execute
	case "cd":
		return cd
	case "set":
		return set
	case "return":
		return ret
	case "shift":
		return shift
	case "trap":
		return trap
	case "kill":
		return send
	case "wait":
		return wait
	case "shopt":
		return shopt
	case "test", "[":
		return test
	case "jobs", "disown":
		return func(call) error { return nil }
	}
	return nil
}

// complement is what completed trees call: see complete.
func complement(name string) func(call) error {
	switch strings.TrimPrefix(name, mark) {
	case "denied":
		return deny
	case "spawn":
		return spawn
	case "spawned":
		return spawned
	case "done":
		return done
	case "settle":
		return settle
	case "copy":
		return copyInput
	case "count":
		return count
	case "lenient":
		return lenient
	case "fine":
		return func(call) error { return nil }
	case "clock":
		return clock
	case "elapsed", "elapsed-posix":
		return elapsed
	}
	return nil
}

// call is one call of a builtin.
type call struct {
	*subshell
	ctx  context.Context
	hc   interp.HandlerContext
	name string
	args []string
}

// native calls a builtin of the interpreter in the shell that calls this one.
func (c call) native(args ...string) error { return c.hc.Builtin(c.ctx, args) }

func (c call) fail(status uint8, format string, args ...any) error {
	fmt.Fprintf(c.hc.Stderr, "%s: %s: %s\n", c.zero, c.name, fmt.Sprintf(format, args...))
	return interp.ExitStatus(status)
}

// write writes to the standard output. As SIGPIPE would, it ends the shell if nobody reads that any more.
func (c call) write(text string) error {
	_, err := io.WriteString(c.hc.Stdout, text)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe):
		return c.native("exit", "141")
	}
	return c.fail(1, "write error: %v", err)
}

// assign sets a variable where an assignment in the text would.
func (c call) assign(name, value string) error { return c.native("eval", name+"="+quote(value)) }

// quote is a value as a word of the shell. It holds no backslash, which the interpreter would keep in an assignment.
func quote(value string) string {
	return "'" + strings.ReplaceAll(strings.ReplaceAll(value, "\x00", ""), "'", `'"'"'`) + "'"
}

// status is the status of the command before.
func (c call) status() error {
	if c.hc.LastExitStatus != 0 {
		return interp.ExitStatus(c.hc.LastExitStatus)
	}
	return nil
}

// before is the status of the command before, for calls that no text has. With errexit it would end the shell.
func (c call) before() error {
	c.mu.Lock()
	errexit := c.errexit
	c.mu.Unlock()
	if errexit {
		return nil
	}
	return c.status()
}

// fragment is a text that a running script evaluates, complete.
func (s *subshell) fragment(text string, parse func(string) (*syntax.File, error)) (string, error) {
	file, err := parse(text)
	if err == nil {
		err = shell.Runnable(file)
	}
	if err != nil {
		return "", err
	}
	return s.completed(text, file), nil
}

func eval(c call) error {
	text, err := c.fragment(strings.Join(c.args, " "), shell.ParseToRun)
	if err != nil {
		return c.fail(2, "%v", err)
	}
	return c.native("eval", text)
}

// source runs the commands of a file in this shell.
func source(c call) error {
	if len(c.args) == 0 {
		return c.fail(2, "filename argument required")
	}
	path := c.sourced(c.args[0])
	text, err := c.text(c.ctx, path)
	if err != nil {
		return c.fail(1, "%s: %v", c.args[0], reason(err))
	}
	if text, err = c.fragment(text, shell.ParseToRun); err != nil {
		return c.fail(2, "%s: %v", c.args[0], err)
	}
	return c.native(append([]string{"source", inMemory + text}, c.args[1:]...)...)
}

// sourced is the file that source means: on PATH if it has no slash, otherwise in this directory.
func (c call) sourced(name string) string {
	if !strings.Contains(name, "/") {
		for _, dir := range filepath.SplitList(c.hc.Env.Get("PATH").String()) {
			path := filepath.Join(dir, name)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && filepath.IsAbs(path) {
				return path
			}
		}
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(c.hc.Dir, name)
	}
	return name
}

// reason is an error of the system as bash(1) words it.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	for is, text := range map[error]string{syscall.ENOENT: "No such file or directory", syscall.EACCES: "Permission denied", syscall.EISDIR: "Is a directory", syscall.ENOTDIR: "Not a directory"} {
		if errors.Is(err, is) {
			return errors.New(text)
		}
	}
	return err
}

func cd(c call) error {
	args := c.args
	physical := false
	for len(args) > 0 && (args[0] == "-L" || args[0] == "-P" || args[0] == "-e" || args[0] == "--") {
		physical = physical || args[0] == "-P"
		args = args[1:]
		if c.args[0] == "--" {
			break
		}
	}
	if len(args) > 1 {
		return c.fail(1, "too many arguments")
	}
	to := c.hc.Env.Get("HOME").String()
	if len(args) == 1 {
		to = args[0]
	} else if to == "" {
		return c.fail(1, "HOME not set")
	}
	switch {
	case to == "":
		return nil
	case to == "-":
		if !c.hc.Env.Get("OLDPWD").IsSet() {
			return c.fail(1, "OLDPWD not set")
		}
		return c.native("cd", "-")
	}
	path := to
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.hc.Dir, path)
	}
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return c.fail(1, "%s: %v", to, reason(err))
	}
	if physical {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
	}
	return c.native("cd", path)
}

// set leaves out the options that change nothing here.
func set(c call) error {
	if len(c.args) == 0 {
		return list(c)
	}
	var args []string
	rest := c.args
	for len(rest) > 0 && len(rest[0]) > 1 && rest[0][0] != '\'' && (rest[0][0] == '-' || rest[0][0] == '+') && rest[0] != "--" {
		sign, letters := rest[0][:1], strings.Map(drop("EThBHPkmb"), rest[0][1:])
		rest = rest[1:]
		if strings.HasSuffix(letters, "o") && len(rest) > 0 {
			switch rest[0] {
			case "errtrace", "functrace", "hashall", "braceexpand", "posix", "history", "interactive-comments", "physical", "monitor", "notify":
				letters = letters[:len(letters)-1]
			default:
				if letters != "o" {
					args = append(args, sign+letters[:len(letters)-1])
				}
				args = append(args, sign+"o", rest[0])
				letters = ""
			}
			rest = rest[1:]
		}
		if letters != "" {
			args = append(args, sign+letters)
		}
	}
	if args = append(args, rest...); len(args) == 0 {
		return nil
	}
	return c.native(append([]string{"set"}, args...)...)
}

func drop(set string) func(rune) rune {
	return func(r rune) rune {
		if strings.ContainsRune(set, r) {
			return -1
		}
		return r
	}
}

// ret returns with the status of the last command if none is named.
func ret(c call) error {
	if len(c.args) == 0 {
		return c.native("return", strconv.Itoa(c.hc.LastExitStatus))
	}
	return c.native("return", c.args[0])
}

// shift shifts nothing if there are too few.
func shift(c call) error {
	n := 1
	if len(c.args) > 0 {
		var err error
		if n, err = strconv.Atoi(c.args[0]); err != nil || n < 0 {
			return c.fail(1, "%s: shift count out of range", c.args[0])
		}
	}
	if err := c.native("eval", "TRICODE_COUNT=$#"); err != nil {
		return err
	}
	if count, _ := strconv.Atoi(c.hc.Env.Get("TRICODE_COUNT").String()); n > count {
		return interp.ExitStatus(1)
	}
	return c.native("shift", strconv.Itoa(n))
}

// execute replaces the shell: nothing of it runs afterwards.
func execute(c call) error {
	if len(c.args) == 0 {
		return c.native("exec")
	}
	if c.args[0] == "--" {
		c.args = c.args[1:]
	}
	if len(c.args) == 0 || strings.HasPrefix(c.args[0], mark) {
		return c.fail(127, "not found")
	}
	if err := c.native("trap", "-", "EXIT"); err != nil {
		return err
	}
	return c.native(append([]string{"exec"}, c.args...)...)
}

// test compares strings that look like operators, which the interpreter takes for operators: POSIX says that the number
// of arguments decides.
func test(c call) error {
	args := c.args
	if c.name == "[" {
		if len(args) == 0 || args[len(args)-1] != "]" {
			return c.fail(2, "missing `]'")
		}
		args = args[:len(args)-1]
	}
	negated := false
	for len(args) > 1 && len(args) != 3 && args[0] == "!" {
		args, negated = args[1:], !negated
	}
	truth := false
	switch {
	case len(args) == 0:
	case len(args) == 1:
		truth = args[0] != ""
	case len(args) == 3 && (args[1] == "=" || args[1] == "=="):
		truth = args[0] == args[2]
	case len(args) == 3 && args[1] == "!=":
		truth = args[0] != args[2]
	default:
		if negated {
			args = append([]string{"!"}, args...)
		}
		return c.native(append([]string{"test"}, args...)...)
	}
	if truth == negated {
		return interp.ExitStatus(1)
	}
	return nil
}

// deny is a builtin that was refused.
func deny(c call) error {
	fmt.Fprintf(c.hc.Stderr, "%s: denied: %s\n", c.args[0], c.args[1])
	return interp.ExitStatus(126)
}
