package agent

import (
	"context"
	"errors"

	"tricode/approval"
	"tricode/providers"
)

// turn asks the model for its next message.
func (a *Agent) turn(ctx context.Context, n int, c *conversation) (providers.Message, error) {
	if ctx.Err() != nil {
		return providers.Message{}, context.Cause(ctx)
	}
	if err := a.emit(Turn{N: n}); err != nil {
		return providers.Message{}, err
	}
	m, heard, err := a.ask(ctx, c)
	var broken *approval.RecordError
	var model *ModelError
	switch {
	case ctx.Err() != nil:
		return m, context.Cause(ctx)
	case errors.As(err, &broken), errors.As(err, &model):
		return m, err
	case err != nil:
		return m, &ModelError{err}
	}
	c.taken(m)
	said := Said{Message: m, Cost: a.spend(c, m)}
	if err := heard.end(&said); err != nil {
		return m, err
	}
	m = said.Message
	c.add(m)
	if err := a.emit(said); err != nil {
		return m, err
	}
	switch m.Finish {
	case "length":
		return m, a.emit(Notice{Text: "the model's answer was cut off at its length limit"})
	case "content_filter":
		return m, a.emit(Notice{Text: "the model's answer was cut off by the provider's content filter"})
	}
	return m, nil
}

// maxFits is how often a conversation is made shorter because the model did not take it.
const maxFits = 4

// ask sends the conversation, as short as it has to be.
func (a *Agent) ask(ctx context.Context, c *conversation) (providers.Message, *speech, error) {
	if err := a.fit(ctx, c); err != nil {
		return providers.Message{}, nil, err
	}
	for try := 1; ; try++ {
		heard := &speech{agent: a}
		m, err := a.Model.Complete(ctx, a.request(c.messages, c, heard), heard.hear)
		if err == nil {
			return m, heard, nil
		}
		heard.forget()
		if try == maxFits || !c.refused(err) {
			return m, nil, err
		}
		before := c.meter.weight
		if failed := a.makeRoom(ctx, c); failed != nil {
			return m, nil, failed
		}
		if c.meter.weight == before {
			return m, nil, err
		}
	}
}

// request is a request whose answer is heard.
func (a *Agent) request(messages []providers.Message, c *conversation, heard *speech) providers.Request {
	return providers.Request{
		Messages: messages, Tools: c.tools,
		OnRetry: func(r providers.Retry) error {
			if r.Void {
				heard.forget()
			}
			return a.emit(Retry{Text: r.String(), Millis: r.Wait.Milliseconds(), Void: r.Void})
		},
	}
}

// spend counts a message of the model and returns what it cost. What the server does not count is estimated, for the
// limits alone.
func (a *Agent) spend(c *conversation, m providers.Message) (cost float64) {
	if a.Price != nil {
		cost = a.Price(m)
	}
	u := m.Usage
	if u == (providers.Usage{}) {
		u = providers.Usage{Input: c.meter.tokens(), Output: weigh(m)}
	}
	a.spent.Input += u.Input
	a.spent.Output += u.Output
	a.spent.Cost += cost
	return cost
}
