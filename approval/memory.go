package approval

import (
	"crypto/sha256"
	"strings"
)

// Memory is what a person answered earlier in this run. It is never stored. The zero and the nil Memory are empty.
type Memory struct {
	reach   map[string]bool // what "for this session" covers
	refused map[string]bool // calls, by key
}

func (m *Memory) allow(a *Action) {
	if m.reach == nil {
		m.reach = map[string]bool{}
	}
	m.reach[reach(a)] = true
}

func (m *Memory) allowed(a *Action) bool { return m != nil && m.reach[reach(a)] }

// reach is what "for this session" covers: the tool, and of one that types into a program behind a terminal only that
// terminal.
func reach(a *Action) string {
	for _, s := range a.Subjects {
		if s.Session != "" {
			return a.Tool + " " + s.Session
		}
	}
	return a.Tool
}

func (m *Memory) deny(a *Action) {
	if m.refused == nil {
		m.refused = map[string]bool{}
	}
	m.refused[key(a)] = true
}

func (m *Memory) denied(a *Action) bool { return m != nil && len(m.refused) > 0 && m.refused[key(a)] }

// key is the same for calls of the same tool with the same subjects, however they are spelt. What a file would become
// counts, so that a corrected edit is asked about again.
func key(a *Action) string {
	becomes := sha256.Sum256(a.Becomes)
	parts := []string{a.Tool, string(becomes[:])}
	for _, s := range a.Subjects {
		parts = append(parts, s.Effects.String(), s.Path, strings.Join(s.Args, "\x00"), s.Host, s.Session)
	}
	return strings.Join(parts, "\x01")
}
