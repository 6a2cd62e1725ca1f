package cli

import (
	"crypto/tls"
	"errors"
	"fmt"
	"strings"

	"tricode/agent"
	"tricode/agent/config"
	"tricode/approval"
	"tricode/approval/ask"
	"tricode/providers"
)

// The exit statuses, as the documentation lists them.
const (
	statusDone     = 0
	statusDenied   = 1 // at the question
	statusUsage    = 2
	statusPolicy   = 3
	statusNobody   = 4
	statusProvider = 5
	statusLimit    = 6
	statusSandbox  = 7
	statusBroken   = 8

	statusInterrupted = 130
)

// usageError is a mistake on the command line or in the configuration.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

// hintedError is an error with what to type to get further.
type hintedError struct {
	error
	hint string
}

func (e *hintedError) Unwrap() error { return e.error }

func hinted(err error, hint string) error { return &hintedError{err, hint} }

// strictError says that a run went well but for denied calls, and --strict was given.
type strictError struct{ denied int }

func (e *strictError) Error() string { return fmt.Sprintf("--strict: %d denied", e.denied) }

// stateError says that there is no place for what a run keeps.
type stateError struct{ error }

func (e *stateError) Unwrap() error { return e.error }

// statusOf is the exit status that an error stands for. What is not known here is tricode's own fault.
func statusOf(err error) int {
	var (
		interrupted Interruption
		denied      *approval.Denied
		strict      *strictError
		model       *agent.ModelError
		limit       *agent.LimitError
		unheld      *sandboxError
		unmanned    noPersonError
	)
	switch {
	case err == nil:
		return statusDone
	case errors.As(err, &interrupted):
		return interrupted.Status()
	case errors.Is(err, ask.ErrInterrupted):
		return statusInterrupted
	case errors.As(err, &denied):
		return statusOfDenial(denied)
	case errors.As(err, &strict):
		return statusPolicy
	case errors.As(err, &unmanned):
		return statusNobody
	case errors.As(err, &model):
		return statusProvider
	case errors.As(err, &limit):
		return statusLimit
	case errors.As(err, &unheld):
		return statusSandbox
	case isMistake(err):
		return statusUsage
	}
	return statusBroken
}

// isMistake reports whether the person has to mend the command line or the configuration.
func isMistake(err error) bool {
	var (
		usage    *usageError
		file     *config.Error
		provider *config.ProviderError
		model    *config.ModelError
		key      *providers.KeyError
		nobody   *noTerminalError
	)
	return errors.Is(err, config.ErrNoProvider) || errors.Is(err, errTrustTerminal) || errors.As(err, &usage) || errors.As(err, &file) ||
		errors.As(err, &provider) || errors.As(err, &model) || errors.As(err, &key) || errors.As(err, &nobody)
}

func statusOfDenial(d *approval.Denied) int {
	switch d.By {
	case approval.ByPerson:
		return statusDenied
	case approval.ByNobody:
		return statusNobody
	}
	return statusPolicy
}

// reasonFor is the line that says why a run ended with err.
func reasonFor(err error) string {
	var denied *approval.Denied
	if !errors.As(err, &denied) {
		return err.Error()
	}
	switch denied.By {
	case approval.ByPerson:
		return "denied, the run is ended: " + denied.Summary
	case approval.ByRepeat:
		return "ended, because what a person denied was tried again and again: " + denied.Summary
	}
	return fmt.Sprintf("%s: %s", denied.Summary, denied.Decision.Reason)
}

// hintFor says what to type to get further, or nothing.
func hintFor(err error) string {
	var (
		limit  *agent.LimitError
		model  *config.ModelError
		key    *providers.KeyError
		chosen *config.ProviderError
		nobody *noTerminalError
		cert   *tls.CertificateVerificationError
		person noPersonError
		state  *stateError
		hinted *hintedError
	)
	switch {
	case errors.As(err, &hinted):
		return hinted.hint
	case errors.As(err, &person):
		return "--plan-out FILE writes it to be reviewed, --plan-in FILE carries it out"
	case errors.As(err, &cert):
		return `ca_file = "FILE" of the provider names certificates that are trusted beside the system's`
	case errors.As(err, &state):
		return "every run keeps its transcript there; XDG_STATE_HOME names another place"
	case errors.As(err, &limit):
		return limit.Flag + " allows more"
	case errors.Is(err, config.ErrNoProvider):
		return `run "tricode init" to set one up, or "tricode demo" to look around without one`
	case errors.As(err, &chosen) && chosen.Name != "":
		return "--provider NAME chooses one of " + strings.Join(chosen.Names, ", ")
	case errors.As(err, &chosen):
		return `--provider NAME chooses one, or provider = "NAME" at the top of the file`
	case errors.As(err, &key):
		return fmt.Sprintf(`run "tricode init", or set api_key_env, api_key_command or api_key in [providers.%s]`, key.Provider)
	case errors.As(err, &model):
		return fmt.Sprintf("--model NAME names one, or model = \"NAME\" in [providers.%s] of %s", model.Provider, model.File)
	case errors.As(err, &nobody):
		return nobody.hint()
	}
	return ""
}
