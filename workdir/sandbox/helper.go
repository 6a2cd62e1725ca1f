package sandbox

import (
	"context"
	"os"
	"strconv"
)

// helperName is what a helper is called.
const helperName = "tricode-helper"

// seatbeltArg stands before the arguments of a helper that was started in its box.
const seatbeltArg = "tricode-boxed"

// IsHelper reports whether this process was started as a helper. It calls [Serve] then, before anything else.
func IsHelper() bool {
	return os.Args[0] == helperName || len(os.Args) > 2 && os.Args[1] == seatbeltArg && os.Args[2] == helperName
}

// statusHelper is the exit status of a helper that cannot go on.
const statusHelper = 125

// Script is a command line that a helper is to interpret, in the box that it has closed around itself.
type Script struct {
	Text                  string
	Dir                   string
	Env                   []string
	Stdin, Stdout, Stderr *os.File
	Check                 func(ctx context.Context, s Step) error // see Cmd
	Builtins, Ours        []string                                // see Cmd
}

// The kinds of helpers: without a box, in a box with and without network.
const (
	unboxed = iota
	online
	offline
	kinds
)

// kindOf is the kind of helper that can close a box with the given limits.
func kindOf(l *Limits) int {
	switch {
	case l == nil:
		return unboxed
	case l.Network && !l.Look:
		return online
	}
	return offline
}

// helperArgs tell a helper which namespaces it has, and who started it.
func helperArgs(spaces Mechanisms) []string {
	return []string{helperName, strconv.Itoa(int(spaces)), userSpace()}
}

// helperSpaces reads what helperArgs wrote. A helper that is where others are has no namespaces, whatever it is told: what it
// does in them would happen to the whole machine.
func helperSpaces(args []string) Mechanisms {
	if len(args) < 3 || args[len(args)-1] == userSpace() {
		return 0
	}
	spaces, _ := strconv.Atoi(args[len(args)-2])
	return Mechanisms(spaces)
}
