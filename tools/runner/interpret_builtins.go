package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	case "getopts":
		return getopts
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
	case "exit":
		return leave
	case "hash":
		return hash
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
	case "jobs":
		return jobs
	case "disown":
		return disown
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
	case "number":
		return number
	case "copy":
		return copyInput
	case "count":
		return count
	case "hold":
		return hold
	case "going":
		return going
	case "loopless":
		return loopless
	case "end":
		return end
	case "compared":
		return compared
	case "outside":
		return outside
	case "fields":
		return fields
	case "functions":
		return functions
	case "through":
		return through
	case "unset":
		return unset
	case "parameter":
		return parameter
	case "indirect", "indirect-elements":
		return indirect
	case "keys", "values":
		return enumerated
	case "terminate":
		return terminate
	case "traps":
		return traps
	case "exactly":
		return regular
	case "failing":
		return failing
	case "failed":
		return failed
	case "inside":
		return inside
	case "step":
		return step
	case "last":
		return last
	case "take":
		return take
	case "trapped":
		return trapped
	case "quoted":
		return quoted
	case "replaced":
		return replaced
	case "pipe":
		return pipe
	case "part":
		return part
	case "parts":
		return parts
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

// reason is an error of the system as bash(1) words it.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	for is, text := range map[error]string{syscall.ENOENT: "No such file or directory", syscall.EACCES: "Permission denied", syscall.EISDIR: "Is a directory", syscall.ENOTDIR: "Not a directory", syscall.EBADF: "Bad file descriptor"} {
		if errors.Is(err, is) {
			return errors.New(text)
		}
	}
	return err
}

// deny is a builtin that was refused.
func deny(c call) error {
	fmt.Fprintf(c.hc.Stderr, "%s: denied: %s\n", c.args[0], c.args[1])
	return interp.ExitStatus(126)
}
