//go:build unix

package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// helpers are those of a Box that wait.
type helpers struct {
	warm     [kinds]*helper
	starting [kinds]sync.Mutex // held while one is looked for or started
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
}

// take returns a helper for a box with the given limits: one that waits, or a new one.
func (b *Box) take(l *Limits, closes []byte) (*helper, error) {
	kind := kindOf(l)
	b.starting[kind].Lock()
	defer b.starting[kind].Unlock()
	b.mu.Lock()
	h := b.warm[kind]
	if l == nil || l.Without == 0 {
		b.warm[kind] = nil
	} else {
		h = nil
	}
	b.mu.Unlock()
	switch {
	case h == nil || !h.alive():
	case h.closes == nil || bytes.Equal(h.closes, closes):
		return h, nil
	default: // its box is another one
		h.end()
	}
	return b.newHelper(kind, l)
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
	b.warm[kind] = h
}

// Warm starts a helper that closes its box and waits for the next command with these limits, unless one does already. It
// returns at once.
func (b *Box) Warm(l *Limits) {
	if !waits(l) {
		return
	}
	go func() {
		e := b.enclosure(l)
		h, err := b.ready(context.Background(), l, e)
		switch {
		case err != nil: // whoever needs one is told
		case h.enclose(e, true) != nil:
			h.end()
		default:
			b.keep(h, l)
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

// ready returns a helper that has said what its box can be held by.
func (b *Box) ready(ctx context.Context, l *Limits, e enclosure) (*helper, error) {
	for {
		h, err := b.take(l, e.text())
		if err != nil {
			return nil, err
		}
		err = h.await(ctx)
		if err == nil {
			err = b.steady(h, l)
		}
		if err == nil && l != nil && l.Overlay != "" && !(h.held &^ l.Without).Has(Mounts) {
			err = ErrNoOverlay // what would be written would really be
		}
		if err == nil && (!h.lost.Has(Processes) || b.crowded.Swap(true)) {
			return h, nil
		}
		h.end()
		if err != nil {
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

// Holds returns what boxes with such limits are held by here. It starts a helper if none was started yet.
func (b *Box) Holds(l *Limits) (Mechanisms, error) {
	if l == nil {
		return 0, nil
	}
	b.mu.Lock()
	held := b.holds[kindOf(l)]
	b.mu.Unlock()
	if held != 0 && l.Without == 0 {
		return held, nil
	}
	h, err := b.ready(context.Background(), l, b.enclosure(l))
	if err != nil {
		return 0, err
	}
	b.keep(h, l)
	return h.held &^ l.Without, nil
}
