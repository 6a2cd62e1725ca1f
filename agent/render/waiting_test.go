package render

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tricode/agent"
	"tricode/approval"
	"tricode/providers"
)

// screen is what a terminal got, which is written to by two.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func (s *screen) await(t *testing.T, text string) {
	t.Helper()
	for range 200 {
		if strings.Contains(s.String(), text) {
			return
		}
		time.Sleep(20 * time.Millisecond) // of the time of the test, which nothing takes but waiting
	}
	t.Fatalf("%q did not appear: %q", text, s.String())
}

func TestWaitingIsShownAndTakenAway(t *testing.T) { synctest.Test(t, waitingIsShownAndTakenAway) }

func waitingIsShownAndTakenAway(t *testing.T) {
	s := &screen{}
	view := NewText(Stream{Writer: &bytes.Buffer{}}, Stream{Writer: s, Terminal: true, Redraws: true, Columns: func() int { return 20 }}, Normal)
	emit(t, view.Emit, []agent.Event{agent.Turn{N: 1}})
	s.await(t, "waiting for the") // and no more: there is no room
	emit(t, view.Emit, []agent.Event{agent.Text{Text: "Now."}, agent.Proposed{Summary: "run it"}})
	before := s.String()
	if !strings.Contains(before, "\r\x1b[JNow.\n• run it\n") {
		t.Errorf("before the question: %q", before)
	}
	time.Sleep(patience + 2*frame)
	if s.String() != before {
		t.Errorf("drawn while a person may be asked: %q", s.String())
	}
	emit(t, view.Emit, []agent.Event{
		agent.Decided{Decision: approval.Decision{Verdict: approval.Allow}}, agent.Output{Text: []byte("one\ntwo \x1b[2J\n")},
	})
	s.await(t, "  one\n  two \\x1b[2J\n")
	emit(t, view.Emit, []agent.Event{agent.Done{}})
	if !strings.HasSuffix(s.String(), "\r\x1b[A\x1b[A\x1b[J  one\n  two \\x1b[2J\n") {
		t.Errorf("after it: %q", s.String())
	}
}

// A pause before the model is asked again is counted down, and then it is waited for.
func TestPauseIsCountedDown(t *testing.T) { synctest.Test(t, pauseIsCountedDown) }

func pauseIsCountedDown(t *testing.T) {
	s := &screen{}
	view := NewText(Stream{Writer: &bytes.Buffer{}}, Stream{Writer: s, Terminal: true, Redraws: true, Columns: func() int { return 80 }}, Normal)
	emit(t, view.Emit, []agent.Event{agent.Turn{N: 1}, agent.Text{Text: "Half an"}, agent.Retry{Text: "p: 503; asking again in 1.2s", Millis: 1200, Void: true}})
	s.await(t, " asking again in 2s")
	s.await(t, " asking again in 1s")
	s.await(t, " waiting for the model 0s")
	emit(t, view.Emit, []agent.Event{agent.Said{}, agent.Ended{}})
	if !strings.Contains(s.String(), "p: 503; asking again in 1.2s\n") {
		t.Errorf("%q", s.String())
	}
}

// After the run was stopped, nothing that the shell wrote meanwhile is taken away.
func TestStopped(t *testing.T) { synctest.Test(t, stopped) }

func stopped(t *testing.T) {
	s := &screen{}
	view := NewText(Stream{Writer: &bytes.Buffer{}}, Stream{Writer: s, Terminal: true, Redraws: true, Columns: func() int { return 80 }}, Normal)
	emit(t, view.Emit, []agent.Event{agent.Decided{Decision: approval.Decision{Verdict: approval.Allow}}, agent.Output{Text: []byte("one\ntwo\n")}})
	s.await(t, "running")
	view.waiting.mu.Lock()
	s.Write([]byte("[1]+  Stopped\n"))
	view.waiting.at = time.Now().Add(-time.Minute)
	view.waiting.mu.Unlock()
	s.await(t, "[1]+  Stopped\n  one\n  two\n")
	emit(t, view.Emit, []agent.Event{agent.Done{}})
}

func TestWhatIsShortOrQuietIsNotShown(t *testing.T) { synctest.Test(t, whatIsShortOrQuietIsNotShown) }

func whatIsShortOrQuietIsNotShown(t *testing.T) {
	for _, v := range []Verbosity{Normal, Quiet} {
		s := &screen{}
		view := NewText(Stream{Writer: &bytes.Buffer{}}, Stream{Writer: s, Terminal: true, Redraws: true, Columns: func() int { return 20 }}, v)
		emit(t, view.Emit, []agent.Event{agent.Turn{N: 1}})
		if v == Quiet {
			time.Sleep(patience + 2*frame)
		}
		emit(t, view.Emit, []agent.Event{agent.Said{}, agent.Ended{}})
		if strings.Contains(s.String(), "waiting") {
			t.Errorf("verbosity %d: %q", v, s.String())
		}
	}
}

// A terminal that became narrower has broken the rows.
func TestErasedRows(t *testing.T) {
	for _, tt := range []struct {
		drawn   []int
		columns int
		want    string
	}{
		{nil, 80, ""}, {[]int{5}, 80, "\r\x1b[J"}, {[]int{80, 5}, 80, "\r\x1b[A\x1b[J"}, {[]int{79, 5}, 40, "\r\x1b[A\x1b[A\x1b[J"}, {[]int{0}, 0, "\r\x1b[J"},
	} {
		if got := (&waiting{drawn: tt.drawn}).erased(tt.columns); got != tt.want {
			t.Errorf("erased %v at %d = %q; want %q", tt.drawn, tt.columns, got, tt.want)
		}
	}
}

// The summary, as terminals of three widths show it.
func TestSummaryFits(t *testing.T) {
	e := agent.Ended{Status: 4, Reason: "it needs a person", Millis: 93_000, Tally: agent.Tally{
		Turns: 12, Allowed: 7, Denied: 1, Cost: 0.0312, Hidden: 2, Changed: []string{"internal/server/handlers.go", "internal/server/handlers_test.go", "README.md", "世界.md"},
		Usage: providers.Usage{Input: 120_400, Output: 3_210, Cached: 98_000},
	}}
	for columns, want := range map[int]string{
		40: `tricode: it needs a person
changed: internal/server/handlers.go,
  internal/server/handlers_test.go,
  README.md, 世界.md
7 allowed, 1 denied · 12 turns · 123,610
  tokens (120,400 in, 98,000 of them
  cached, 3,210 out) · $0.0312 ·
  2 secrets hidden · 1m33s
`,
		80: `tricode: it needs a person
changed: internal/server/handlers.go, internal/server/handlers_test.go,
  README.md, 世界.md
7 allowed, 1 denied · 12 turns ·
  123,610 tokens (120,400 in, 98,000 of them cached, 3,210 out) · $0.0312 ·
  2 secrets hidden · 1m33s
`,
		200: `tricode: it needs a person
changed: internal/server/handlers.go, internal/server/handlers_test.go, README.md, 世界.md
7 allowed, 1 denied · 12 turns · 123,610 tokens (120,400 in, 98,000 of them cached, 3,210 out) · $0.0312 · 2 secrets hidden · 1m33s
`,
	} {
		s := &screen{}
		view := NewText(Stream{Writer: &bytes.Buffer{}}, Stream{Writer: s, Terminal: true, Redraws: true, Columns: func() int { return columns }}, Normal)
		if emit(t, view.Emit, []agent.Event{e}); s.String() != want {
			t.Errorf("%d columns:\n%swant\n%s", columns, s.String(), want)
		}
	}
}
