package config

import (
	"fmt"

	"tricode/approval"
)

// quote shows a name as one word of bounded length.
func quote(name string) string {
	const most = 40
	if r := []rune(name); len(r) > most {
		name = string(r[:most]) + "…"
	}
	return fmt.Sprintf("%q", name)
}

// didYouMean is the end of a message about an unknown name: " (did you mean ...?)" where one of those there are is
// near, otherwise nothing.
func didYouMean(name string, names []string) string {
	if best := approval.Nearest(name, names); best != "" {
		return fmt.Sprintf(" (did you mean %s?)", quote(best))
	}
	return ""
}
