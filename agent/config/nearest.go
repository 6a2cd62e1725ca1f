package config

import (
	"fmt"
	"slices"
	"strings"
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
	best, least := "", 3
	for _, n := range slices.Sorted(slices.Values(names)) {
		if d := distance(strings.ToLower(name), strings.ToLower(n)); d < least && d < len(n)/2+1 {
			best, least = n, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", quote(best))
}

// distance is how many bytes must be inserted, deleted or replaced to make b out of a. Long names are far from all.
func distance(a, b string) int {
	const most = 64
	if len(a) > most || len(b) > most {
		return most
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
