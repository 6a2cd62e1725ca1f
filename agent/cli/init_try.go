package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"tricode/approval/plain"
	"tricode/providers"
)

// How long a server has to list its models, and to answer for the first time: it may have to load one.
const (
	listTime   = 20 * time.Second
	answerTime = 2 * time.Minute
)

// try asks for the model and has it answer once. failed is what the server or the way to it did wrong; err is that the
// person left.
func (s *setup) try(ctx context.Context, chosen preset, p *providers.Config) (failed, err error) {
	with := *p
	if with.KeyEnv != "" {
		with.Key = strings.TrimSpace(s.env(with.KeyEnv))
	}
	var names []string
	if !chosen.unlisted {
		stop := s.waiting("waiting for the server")
		names, failed = listModels(ctx, with)
		if stop(); refusesKey(failed) || cannotConnect(failed) {
			return failed, contextError(ctx)
		}
		if failed != nil && ctx.Err() == nil {
			s.say("The server does not list its models (%s).", plain.Line(failed.Error()))
		}
	}
	if p.Model, err = s.model(ctx, names, p.Model); err != nil {
		return nil, err
	}
	with.Model = p.Model
	s.say("Trying %s …", plain.Line(p.Model))
	failed = s.answer(ctx, with)
	return failed, contextError(ctx)
}

// contextError is why the run has to end, if it has to.
func contextError(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return context.Cause(ctx)
}

func refusesKey(err error) bool {
	var e *providers.Error
	return errors.As(err, &e) && (e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden)
}

// cannotConnect reports whether there was no answer at all.
func cannotConnect(err error) bool {
	var e *providers.Error
	return err != nil && (!errors.As(err, &e) || e.Err != nil && e.Status == 0)
}

func listModels(ctx context.Context, p providers.Config) ([]string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, listTime, fmt.Errorf("%s: no answer within %v", p.Name, listTime))
	defer cancel()
	client, err := providers.New(p)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	return client.Models(ctx)
}

// answer has the model answer once. A tool is offered, as a model that takes none is of no use here.
func (s *setup) answer(ctx context.Context, p providers.Config) error {
	ctx, cancel := context.WithTimeoutCause(ctx, answerTime, fmt.Errorf("%s: no answer within %v", p.Name, answerTime))
	defer cancel()
	client, err := providers.New(p)
	if err != nil {
		return err
	}
	defer client.Close()
	stop := s.waiting(forModel)
	defer func() { stop() }()
	_, err = client.Complete(ctx, providers.Request{
		Messages: []providers.Message{{Role: providers.User, Text: "Say ok."}},
		Tools:    []providers.Tool{{Name: "ok", Description: "Says ok.", Schema: []byte(`{"type":"object","properties":{}}`)}},
		OnRetry: func(r providers.Retry) error {
			stop()
			s.say("%s", plain.Line(r.String()))
			stop = s.waiting(forModel)
			return nil
		},
	}, nil)
	return err
}

// maxListed is how many models are shown without being looked for.
const maxListed = 20

// model lets the person choose one of the models that the server lists, or name one where it lists none.
func (s *setup) model(ctx context.Context, names []string, before string) (string, error) {
	if len(names) == 0 {
		return s.modelByName(ctx, before)
	}
	shown, otherwise := names, before
	if len(names) == 1 {
		otherwise = names[0]
	}
	if len(names) > maxListed {
		s.say("The server has %d models; a part of a name lists those that have it.", len(names))
		shown = nil
	}
	for {
		s.list(shown)
		answer, err := s.person.Line(ctx, "Model", otherwise)
		switch {
		case err != nil:
			return "", err
		case answer == "":
			continue
		case slices.Contains(names, answer):
			return answer, nil
		}
		if n, err := strconv.Atoi(answer); err == nil && n >= 1 && n <= len(shown) {
			return shown[n-1], nil
		}
		matches := containing(names, answer)
		if len(matches) > 0 {
			shown, otherwise = matches, ""
			if len(matches) == 1 {
				otherwise = matches[0]
			}
			continue
		}
		if yes, err := s.yes(ctx, "The server does not list that one. Use it anyway?", false); err != nil || yes {
			return answer, err
		}
	}
}

// list shows models with numbers, as far as there is room.
func (s *setup) list(names []string) {
	for i, name := range names[:min(len(names), maxListed)] {
		s.say("%4d  %s", i+1, plain.Line(name))
	}
	if more := len(names) - maxListed; more > 0 {
		s.say("      and %d more", more)
	}
}

func containing(names []string, part string) []string {
	var matches []string
	for _, name := range names {
		if strings.Contains(strings.ToLower(name), strings.ToLower(part)) {
			matches = append(matches, name)
		}
	}
	return matches
}

func (s *setup) modelByName(ctx context.Context, before string) (string, error) {
	for {
		answer, err := s.person.Line(ctx, "Model, by the name that the provider gives it", before)
		if err != nil || answer != "" {
			return answer, err
		}
	}
}

// modelUntried asks for the model of a server that could not be asked for its own.
func (s *setup) modelUntried(ctx context.Context, p *providers.Config) (err error) {
	if p.Model == "" {
		p.Model, err = s.modelByName(ctx, "")
	}
	return err
}
