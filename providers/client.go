package providers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

// Client asks one model of one server. It is safe for concurrent use, and quickest with one conversation that grows.
type Client struct {
	// UserAgent is what the client calls itself; "tricode" if empty.
	UserAgent string

	config  Config
	key     key
	base    *url.URL
	http    *http.Client
	encoder encoder
	silence time.Duration // how long a server may send nothing
	pause   time.Duration // before the second try
	longest time.Duration // how long the server may ask to wait
	reached atomic.Bool   // it answered once
	window  window
}

// New makes a client; nothing is sent yet. The key is c.Key alone, see Config.Resolve; without one no
// Authorization is sent. One that KeyCommand printed is renewed by it, once for a request that is refused for it.
func New(c Config) (*Client, error) {
	base, err := c.base()
	if err != nil {
		return nil, err
	}
	settings, err := c.settings()
	if err != nil {
		return nil, err
	}
	knowsTools := c.Chosen().SupportsTools
	transport, err := c.transport(base.Scheme)
	if err != nil {
		return nil, err
	}
	return &Client{
		config:  c,
		key:     key{value: c.Key, again: c.newKey},
		base:    base,
		http:    &http.Client{Transport: transport, CheckRedirect: sameOrigin},
		encoder: encoder{provider: c.Name, model: c.Model, settings: settings, speaks: knowsTools != nil && !*knowsTools},
		silence: cmp.Or(time.Duration(c.StallTimeout), DefaultStallTimeout),
		pause:   500 * time.Millisecond,
		longest: maxWait,
	}, nil
}

// Close lets go of idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Complete asks for the next message of a conversation. onText, which may be nil, gets the text while it arrives, in
// pieces that together are the message's (of which it has the first MaxText bytes), those before a Retry that makes them
// void left out; an error of onText ends the answer and is returned. What a server or the network does wrong is an *Error;
// then the message has the text that had arrived. Where asking again may help that is done first, and req.OnRetry told.
func (c *Client) Complete(ctx context.Context, req Request, onText func(string) error) (Message, error) {
	if c.config.Model == "" {
		return Message{}, fmt.Errorf("provider %q has no model", c.config.Name)
	}
	var m Message
	err := c.retry(ctx, req.OnRetry, func() (void bool, err error) {
		m, err = c.attempt(ctx, req, &answer{onText: onText})
		return onText != nil && m.Text != "", err
	})
	return m, err
}

// attempt makes one request and reads its answer into a.
func (c *Client) attempt(ctx context.Context, req Request, a *answer) (Message, error) {
	body, err := c.encoder.encode(req)
	if err != nil {
		return Message{}, fmt.Errorf("the conversation cannot be encoded: %w", err)
	}
	x, ctx := c.exchange(ctx, body)
	defer x.end()
	if body.spoken {
		a.spoken = new(listener)
	}
	if err := x.stream(ctx, a); err != nil {
		return Message{Role: Assistant, Text: a.text.String()}, c.explain(ctx, err, a.started)
	}
	m := a.message(len(req.Messages))
	m.Provider, m.Model = c.config.Name, c.config.Model
	if m.Text == "" && len(m.Calls) == 0 {
		err := &Error{Provider: c.config.Name, Message: "gave an empty answer", unclear: m.Finish == "" || m.Finish == "stop"}
		if m.Finish != "" && m.Finish != "stop" {
			err.Message = oneLine(err.Message + " (finish_reason " + m.Finish + ")")
		}
		return m, err
	}
	return m, nil
}

// stream sends the request and reads the answer into a.
func (x *exchange) stream(ctx context.Context, a *answer) error {
	config := openai.DefaultConfig("")
	config.BaseURL = x.client.base.Scheme + "://" + x.client.base.Host + x.client.base.EscapedPath()
	config.HTTPClient = x
	// go-openai refuses some models by their name, so it is not told; the exchange has the real request.
	stream, err := openai.NewClientWithConfig(config).CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{Model: "-"})
	if err != nil {
		return err
	}
	defer stream.Close()
	for {
		line, err := stream.RecvRaw()
		switch {
		case err == io.EOF:
			return a.end()
		case err != nil && a.finish != "" && (ctx.Err() == nil || isLate(context.Cause(ctx))):
			return a.end() // only the farewell is missing
		case err != nil:
			return err
		}
		if err := a.batch(line); err != nil {
			return err
		}
		if a.finish != "" {
			x.hurry(farewellTime)
		}
	}
}

// explain turns whatever went wrong into the error that Complete returns.
func (c *Client) explain(ctx context.Context, err error, started bool) error {
	var (
		listener *listenerError
		server   *serverError
		known    *Error
	)
	switch cause := context.Cause(ctx); {
	case errors.As(err, &listener):
		return listener.error
	case isLate(cause):
		return &Error{Provider: c.config.Name, Message: cause.Error(), MidStream: started, Err: cause}
	case cause != nil:
		return cause
	case errors.As(err, &known):
		return known
	case errors.As(err, &server):
		e := c.failure(0, server.raw)
		e.MidStream, e.unclear = started, !strings.HasPrefix(e.Message, webPage)
		return e
	}
	return c.broken(err, started)
}
