package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tricode/workdir/sandbox"
)

// The limits of sessions.
const (
	maxSessions  = 3
	maxIdle      = 10 * time.Minute // without input or reading
	maxLife      = 60 * time.Minute
	maxUnread    = 64 << 10 // bytes that wait to be read; older ones are lost
	settle       = 100 * time.Millisecond
	answerWithin = time.Second // how long what was started or sent may take to be answered at once
	typeWithin   = 5 * time.Second
)

// Sessions are programs that run while the model does other things, each behind a terminal of its own. Close must
// be called at the end. It is safe for concurrent use.
type Sessions struct {
	box *sandbox.Box

	mu     sync.Mutex
	all    []*session // in the order of their start
	last   int        // the number of the latest
	closed bool
}

// NewSessions returns Sessions whose programs start in box.
func NewSessions(box *sandbox.Box) *Sessions { return &Sessions{box: box} }

// Close ends all sessions and everything that runs in them. None can be started afterwards.
func (s *Sessions) Close() {
	s.mu.Lock()
	all := s.all
	s.all, s.closed = nil, true
	s.mu.Unlock()
	var ends sync.WaitGroup
	for _, one := range all {
		ends.Go(func() { one.end("the run ended") })
	}
	ends.Wait()
}

// room returns an error if no further session can be started. Sessions whose program has ended do not count.
func (s *Sessions) room() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.roomLocked()
}

func (s *Sessions) roomLocked() error {
	if s.closed {
		return errors.New("the run is ending")
	}
	var open []string
	for _, one := range s.all {
		if !one.ended() {
			open = append(open, one.id)
		}
	}
	if len(open) >= maxSessions {
		return fmt.Errorf("%d sessions are open, which is the most there can be; close one of %s first", len(open), strings.Join(open, ", "))
	}
	return nil
}

// start starts a program in a session of its own. It takes the place of one that has ended if there are many.
func (s *Sessions) start(ctx context.Context, cmd sandbox.Cmd, name string, input inputKind) (*session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.roomLocked(); err != nil {
		return nil, err
	}
	terminal, err := s.box.Start(ctx, cmd)
	if err != nil {
		return nil, err
	}
	if len(s.all) >= 2*maxSessions {
		i := slices.IndexFunc(s.all, (*session).ended)
		s.all = slices.Delete(s.all, i, i+1)
	}
	s.last++
	one := newSession("s"+strconv.Itoa(s.last), name, input, terminal)
	s.all = append(s.all, one)
	return one, nil
}

// find returns the session of that id, or an error that says which there are.
func (s *Sessions) find(id string) (*session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	for _, one := range s.all {
		if one.id == id {
			return one, nil
		}
		ids = append(ids, one.id)
	}
	if ids == nil {
		return nil, fmt.Errorf("session_id: there is no session %q; none is open", id)
	}
	return nil, fmt.Errorf("session_id: there is no session %q; there are %s", id, strings.Join(ids, ", "))
}

// list describes all sessions, one line for each.
func (s *Sessions) list() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.all) == 0 {
		return "(no sessions)"
	}
	var b strings.Builder
	for _, one := range s.all {
		fmt.Fprintf(&b, "%s\n", one)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// remove ends a session and forgets it.
func (s *Sessions) remove(one *session) {
	one.end("closed")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = slices.DeleteFunc(s.all, func(other *session) bool { return other == one })
}
