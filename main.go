// Tricode gives a task to a language model and asks before every destructive step.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"

	"tricode/agent/cli"
)

func main() {
	runtime.GOMAXPROCS(1) // what it does is wait, for one thing after the other: waking another processor each time takes longer
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, cli.Signals...)
	go func() {
		first := cli.Interrupted(<-signals)
		cancel(first)
		cli.Again(signals, nil) // a second one does not wait for the run to end in order
		os.Exit(first.Status())
	}()
	os.Exit(cli.Main(ctx, os.Args[1:]))
}
