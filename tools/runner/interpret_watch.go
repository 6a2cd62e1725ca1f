package runner

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"time"
)

// watch ends the script when this process holds too much memory: variables and expansions have no bound of their own.
func (s *session) watch(ctx context.Context) (stop func()) {
	var memory runtime.MemStats // and not runtime/metrics, whose tables each start of the program would have to make
	tick := time.NewTicker(20 * time.Millisecond)
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
			}
			if runtime.ReadMemStats(&memory); memory.HeapAlloc > maxMemory {
				s.cancel(fmt.Errorf("%w: it holds more than %d MB", ErrLimit, maxMemory>>20))
			}
		}
	}()
	return func() {
		tick.Stop()
		close(ended)
	}
}

// timer is when a statement under time began, and what programs had used by then.
type timer struct {
	began     time.Time
	user, sys time.Duration
}

// spent adds what a program used.
func (s *session) spent(state *os.ProcessState) {
	if state == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.user += state.UserTime()
	s.sys += state.SystemTime()
}

// clock begins to measure.
func clock(c call) error {
	c.mu.Lock()
	c.timers = append(c.timers, timer{time.Now(), c.user, c.sys})
	c.mu.Unlock()
	return c.before()
}

// elapsed tells how long it took since the last clock, as bash(1) does.
func elapsed(c call) error {
	c.mu.Lock()
	t := timer{time.Now(), c.user, c.sys}
	if last := len(c.timers) - 1; last >= 0 {
		t, c.timers = c.timers[last], c.timers[:last]
	}
	user, sys := c.user-t.user, c.sys-t.sys
	c.mu.Unlock()
	layout, show := "\nreal\t%s\nuser\t%s\nsys\t%s\n", minutes
	if c.name == "elapsed-posix" {
		layout, show = "real %s\nuser %s\nsys %s\n", seconds
	}
	fmt.Fprintf(c.hc.Stderr, layout, show(time.Since(t.began)), show(user), show(sys))
	return c.status()
}

func minutes(d time.Duration) string {
	return fmt.Sprintf("%dm%.3fs", int(d.Minutes()), (d % time.Minute).Seconds())
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f", d.Seconds()) }
