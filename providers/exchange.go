package providers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// exchange is one request and its answer. It is what go-openai takes for its HTTP client, so that both ends are
// ours: the body that is sent, and what the stream reader gets to see.
type exchange struct {
	client   *Client
	body     body
	patience time.Duration // how long the server may be silent
	timer    *time.Timer   // ends the exchange then
	deadline *time.Timer   // ends it in any case
	cancel   context.CancelCauseFunc
}

// How long the server may be silent when the answer is there: before it says that this was all, which is where some
// count tokens, and after that.
const (
	farewellTime = 30 * time.Second
	drainTime    = 200 * time.Millisecond
)

// lateError is the cause that ends an exchange with a server that takes too long.
type lateError struct {
	what  string
	limit time.Duration
	again bool // asking again may help
}

func (e *lateError) Error() string { return fmt.Sprintf("%s %v", e.what, e.limit) }

func isLate(err error) bool {
	var late *lateError
	return errors.As(err, &late)
}

// exchange begins an exchange; its requests must be made with the context that is returned.
func (c *Client) exchange(ctx context.Context, b body) (*exchange, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	x := &exchange{client: c, body: b, patience: c.silence, cancel: cancel}
	x.timer = time.AfterFunc(c.silence, func() { cancel(&lateError{"sent nothing for", c.silence, true}) })
	limit := cmp.Or(time.Duration(c.config.Timeout), DefaultTimeout)
	x.deadline = time.AfterFunc(limit, func() { cancel(&lateError{"was not done after", limit, false}) })
	return x, ctx
}

// hurry lets the server be silent for less time from now on.
func (x *exchange) hurry(patience time.Duration) {
	x.patience = min(x.patience, patience)
	x.timer.Reset(x.patience)
}

func (x *exchange) end() {
	x.timer.Stop()
	x.deadline.Stop()
	x.cancel(nil)
}

// Do sends the request with the exchange's own body instead of the one it has.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	req.Body = io.NopCloser(x.body.reader())
	req.ContentLength = x.body.size()
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(x.body.reader()), nil }
	resp, err := x.send(req)
	if err != nil {
		return nil, err
	}
	resp.Body = &framer{
		body:  resp.Body,
		alive: func() { x.timer.Reset(x.patience) },
		drain: func() { x.hurry(drainTime) },
	}
	return resp, nil
}

// get returns what is at a path below the base URL.
func (x *exchange) get(ctx context.Context, path string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, x.client.base.JoinPath(path).String(), nil)
	if err != nil {
		return nil, err
	}
	resp, err := x.send(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(io.LimitReader(resp.Body, maxLine))
}

// send adds what the configuration wants to a request and returns the answer if it is a good one.
func (x *exchange) send(req *http.Request) (*http.Response, error) {
	c := x.client
	req.URL.RawQuery, req.URL.User = c.base.RawQuery, c.base.User
	req.Header.Set("User-Agent", "tricode")
	if c.UserAgent != "" {
		req.Header.Set("User-Agent", c.UserAgent)
	}
	if key := c.key.now(); key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	for name, value := range c.config.Headers {
		req.Header.Set(name, value)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	x.timer.Reset(x.patience)
	if resp.StatusCode/100 == 2 {
		c.reached.Store(true)
		return resp, nil
	}
	defer resp.Body.Close()
	return nil, c.refused(resp)
}
