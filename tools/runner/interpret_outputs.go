package runner

import (
	"context"
	"io"
	"os"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// What a job writes to is there as long as the job is, as with processes: the interpreter closes a file or a pipe when the
// statement that opened it ends, and takes what a substitution collects when its last statement ends. So jobs write to copies,
// and substitutions in which there may be jobs are read from a pipe.
const (
	ownVar      = "TRICODE_OWN_FD_" // the copy for the next job, by the number of the output
	ownName     = mark + "own_"     // a redirect to it is one to that copy
	captureName = mark + "capture"  // a redirect to it is one to a pipe into what a substitution collects
)

// spawns reports whether a tree may start jobs, or a function that does. It remembers that.
func (s *session) spawns(file *syntax.File) bool {
	found := false
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			found = found || n.Background
		case *syntax.CallExpr:
			if len(n.Args) > 0 {
				name := n.Args[0].Lit()
				found = found || name == "eval" || name == "source" || name == "."
			}
		}
		return !found
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jobbing = s.jobbing || found
	return s.jobbing
}

// lend holds a copy of an output for a job. There is none, -1, of those of the script, which nobody closes.
func (c call) lend(number int) (id int) {
	f, err := c.file(c.hc, number)
	if err != nil || f.file == nil || f.file == c.script.Stdout || f.file == c.script.Stderr {
		return -1
	}
	if f.file, err = duplicate(f.file); err != nil {
		return -1
	}
	return c.session.hold(f)
}

// lent is the output of a job: the copy that was made for it, or what is there.
func (s *subshell) lent(hc interp.HandlerContext, number string) io.ReadWriteCloser {
	id := atoi(hc.Env.Get(ownVar + number).Str)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case id >= 0 && id < len(s.held) && s.held[id].file != nil:
		f := s.held[id].file
		s.held[id] = opened{}
		return f
	case number == "2":
		return &shared{hc.Stderr, nil}
	}
	return &shared{hc.Stdout, nil}
}

// capture is a pipe into a writer, to be settled.
func (s *session) capture(ctx context.Context, into io.Writer) (*os.File, error) {
	c := &collector{ctx: ctx, session: s}
	f, err := c.pipe(into)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.captures == nil {
		s.captures = map[io.Writer]*collector{}
	}
	s.captures[into] = c
	return f, nil
}

// settled waits until nobody writes any more to the pipe into a writer.
func (s *session) settled(into io.Writer) {
	s.mu.Lock()
	c := s.captures[into]
	delete(s.captures, into)
	s.mu.Unlock()
	if c != nil {
		c.wait()
	}
}

// outlet is where a shell writes that runs within another one: a pipe where that collects what is written and there may be jobs.
func (s *session) outlet(ctx context.Context, file *syntax.File, out io.Writer) (to io.Writer, settle func(), err error) {
	into := bare(out)
	if _, is := into.(*os.File); is || into == io.Discard || !s.spawns(file) {
		return out, func() {}, nil
	}
	f, err := s.capture(ctx, into)
	return f, func() { f.Close(); s.settled(into) }, err
}

// settle ends a substitution.
func settle(c call) error {
	c.settled(bare(c.hc.Stdout))
	return c.status()
}
