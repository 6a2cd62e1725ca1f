package approval

import (
	"strings"
)

// reason says what makes a subject worth a question, empty where it is only what the tool always does.
func (s Subject) reason() string {
	switch {
	case s.Effects == 0 || s.Effects.Has(ExecOpaque):
		return why(s, "what it does cannot be known beforehand")
	case s.Effects.Has(Catastrophic) && s.Untracked > 0:
		return why(s, "it would delete more files that git does not track than one action may")
	case s.Effects.Has(Catastrophic):
		return why(s, s.Path+" would be lost")
	case s.Effects.Has(Secret):
		return why(s, s.Path+" may hold a secret")
	case s.Effects.Has(Outside):
		return why(s, s.Path+" is outside the work directory")
	case s.Effects.Has(HardLink):
		return why(s, s.Path+" has a second name, perhaps outside the work directory")
	case len(s.needs()) > 0:
		return why(s, "it uses credentials of the home directory")
	case s.Effects.Has(History):
		return why(s, "it rewrites or drops version-control history")
	case s.Effects.Has(Dangerous):
		return why(s, s.Path+" would be removed, though it is protected from tools")
	}
	return s.Why
}

// needs are the credentials that a command is known to read.
func (s Subject) needs() []string {
	if s.Command == nil {
		return nil
	}
	return s.Command.Needs
}

func why(s Subject, otherwise string) string {
	if s.Why != "" {
		return s.Why
	}
	return otherwise
}

// String names the subject in a trace.
func (s Subject) String() string {
	switch {
	case s.Args != nil:
		return strings.Join(s.Args, " ")
	case s.Path != "":
		return s.Path
	case s.Host != "":
		return s.Host
	}
	return s.Session
}
