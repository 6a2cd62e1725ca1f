package providers

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
)

// key is what a client shows to its server. One that a program printed may end while a run goes on.
type key struct {
	mu    sync.Mutex
	value string
	past  []string                              // which it was before
	again func(context.Context) (string, error) // prints another one; nil: there is no other
}

func (k *key) now() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.value
}

// all are this key and those before it.
func (k *key) all() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append(slices.Clip(k.past), k.value)
}

// renew gets another key in the place of one that was refused. It reports whether there is one now.
func (k *key) renew(ctx context.Context, refused string) (bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.value != refused { // another request was refused as well, and came first
		return true, nil
	}
	if k.again == nil {
		return false, nil
	}
	value, err := k.again(ctx)
	if err != nil || value == refused {
		return false, err
	}
	k.past, k.value = append(k.past, refused), value
	return true, nil
}

// renewKey gets another key if a request was refused for the one it showed. It reports whether to ask again.
func (c *Client) renewKey(ctx context.Context, e *Error, shown string) bool {
	if e.Status != http.StatusUnauthorized || e.MidStream {
		return false
	}
	renewed, err := c.key.renew(ctx, shown)
	if err != nil {
		e.Message = oneLine(fmt.Sprintf("%s; there is no other key: %v", e.Message, err))
	}
	return renewed
}
