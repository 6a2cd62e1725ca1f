package render

import (
	"fmt"
	"strings"
	"time"

	"tricode/agent"
)

// namedPaths is how many changed paths the summary names.
const namedPaths = 8

// summary says in one or two lines what a run did.
func summary(e agent.Ended) []string {
	var lines []string
	if n := len(e.Changed); n > 0 {
		named := e.Changed[:min(n, namedPaths)]
		line := "changed: " + strings.Join(named, ", ")
		if n > len(named) {
			line += fmt.Sprintf(" and %d more", n-len(named))
		}
		lines = append(lines, line)
	}
	var parts []string
	if e.Allowed+e.Denied > 0 {
		parts = append(parts, fmt.Sprintf("%d allowed, %d denied", e.Allowed, e.Denied))
	}
	if e.Turns > 0 {
		parts = append(parts, count(e.Turns, "turn"))
	}
	if tokens := e.Usage.Input + e.Usage.Output; tokens > 0 {
		parts = append(parts, fmt.Sprintf("%d tokens (%d in, %d out)", tokens, e.Usage.Input, e.Usage.Output))
	}
	if took := time.Duration(e.Millis) * time.Millisecond; took >= time.Minute {
		parts = append(parts, took.Round(time.Second).String())
	} else if took > 0 {
		parts = append(parts, fmt.Sprintf("%.1fs", took.Seconds()))
	}
	if len(parts) > 0 {
		lines = append(lines, strings.Join(parts, " · "))
	}
	return lines
}

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
