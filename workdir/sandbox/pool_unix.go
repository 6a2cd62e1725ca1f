//go:build unix

package sandbox

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
)

// helpers are those of a Box that wait.
type helpers struct {
	warm     [kinds]*helper
	spent    *helper           // the last one whose job has ended
	starting [kinds]sync.Mutex // held while one is looked for or started, never while one is waited for
	holds    [kinds]Mechanisms // what boxes can be held by, as the person was told
	spaces   atomic.Int32      // whether the system gives helpers namespaces: 0 if that is not known, 1 yes, -1 no
	crowded  atomic.Bool       // a namespace of processes is no use here
}

// dismiss ends the helpers that wait.
func (b *Box) dismiss() {
	for i, h := range b.warm {
		if h != nil {
			h.end()
			b.warm[i] = nil
		}
	}
	if b.spent != nil {
		b.spent.end()
		b.spent = nil
	}
}

// spend takes the place of the last helper whose job has ended, which is ended only now: that takes the processors half a
// millisecond, and it is better taken while nobody waits. The next one may be nil.
func (b *Box) spend(next *helper) {
	b.mu.Lock()
	last := b.spent
	if b.spent = next; b.closed && next != nil {
		b.spent = nil
		next.end()
	}
	b.mu.Unlock()
	if last != nil {
		last.end()
	}
}

// waiting takes up the helper that waits for a command with such limits; nil if there is none.
func (b *Box) waiting(l *Limits) *helper {
	if l != nil && l.Without != 0 {
		return nil
	}
	kind := kindOf(l)
	b.mu.Lock()
	h := b.warm[kind]
	b.warm[kind] = nil
	b.mu.Unlock()
	if h != nil && !h.alive() {
		h.end()
		return nil
	}
	return h
}

// spare returns a helper that only has to say what its box can be held by: one that waits, whatever its box is, or a new one.
func (b *Box) spare(l *Limits) (*helper, error) {
	if h := b.waiting(l); h != nil {
		return h, nil
	}
	return b.newHelper(kindOf(l), l)
}

// closing returns a helper that was told to close the box e: one that waits, if it has no other box, or a new one.
func (b *Box) closing(l *Limits, e enclosure, wait bool) (h *helper, err error) {
	h = b.waiting(l)
	if h != nil && h.told != nil && !reflect.DeepEqual(h.closes, e) {
		h.end()
		h = nil
	}
	if h == nil {
		if h, err = b.newHelper(kindOf(l), l); err != nil {
			return nil, err
		}
	}
	h.enclose(e, wait) // it reads that as soon as it has started
	return h, nil
}

// keep lets a helper wait for the next command with such limits. One of them is enough.
func (b *Box) keep(h *helper, l *Limits) {
	kind := kindOf(l)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || b.warm[kind] != nil || !waits(l) || l != nil && l.Without != 0 {
		h.end()
		return
	}
	h.waited, b.warm[kind] = true, h
}

// Warm starts a helper that closes its box and waits for the next command with these limits, unless one does already. It
// returns at once.
func (b *Box) Warm(l *Limits) {
	if !waits(l) {
		return
	}
	go func() {
		b.spend(nil)
		e := b.enclosure(l)
		starting := &b.starting[kindOf(l)] // a command that comes before it is ready waits for it
		starting.Lock()
		defer starting.Unlock()
		if h, err := b.closing(l, e, true); err == nil { // otherwise whoever needs one is told
			b.keep(h, l)
			reclaim()
		}
	}()
}

// enclosure is the box with such limits, as it is told a helper: what is not there now is no part of it.
func (b *Box) enclosure(l *Limits) enclosure {
	e := enclosure{Dir: b.Dir, Temp: b.Temp()}
	if l != nil {
		now := *l
		if len(now.Sockets) > 0 {
			now.Hide = slices.Concat(now.Hide, otherSockets(now.Sockets))
		}
		for _, paths := range [...]*[]string{&now.Write, &now.Protect, &now.Hide, &now.Sockets} {
			*paths = slices.DeleteFunc(slices.Clone(*paths), func(path string) bool {
				file, ok := standing(path)
				e.Files = append(e.Files, file)
				return !ok
			})
		}
		e.Limits = &now
	}
	return e
}

// ready returns a helper whose box can be held by what is needed. Pick finds one or starts it.
func (b *Box) ready(ctx context.Context, l *Limits, pick func() (*helper, error)) (*helper, error) {
	for {
		h, err := b.greeted(ctx, l, pick)
		if err != nil {
			return nil, err
		}
		err = b.steady(h, l)
		if err == nil && l != nil && l.Overlay != "" && !(h.held &^ l.Without).Has(Mounts) {
			err = ErrNoOverlay // what would be written would really be
		}
		if err == nil && !h.lost.Has(Processes) {
			return h, nil
		}
		h.end()
		if err != nil {
			return nil, err
		}
		b.crowded.Store(true) // the next one does without
	}
}

// greeted returns a helper that has said what its box can be held by.
func (b *Box) greeted(ctx context.Context, l *Limits, pick func() (*helper, error)) (*helper, error) {
	for {
		b.starting[kindOf(l)].Lock()
		h, err := pick()
		b.starting[kindOf(l)].Unlock()
		if err != nil {
			return nil, err
		}
		if err = h.await(ctx); err == nil {
			return h, nil
		}
		h.end()
		if !h.waited || ctx.Err() != nil { // another one may become what one that was kept too early did not
			return nil, err
		}
	}
}

// steady refuses a helper if less would hold its box than held those before: what the person was
// told stays true.
func (b *Box) steady(h *helper, l *Limits) error {
	if l == nil || l.Without != 0 {
		return nil
	}
	kind := kindOf(l)
	b.mu.Lock()
	defer b.mu.Unlock()
	if lost := b.holds[kind] &^ h.held; lost != 0 {
		return fmt.Errorf("the box is not as it was: the system no longer gives it %v", lost)
	}
	b.holds[kind] = h.held
	return nil
}

// Holds returns what boxes with such limits are held by here. It starts a helper if none was started yet, and waits for it until ctx is
// done.
func (b *Box) Holds(ctx context.Context, l *Limits) (Mechanisms, error) {
	if l == nil {
		return 0, nil
	}
	b.mu.Lock()
	held := b.holds[kindOf(l)]
	b.mu.Unlock()
	if held != 0 && l.Without == 0 {
		return held, nil
	}
	h, err := b.ready(ctx, l, func() (*helper, error) { return b.spare(l) })
	if err != nil {
		return 0, err
	}
	b.keep(h, l)
	return h.held &^ l.Without, nil
}
