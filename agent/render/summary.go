package render

import (
	"fmt"
	"strings"
	"time"

	"tricode/agent"
	"tricode/approval/plain"
	"tricode/providers"
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
	if taken := tokens(e.Usage); taken != "" {
		parts = append(parts, taken)
	}
	if e.Cost > 0 {
		parts = append(parts, agent.Dollars(e.Cost))
	}
	if e.Hidden > 0 {
		parts = append(parts, count(e.Hidden, "secret")+" hidden")
	}
	parts = append(parts, duration(time.Duration(e.Millis)*time.Millisecond))
	return append(lines, strings.Join(parts, " · "))
}

// tokens says how many tokens were sent and received; nothing if the server did not say.
func tokens(u providers.Usage) string {
	n := u.Input + u.Output
	if n == 0 {
		return ""
	}
	cached := ""
	if u.Cached > 0 {
		cached = ", " + plain.Count(u.Cached) + " of them cached"
	}
	return fmt.Sprintf("%s (%s in%s, %s out)", count(n, "token"), plain.Count(u.Input), cached, plain.Count(u.Output))
}

// duration is as exact as a person wants it: 85ms, 4.2s, 3m12s.
func duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.String()
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return d.Round(time.Second).String()
}

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return plain.Count(n) + " " + word + "s"
}
