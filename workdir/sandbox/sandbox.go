// Package sandbox starts programs for everybody else and looks them up: it is the only place in tricode that starts
// a process.
//
// What is started for the model is held by the system in a box ([Limits]): tricode starts itself again as a helper, which
// closes the box around itself and then runs one command in it. Each mechanism is used where the system has it, and what
// is left open can be told ([Mechanisms.Gaps]). What would be written to the work directory can go to an [Overlay] instead.
//
// A program gets a clean environment, a private temporary directory, no input but what it is given and, on Unix, a
// session of its own, so that it cannot reach the person's terminal. When it ends, everything that it started ends
// with it; on Linux also what left its session. On Windows a program and all that it starts are in one job and end
// with that.
package sandbox

import (
	"cmp"
	"context"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Box is where programs start. It is safe for concurrent use and must not be copied. The zero Box starts programs in
// the current directory. What leaves the session of its program and hides where it comes from is ended when no program
// of any Box runs any more.
type Box struct {
	Dir    string   // where programs start, absolute
	Env    []string // names of variables that stay although they look like secrets
	Hidden []string // names of further variables that programs do not get, such as those of provider keys

	mu     sync.Mutex
	temp   string // the temporary directory of all programs; empty if there is none yet
	closed bool
	helpers
	buffers sync.Pool     // of *[bufferSize]byte
	linger  time.Duration // instead of the constant, for tests
}

// Cmd is a program to run, or a command line to interpret. One of Args and Text must not be empty.
type Cmd struct {
	Args   []string  // the program, looked up as LookPath does, and its arguments
	Text   string    // a command line for bash, where there are Helpers
	Limits *Limits   // the box that holds it; nil for none
	Env    []string  // "NAME=value" pairs added to the clean environment
	Look   bool      // it only reads: git starts none of the programs that its configuration names
	Stdin  io.Reader // nil is no input; must not wait for anything
	Stdout io.Writer // nil discards
	Stderr io.Writer // nil discards; may be the same as Stdout, then the order of the output is kept

	// Check is asked about every step that the command line takes, by itself or in a script that it runs; an error refuses
	// it. It is called by one goroutine at a time. Nil lets all steps be taken.
	Check func(ctx context.Context, s Step) error
	// Builtins are the names of commands that the interpreter does itself about which Check is asked too.
	Builtins []string
	// Ours are directories whose shell scripts are interpreted too when a command line starts them.
	Ours []string
}

// Step is what an interpreted command line is about to do: start a program or open a file for a redirect.
type Step struct {
	Dir     string   // where it happens
	Program string   // the path of the program; empty for what the shell does itself
	Args    []string // as it is called, expanded
	Set     []string // "NAME=value" pairs that it gets beside the environment of the Cmd
	Path    string   // the file, absolute
	Write   bool     // it is opened for writing
}

// helped reports whether a helper runs the command.
func (c *Cmd) helped() bool { return c.Text != "" || c.Limits != nil }

const (
	bufferSize = 64 << 10               // as much as a pipe holds
	linger     = 100 * time.Millisecond // how long what a program left behind may go on writing
	grace      = 300 * time.Millisecond // how long a program that should end may take over it
)

// Run runs the program until it ends or ctx is done; then it is asked to end, and soon afterwards killed. It
// returns the exit status, 128+n for signal n. The error is nil whenever the program ran to its end, whatever its
// status; it is context.Cause(ctx) if ctx ended it, what a writer returned if that ended it, and wraps
// exec.ErrNotFound if there is no such program.
func (b *Box) Run(ctx context.Context, c Cmd) (status int, err error) {
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	out, err := openStreams(c.Stdin, c.Stdout, c.Stderr)
	if err != nil {
		return 0, err
	}
	defer out.close()
	p, err := b.begin(ctx, c, out.files[:])
	if err != nil {
		return 0, err
	}
	out.started()
	stop := context.AfterFunc(ctx, p.end)
	go func() {
		<-p.done
		out.expire() // what could not be ended may still hold the pipe
	}()
	err = out.copy(b, p.end)
	close(p.drained)
	status = p.result()
	out.feeding.Wait()
	if !stop() {
		return status, context.Cause(ctx)
	}
	return status, err
}

// begin starts the command, or lets a helper run it.
func (b *Box) begin(ctx context.Context, c Cmd, files []*os.File) (*process, error) {
	if c.helped() {
		return b.help(ctx, c, files, false)
	}
	p, err := b.start(c, files, programAttr())
	if err == nil {
		go p.wait()
	}
	return p, err
}

// process is a program that was started, with all that it started itself.
type process struct {
	box    *Box
	os     *os.Process
	pid    int
	mark   string // a variable in its environment that no other program has
	tree   tree
	status int           // once done
	done   chan struct{} // closed when it is gone
	over   chan int      // gets the status of what a helper runs if nothing is left of it before the helper is gone

	// drained is closed by whoever reads what the program writes when all of it was read. Nobody reads, and writes, before
	// there is something to do.
	drained chan struct{}
	begun   atomic.Bool

	mu     sync.Mutex
	reaped bool // it has been waited for, so that its id may be another's
}

// result waits until nothing is left of the program and returns its status.
func (p *process) result() int {
	select {
	case status := <-p.over:
		return status
	case <-p.done:
		return p.status
	}
}

// wait waits for the program to end, lets what it left behind finish writing, and ends the rest.
func (p *process) wait() {
	state := p.await()
	if p.begun.Load() {
		select {
		case <-p.drained:
		case <-time.After(cmp.Or(p.box.linger, linger)):
		}
	}
	p.mu.Lock()
	p.tree.kill()
	if state == nil {
		state, _ = p.os.Wait()
	}
	p.reaped = true
	p.mu.Unlock()
	p.status = exitStatus(state)
	p.forget()
	p.sweep()
	close(p.done)
}

// end asks the program to end and kills it if it takes too long.
func (p *process) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reaped {
		return
	}
	p.tree.terminate()
	time.AfterFunc(grace, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if !p.reaped {
			p.tree.kill()
		}
	})
}

// kill ends the process without asking it.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		p.tree.kill()
	}
}

// Close ends all programs and removes their temporary directory. None can be started afterwards. Helpers that were not
// told of anything to do are killed, but not waited for: there is nothing that they could still do.
func (b *Box) Close() error {
	b.mu.Lock()
	b.closed = true
	b.dismiss()
	temp := b.temp
	b.mu.Unlock()
	live := b.members()
	for _, p := range live {
		if p.begun.Load() {
			p.end()
		} else {
			p.kill() // a helper that waits, or starts
		}
	}
	for _, p := range live {
		if p.begun.Load() {
			<-p.done
		}
	}
	if temp == "" {
		return nil
	}
	return os.RemoveAll(temp)
}
