package providers

import (
	"context"
	"errors"
	"sync"
)

// Chain asks one provider and, while that is down, the others of a list. It stays with the one that answered last. It
// is safe for concurrent use.
type Chain struct {
	mu    sync.Mutex
	links []Link
	made  []*Client // nil where it was not needed yet
	at    int       // whose turn it is
}

// Link is a provider of a Chain. Open makes its client when it is needed, which may be never.
type Link struct {
	Name string
	Open func(context.Context) (*Client, error)
}

// NewChain makes a chain that begins with a client.
func NewChain(first *Client, others ...Link) *Chain {
	first.longest = chainWait
	return &Chain{
		links: append([]Link{{Name: first.config.Name}}, others...),
		made:  append([]*Client{first}, make([]*Client, len(others))...),
	}
}

// Complete asks for the next message, as Client.Complete does. A provider that stays down is passed over for the next
// one, which req.OnRetry is told, until each was asked once; the error is that of the last.
func (c *Chain) Complete(ctx context.Context, req Request, onText func(string) error) (Message, error) {
	c.mu.Lock()
	at := c.at
	c.mu.Unlock()
	for asked := 1; ; asked++ {
		m, err := c.ask(ctx, at, req, onText)
		var e *Error
		if err == nil || asked == len(c.links) || ctx.Err() != nil || !errors.As(err, &e) || !e.down() {
			return m, err
		}
		at = (at + 1) % len(c.links)
		if err := tell(req.OnRetry, Retry{Err: err, Next: c.links[at].Name, Void: onText != nil && m.Text != ""}); err != nil {
			return m, err
		}
		c.mu.Lock()
		c.at = at
		c.mu.Unlock()
	}
}

func (c *Chain) ask(ctx context.Context, at int, req Request, onText func(string) error) (Message, error) {
	client, err := c.client(ctx, at)
	if err != nil {
		return Message{}, &Error{Provider: c.links[at].Name, Message: oneLine(err.Error()), Err: &openError{err}}
	}
	return client.Complete(ctx, req, onText)
}

// openError says that there is no client of a provider.
type openError struct{ error }

func (e *openError) Unwrap() error { return e.error }

// Window is how many tokens the model of the provider takes whose turn it is, see Client.Window.
func (c *Chain) Window(ctx context.Context, tokens int) int {
	c.mu.Lock()
	client := c.made[c.at]
	c.mu.Unlock()
	if client == nil {
		return 0
	}
	return client.Window(ctx, tokens)
}

// client makes a client where there is none yet.
func (c *Chain) client(ctx context.Context, at int) (*Client, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made[at] == nil {
		client, err := c.links[at].Open(ctx)
		if err != nil {
			return nil, err
		}
		client.longest = chainWait
		c.made[at] = client
	}
	return c.made[at], nil
}

// Close lets go of idle connections.
func (c *Chain) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, client := range c.made {
		if client != nil {
			client.Close()
		}
	}
}
