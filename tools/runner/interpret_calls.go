package runner

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"mvdan.cc/sh/v3/interp"
)

// The bounds of a script. A stack that is too deep and memory without end are fatal to a Go program, so they are
// counted before they are met.
const (
	maxFrames   = 10_000    // of one goroutine's stack, a thousand calls of functions within each other
	maxBranches = 2_000     // goroutines: parts of pipelines and background jobs at the same time
	maxNesting  = 16        // shells within each other
	maxMemory   = 256 << 20 // bytes
)

// mark begins the names that this package and completed trees call. A script that spells one gains nothing.
const mark = "__tricode_"

// subshell is a shell of the session: the script itself, or one that it starts.
type subshell struct {
	*session
	frame
	runner   *interp.Runner  // that of the shell itself; its parts have others
	asked    context.Context // done when this shell is asked to end
	ask      context.CancelCauseFunc
	traps    map[int]string         // by number of a signal
	texts    map[string]string      // of all traps as they were written, by name
	pending  atomic.Uint64          // signals whose traps are to run, the first one as the lowest bit
	woken    chan struct{}          // holds something when there is one
	last     atomic.Bool            // the traps for the end run
	argument atomic.Pointer[string] // the last one of the last command
	commands atomic.Int64           // so far
	line     atomic.Int64           // of the last one
	failed   atomic.Int64           // of them, those before the last trap for ERR had ended
	errtrace atomic.Bool            // that trap is for functions too
	leaves   atomic.Int32           // one more than the status that a trap for the end gives exit; 0 for none
}

// call is asked about every simple command before it runs, with everything expanded. What this package does itself
// it hands on to exec under a name with a mark.
func (s *subshell) call(ctx context.Context, args []string) ([]string, error) {
	if err := s.bounded(); err != nil {
		return nil, err
	}
	if s.over() && args[0] != mark+"last" {
		return []string{mark + "terminate"}, nil
	}
	if strings.HasPrefix(args[0], mark) {
		if complement(args[0]) != nil {
			return args, nil
		}
		return []string{mark + "denied", args[0], "there is no such command"}, nil // and none that is not asked about
	}
	hc := interp.HandlerCtx(ctx)
	if s.killed(hc) {
		return nil, errKilled
	}
	s.argument.Store(&args[len(args)-1])
	s.commands.Add(1)
	if line := hc.Pos.Line(); line > 0 {
		s.line.Store(int64(line))
	}
	asked := args
	args, plain := s.unwrap(args)
	if len(args) == 0 {
		return []string{"true"}, nil
	}
	if s.pending.Load() != 0 && s.itself(hc) {
		return append([]string{mark + "trapped"}, asked...), nil
	}
	name := args[0]
	if plain && s.declared(name) {
		return args, nil // a function, or what the name means if it is none: exec and the interpreter tell
	}
	if own := builtin(name); own == nil && !interp.IsBuiltin(name) {
		return args, nil
	} else if err := s.check(ctx, Start{Args: args, Dir: hc.Dir}); err != nil {
		return []string{mark + "denied", name, err.Error()}, nil
	} else if own != nil {
		return append([]string{mark + name}, args[1:]...), nil
	}
	return args, nil
}

// unwrap follows command and builtin, which the interpreter would follow without asking. plain is false behind
// them, where functions do not count.
func (s *subshell) unwrap(args []string) (rest []string, plain bool) {
	plain = true
	for len(args) > 0 && (args[0] == "command" || args[0] == "builtin") {
		rest := args[1:]
		for len(rest) > 0 && (rest[0] == "--" || rest[0] == "-p") {
			rest = rest[1:]
		}
		if len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
			return args, plain
		}
		args, plain = rest, false
	}
	if !plain && len(args) > 0 && !interp.IsBuiltin(args[0]) {
		return append([]string{mark + "program"}, args...), false
	}
	return args, plain
}

func (s *session) declared(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.functions[name]
}

// bounded ends the script if it has grown too deep or too wide.
func (s *subshell) bounded() (err error) {
	var pc [1]uintptr
	if rand.IntN(8) == 0 && runtime.Callers(maxFrames, pc[:]) > 0 { // 2 µs, more on a deep stack
		err = fmt.Errorf("%w: it calls itself too deeply", ErrLimit)
	} else if runtime.NumGoroutine() > maxBranches {
		err = fmt.Errorf("%w: more than %d parts of it run at the same time", ErrLimit, maxBranches)
	}
	if err != nil {
		s.cancel(err)
	}
	return err
}

func (s *subshell) check(ctx context.Context, st Start) error {
	if s.script.Check == nil {
		return nil
	}
	st.Args = slices.Clone(st.Args)
	return s.script.Check(ctx, st)
}
