package cli

import "os"

// Signals end a run in order.
var Signals = []os.Signal{os.Interrupt}

// Interruption is the cause of a context that a signal ended.
type Interruption struct{}

// Interrupted names the signal that ends the run.
func Interrupted(os.Signal) Interruption { return Interruption{} }

func (Interruption) Error() string { return "interrupted" }

// Status is that of an interrupted program on other systems.
func (Interruption) Status() int { return 130 }
