package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"tricode/agent"
	"tricode/agent/config"
	"tricode/approval"
	"tricode/approval/plain"
	"tricode/providers"
)

// prompter asks the person for a line of text; Enter alone is the value otherwise. A secret is not shown.
type prompter interface {
	Line(ctx context.Context, prompt, otherwise string) (string, error)
	Secret(ctx context.Context, prompt string) (string, error)
}

// setup sets a provider up with a person.
type setup struct {
	paths   config.Paths
	env     func(string) string
	out     io.Writer // where the person reads
	presets []preset
	person  prompter
	waiting func(what string) (stop func()) // shows what is waited for
}

// runInit asks for provider, key and model, tries them and writes the configuration. person is nil if there is no
// terminal. Nothing is written before everything is answered.
func runInit(ctx context.Context, person prompter, s setup) error {
	if person == nil {
		return &noTerminalError{s.paths}
	}
	s.person = person
	err := s.run(ctx)
	if errors.Is(err, approval.ErrNobody) {
		return &noTerminalError{s.paths}
	}
	return err
}

func (s *setup) run(ctx context.Context) error {
	if goOn, err := s.mayReplace(ctx); err != nil || !goOn {
		return err
	}
	chosen, err := s.provider(ctx)
	if err != nil {
		return err
	}
	p, err := s.connection(ctx, chosen)
	if err != nil {
		return err
	}
	return s.save(p)
}

// say prints a line; what servers and files brought is safe in it already.
func (s *setup) say(format string, args ...any) {
	fmt.Fprintf(s.out, format+"\n", args...)
}

// provider lets the person choose one of the presets, by number or by name.
func (s *setup) provider(ctx context.Context) (preset, error) {
	list := offers(ctx, s.presets, s.env)
	s.say("Where does the model run?\n")
	for i, o := range list {
		text := o.title
		switch {
		case o.answers:
			text += ", on this machine: it answers at " + o.baseURL
		case o.local:
			text += ", on this machine"
		case o.hasKey:
			text += " (" + o.keyEnv + " is set)"
		}
		s.say("%4d  %-11s %s", i+1, o.name, text)
	}
	s.say("")
	otherwise := ""
	if list[0].rank() > 0 {
		otherwise = "1"
	}
	for {
		answer, err := s.person.Line(ctx, "Number or name", otherwise)
		if err != nil {
			return preset{}, err
		}
		for i, o := range list {
			if answer == strconv.Itoa(i+1) || strings.EqualFold(answer, o.name) {
				return o.preset, nil
			}
		}
		s.say("That is none of them.")
	}
}

// connection asks for all that a provider needs until it works, or the person does not mind that it does not.
func (s *setup) connection(ctx context.Context, chosen preset) (providers.Config, error) {
	p := providers.Config{Name: chosen.name, BaseURL: chosen.baseURL}
	wantsKey := !chosen.local
	for {
		if err := s.questions(ctx, chosen, &p, wantsKey); err != nil {
			return p, err
		}
		failed, err := s.try(ctx, chosen, &p)
		if err != nil || failed == nil {
			return p, err
		}
		s.say("%s", plain.Line(failed.Error()))
		answer, err := s.oneOf(ctx, "1 - try again, 2 - save it anyway, 3 - stop", "1", "1", "2", "3")
		switch {
		case err != nil:
			return p, err
		case answer == "2":
			return p, s.modelUntried(ctx, &p)
		case answer == "3":
			return p, &agent.ModelError{Err: failed}
		}
		wantsKey = wantsKey || refusesKey(failed)
	}
}

// questions asks for what must be known before the server can be talked to.
func (s *setup) questions(ctx context.Context, chosen preset, p *providers.Config, wantsKey bool) error {
	for chosen.baseURL == "" {
		url, err := s.person.Line(ctx, "Base URL, what stands before /chat/completions", p.BaseURL)
		if err != nil {
			return err
		}
		before := p.BaseURL
		p.BaseURL = url
		client, err := providers.New(*p)
		if err == nil {
			client.Close()
			break
		}
		p.BaseURL = before
		s.say("%s", plain.Line(err.Error()))
	}
	if !wantsKey {
		return nil
	}
	return s.key(ctx, chosen, p)
}

// key asks for the key, or for leave to use the one in the environment.
func (s *setup) key(ctx context.Context, chosen preset, p *providers.Config) error {
	p.Key, p.KeyEnv = "", ""
	if chosen.keyEnv != "" && strings.TrimSpace(s.env(chosen.keyEnv)) != "" {
		yes, err := s.yes(ctx, chosen.keyEnv+" is set. Use it, and store no key?", true)
		if err != nil {
			return err
		}
		if yes {
			p.KeyEnv = chosen.keyEnv
			return nil
		}
	}
	prompt := "Key, not shown; Enter for none"
	if chosen.keyPage != "" {
		prompt = "Key, not shown, from " + chosen.keyPage
	}
	for {
		key, err := s.person.Secret(ctx, prompt)
		switch {
		case err != nil:
			return err
		case key == "" && chosen.keyPage != "":
			s.say("%s needs a key; Ctrl-C leaves.", chosen.title)
		case strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
			s.say("That is no key: it has blanks or other characters in it that no key has.")
		default:
			p.Key = key
			return nil
		}
	}
}

// yes asks a question that Enter alone answers too.
func (s *setup) yes(ctx context.Context, question string, otherwise bool) (bool, error) {
	usual := "n"
	if otherwise {
		usual = "y"
	}
	answer, err := s.oneOf(ctx, question+" y/n", usual, "y", "n", "yes", "no")
	return strings.HasPrefix(answer, "y"), err
}

// oneOf asks until the answer is one of the words; otherwise is the one that Enter alone stands for.
func (s *setup) oneOf(ctx context.Context, question, otherwise string, words ...string) (string, error) {
	for {
		answer, err := s.person.Line(ctx, question, otherwise)
		if answer = strings.ToLower(answer); err != nil || slices.Contains(words, answer) {
			return answer, err
		}
	}
}
