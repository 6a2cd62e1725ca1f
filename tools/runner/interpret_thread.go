package runner

import "runtime"

// thread does things one after the other on one thread of the system. Programs are started and sent signals on the same one:
// Landlock before its version 8 holds each thread of a process by itself, and where it holds signals too (landlock(7)), one
// thread cannot end what another has started.
type thread struct {
	work chan func()
	over chan struct{}
}

// begin starts the thread.
func (t *thread) begin() {
	t.work, t.over = make(chan func()), make(chan struct{})
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for {
			select {
			case do := <-t.work:
				do()
			case <-t.over:
				return
			}
		}
	}()
}

// end lets go of the thread. What is to be done afterwards is done anywhere.
func (t *thread) end() { close(t.over) }

// do does something and waits for its end.
func (t *thread) do(something func()) {
	done := make(chan struct{})
	select {
	case t.work <- func() { defer close(done); something() }:
		<-done
	case <-t.over:
		something()
	}
}

// signal sends a signal to a process, or to a process group if pid is negative.
func (t *thread) signal(pid, number int) (err error) {
	t.do(func() { err = signal(pid, number) })
	return err
}
