package approval

import (
	"slices"
	"strings"
)

// allows reports whether an allow rule covers a command: literally, and none that is more than its words say.
func (s *shape) allows(c Subject) bool {
	cmd := c.Command
	if cmd == nil || cmd.Assigned || cmd.Elsewhere || cmd.Foreign {
		return false
	}
	if len(s.words) < 2 && gitDecides(c) { // a rule for all of git is none for what git is told to run
		return false
	}
	return s.covers(c.Args) && s.addressed(c.Args) && (!cmd.Runs || cmd.Inside == 0 && s.spells(c.Args))
}

// covers reports whether an allow rule, which is literal, covers a command with these words.
func (s *shape) covers(args []string) bool {
	n := len(s.words)
	if len(args) == 0 || len(args) < n || !slices.Equal(args[:n], s.words) || s.text != "" && !s.literal {
		return false
	}
	switch {
	case s.anyRest:
		return true
	case s.rest == "":
		return len(args) == n
	}
	rest := strings.Join(args[n:], " ")
	if strings.Contains(rest, "..") && !strings.Contains(s.rest, "..") && slices.ContainsFunc(args[n:], climbs) {
		return false // scripts/* is not scripts/../x
	}
	return matchOpen(s.rest, rest)
}

// climbs reports whether a word may lead out of the directory that it begins with.
func climbs(word string) bool {
	return strings.Contains(word, "/../") || strings.HasSuffix(word, "/..")
}

// spells reports whether the shape names every option of a command itself, and whatever else may be one; options that
// do not look like it are never named: tar cf FILE.
func (s *shape) spells(args []string) bool {
	some := false
	for _, a := range args {
		odd := strings.HasPrefix(a, "-") || strings.HasPrefix(a, "+") || strings.Contains(a, "=") || strings.Contains(a, "::")
		if odd && !slices.Contains(s.words, a) {
			return false
		}
		some = some || odd
	}
	return some
}
