package sandbox

import (
	"context"
	"errors"
	"io"
	"time"
)

// Terminals tells whether programs can be started behind a terminal here.
const Terminals = false

// Terminal is a program behind a terminal of its own, of which there is none here.
type Terminal struct{}

// Start returns an error.
func (b *Box) Start(context.Context, Cmd) (*Terminal, error) {
	return nil, errors.New("there are no terminals for programs on this system")
}

// Read returns io.EOF.
func (t *Terminal) Read([]byte) (int, error) { return 0, io.EOF }

// Type returns an error.
func (t *Terminal) Type([]byte, time.Duration) (int, error) { return 0, errors.ErrUnsupported }

// Foreground returns false.
func (t *Terminal) Foreground() bool { return false }

// Done returns nil.
func (t *Terminal) Done() <-chan struct{} { return nil }

// Status returns 0.
func (t *Terminal) Status() int { return 0 }

// Close does nothing.
func (t *Terminal) Close() error { return nil }
