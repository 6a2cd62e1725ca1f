// Package runner runs command lines: it interprets the very syntax tree that approval/shell judged, and asks again
// before each program starts and each file is opened, with everything expanded. What it would not run as bash does it
// refuses before anything ran.
//
// It is what the helper does that closes a box around itself ([Main]).
package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"tricode/approval/shell"
)

// Script is a command line to interpret.
type Script struct {
	Text   string
	Dir    string   // where it starts, absolute
	Env    []string // "NAME=value" pairs, all that programs get
	Stdin  *os.File // nil is empty
	Stdout *os.File // nil discards
	Stderr *os.File
	Ours   []string // directories whose shell scripts are interpreted too, if they can be

	// Check is asked before every command that is not a function: programs, shells and builtins. An error refuses
	// it. nil allows everything. It may be called by several goroutines at a time.
	Check func(ctx context.Context, s Start) error
	// Open is asked before the shell itself opens a file, for a redirect or to read commands from it.
	Open func(ctx context.Context, f File) error

	lastWords time.Duration // instead of the constant, for tests
}

// Start is a command that is about to run.
type Start struct {
	Program string   // absolute path, links not followed; empty for what the shell does itself (cd, echo, eval …)
	Args    []string // expanded, with the name as it was written
	Dir     string   // where it starts, absolute
	Set     []string // "NAME=value" pairs that differ from the script's environment, only for a Program
}

// File is a file that is about to be opened.
type File struct {
	Path  string // absolute, links not followed
	Write bool
}

// ErrLimit is wrapped by the error of a script that grew beyond a bound.
var ErrLimit = errors.New("the command line was ended")

// ErrArithmetic is wrapped by the error of a script that came to an operand of arithmetic of which it is not known what it would
// mean to bash, or that bash does not take either.
var ErrArithmetic = errors.New("the command line was ended")

// Interpret runs a script to its end and returns its status. Programs that it left running end with it; left reports that
// something may still go on within this process, and for how long is not known. The error is nil whenever the script ran
// to its end, whatever its status; it is a *shell.Unrunnable before anything ran, context.Cause(ctx) if ctx ended it, and
// wraps ErrLimit if it grew beyond a bound, or ErrArithmetic.
func Interpret(ctx context.Context, s Script) (status int, left bool, err error) {
	file, err := shell.ParseToRun(s.Text)
	if err == nil {
		err = shell.Runnable(file)
	}
	if err != nil {
		return 2, false, err
	}
	run, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	x := &session{script: s, asked: ctx, cancel: cancel, began: time.Now(), given: given(s.Env)}
	defer context.AfterFunc(ctx, x.end)()
	x.fifos = fifoDir(x.given)
	x.thread.begin()
	stop := x.watch(run)
	defer func() {
		cancel(errEnded)
		x.removeFIFOs()
		x.wait()
		x.thread.end()
		x.releaseAll()
		stop()
	}()
	status, err = x.shell(run, file, frame{zero: "bash", dir: s.Dir, env: s.Env, asked: ctx}, stdio{s.Stdin, writer(s.Stdout), writer(s.Stderr)})
	for _, ended := range [...]context.Context{ctx, run} {
		if cause := context.Cause(ended); cause != nil {
			return max(status, 1), true, cause
		}
	}
	return status, x.left(), err
}

var errEnded = errors.New("the script has ended")

// session is one run of a Script, with the shells within it.
type session struct {
	script Script
	asked  context.Context // done when the script is asked to end, which its traps may outlast
	cancel context.CancelCauseFunc
	began  time.Time
	given  map[string]string // the script's environment
	fifos  string            // the directory of the FIFOs
	thread thread            // where programs start
	live   sync.WaitGroup    // programs that run

	trapped atomic.Bool // traps are set

	arrays sync.Map // names of which all elements are asked for

	mu         sync.Mutex
	ended      bool // no program starts any more
	jobs       []*job
	functions  map[string]bool // every name that was declared as a function anywhere
	errexit    bool            // something may set it
	jobbing    bool            // something may start jobs
	captures   map[io.Writer]*collector
	failing    bool            // something may set a trap for ERR
	maps       map[string]bool // names that were declared as associative arrays; false for those that stand for other names
	nounset    bool            // something may set it
	looped     int             // loops so far
	hoisted    int             // expansions so far that are computed before their statement
	pipes      [][]string      // the statuses of their parts
	pipestatus bool            // it is asked for
	signaled   bool            // something may set a trap for a signal
	globstar   bool
	fed        bool          // by a process substitution, of which nobody knows when it ends
	held       []opened      // files of shells beyond the first three; what is closed is empty
	timers     []timer       // the last one is the innermost
	user, sys  time.Duration // that programs used
}

// frame is what a shell begins with.
type frame struct {
	zero    string // $0
	source  string // the file it reads, empty for a text
	dir     string
	env     []string
	args    []string // positional parameters
	options []string // as for set
	depth   int      // shells around it
	asked   context.Context
	ignored uint64 // signals that do nothing to it from the beginning
}

type stdio struct {
	in       io.Reader
	out, err io.Writer
}

func writer(f *os.File) io.Writer {
	if f == nil {
		return io.Discard // a nil *os.File in an interface would not be nil
	}
	return f
}

// shell interprets a file in a shell of its own.
func (s *session) shell(ctx context.Context, file *syntax.File, f frame, io stdio) (status int, err error) {
	defer func() {
		if r := recover(); r != nil { // the interpreter gives up at some unusual trees in this way
			status, err = 2, fmt.Errorf("%w: the interpreter failed (%v)", ErrLimit, r)
		}
	}()
	if slices.Contains(f.options, "errexit") || slices.ContainsFunc(f.options, func(o string) bool { return o[0] == '-' && strings.Contains(o, "e") }) {
		s.errexit = true
	}
	if slices.Contains(f.options, "nounset") || slices.ContainsFunc(f.options, func(o string) bool { return o[0] == '-' && strings.Contains(o, "u") }) {
		s.nounset = true
	}
	s.complete(file)
	file.Name = f.zero
	if s.trapsSignals() {
		file.Stmts = append(file.Stmts, taken())
	}
	sh := &subshell{session: s, frame: f, woken: make(chan struct{}, 1)}
	sh.asked, sh.ask = context.WithCancelCause(context.WithoutCancel(f.asked)) // what it leaves in the background is not asked when it has ended
	defer context.AfterFunc(f.asked, func() { sh.ask(context.Cause(f.asked)) })()
	sh.ignore(f.ignored)
	options := []interp.RunnerOption{
		interp.Env(&environ{sh: sh, fixed: fixed(f)}), interp.Dir(f.dir), interp.StdIO(io.in, io.out, &voice{io.err, ctx, sh}),
		interp.CallHandler(sh.call), interp.ExecHandlers(func(interp.ExecHandlerFunc) interp.ExecHandlerFunc { return sh.exec }),
		interp.OpenHandler(sh.open), interp.ReadDirHandler2(sh.readDir), interp.Params(f.options...),
	}
	r, err := interp.New(options...)
	if err != nil {
		return 2, err
	}
	r.Params, sh.runner = f.args, r
	err = r.Run(ctx, file)
	var code interp.ExitStatus
	if given := sh.leaves.Load(); given > 0 && (err == nil || errors.As(err, &code)) {
		return int(given - 1), nil
	}
	if errors.As(err, &code) {
		return int(code), nil
	}
	if err != nil {
		status = 1
	}
	return status, err
}
