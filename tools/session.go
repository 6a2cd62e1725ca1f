package tools

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"tricode/approval"
	"tricode/workdir/sandbox"
)

// inputKind says how input to a session is judged.
type inputKind int

const (
	forProgram inputKind = iota // as something a program asked for that a person approved
	forShell                    // like a command
	forUnknown                  // as something that cannot be known
)

// session is a program behind a terminal, with what it wrote and nobody has read yet.
type session struct {
	id, name string
	input    inputKind
	terminal *sandbox.Terminal
	started  time.Time
	drained  chan struct{} // closed when everything that will ever be written is in unread
	news     chan struct{} // has room for one: something was written since it was last emptied

	mu     sync.Mutex
	said   string // all input so far
	unread []byte
	lost   int // bytes that unread had no room for
	why    string
	made   func() []string // what it made that is protected, see commandLine.made; nil if nobody looks
	idle   *time.Timer
	life   *time.Timer
}

func newSession(id, name string, input inputKind, terminal *sandbox.Terminal) *session {
	s := &session{
		id: id, name: name, input: input, terminal: terminal, started: time.Now(),
		drained: make(chan struct{}), news: make(chan struct{}, 1),
	}
	s.idle = time.AfterFunc(maxIdle, func() { s.end(fmt.Sprintf("it was not used for %v", maxIdle)) })
	s.life = time.AfterFunc(maxLife, func() { s.end(fmt.Sprintf("it ran for %v", maxLife)) })
	go s.pump()
	return s
}

// hasMade says what the program made that is protected.
func (s *session) hasMade(b *Boxes) []string {
	s.mu.Lock()
	made := s.made
	s.mu.Unlock()
	if made == nil {
		return nil
	}
	b.changed()
	return made()
}

// pump takes what the program writes, until it has ended.
func (s *session) pump() {
	defer close(s.drained)
	buffer := make([]byte, 4<<10)
	for {
		n, err := s.terminal.Read(buffer)
		s.mu.Lock()
		s.unread = append(s.unread, buffer[:n]...)
		if over := len(s.unread) - maxUnread; over > 0 {
			s.lost += over
			s.unread = append(s.unread[:0], s.unread[over:]...)
		}
		s.mu.Unlock()
		select {
		case s.news <- struct{}{}:
		default:
		}
		if err != nil {
			<-s.terminal.Done()
			return
		}
	}
}

// end ends the program, unless it has ended already, and says why.
func (s *session) end(why string) {
	s.mu.Lock()
	if s.why == "" && !s.ended() {
		s.why = why
	}
	s.idle.Stop()
	s.life.Stop()
	s.mu.Unlock()
	s.terminal.Close()
}

// ended reports whether the program has ended.
func (s *session) ended() bool {
	select {
	case <-s.terminal.Done():
		return true
	default:
		return false
	}
}

// used puts the end for want of use off.
func (s *session) used() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.idle.Stop() {
		s.idle.Reset(maxIdle)
	}
}

// answer waits for output, until that pauses or the time is over, and returns it with what there is to say about it.
func (s *session) answer(ctx context.Context, within time.Duration) string {
	s.used()
	timeout := time.NewTimer(within)
	defer timeout.Stop()
	wait := within
	if s.waiting() {
		wait = settle
	}
	for waiting := true; waiting; {
		select {
		case <-s.drained:
			waiting = false
		case <-s.news:
			wait = settle
		case <-time.After(wait):
			waiting = false
		case <-timeout.C:
			waiting = false
		case <-ctx.Done():
			waiting = false
		}
	}
	return s.take()
}

// waiting reports whether there is something to be read.
func (s *session) waiting() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.unread) > utf8.UTFMax
}

// result is answer as the result of an effect, with something before it.
func (s *session) result(ctx context.Context, within time.Duration, live io.Writer, before string) (approval.Result, error) {
	text := s.answer(ctx, within)
	_, err := io.WriteString(live, text)
	return approval.Result{Text: before + text}, err
}

// take returns what is unread, as much as the model is told at once, and forgets it.
func (s *session) take() string {
	ended := s.finished()
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.unread[:min(len(s.unread), shownHead+shownTail)]
	if !ended || len(b) < len(s.unread) {
		b = wholeCharacters(b)
	}
	text := strings.ReplaceAll(safeText(b), "\r\n", "\n")
	s.unread = s.unread[len(b):]
	if s.lost > 0 {
		text = fmt.Sprintf("[%d bytes before this are lost: they were not read in time]\n%s", s.lost, text)
		s.lost = 0
	}
	switch {
	case len(s.unread) > utf8.UTFMax:
		text = withNote(text, fmt.Sprintf("[%d bytes more wait to be read]", len(s.unread)))
	case ended:
		text = withNote(text, "["+s.ending()+"]")
	case text == "":
		text = "(no output)"
	}
	return text
}

// finished reports whether the program has ended and everything that it wrote is in unread.
func (s *session) finished() bool {
	select {
	case <-s.drained:
		return true
	default:
		return false
	}
}

func (s *session) ending() string {
	text := fmt.Sprintf("the program ended with exit status %d", s.terminal.Status())
	if s.why != "" {
		text += ": " + s.why
	}
	return text
}

// String describes the session in one line.
func (s *session) String() string {
	state := fmt.Sprintf("running for %v", time.Since(s.started).Round(time.Second))
	ended := s.ended()
	s.mu.Lock()
	defer s.mu.Unlock()
	if ended {
		state = s.ending()
	}
	return fmt.Sprintf("%s: %s (%s; %d bytes unread)", s.id, s.name, state, len(s.unread))
}
