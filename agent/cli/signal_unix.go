//go:build unix

package cli

import (
	"fmt"
	"os"
	"syscall"
)

// Signals end a run in order.
var Signals = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// Interruption is the cause of a context that a signal ended.
type Interruption struct{ signal syscall.Signal }

// Interrupted names the signal that ends the run.
func Interrupted(s os.Signal) Interruption {
	n, _ := s.(syscall.Signal)
	return Interruption{n}
}

func (i Interruption) Error() string {
	if i.signal == syscall.SIGINT {
		return "interrupted"
	}
	return fmt.Sprintf("ended by a signal: %s", i.signal)
}

// Status is 128 and the signal's number, as shells have it.
func (i Interruption) Status() int { return 128 + int(i.signal) }
