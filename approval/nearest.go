package approval

import (
	"slices"
	"strings"
)

// Nearest returns the known word that a misspelt one was probably meant to be, or nothing. Letter case does not
// count.
func Nearest(word string, known []string) string {
	const longest = 64 // bytes; what is longer is no slip of the finger
	if len(word) > longest {
		return ""
	}
	best, least := "", 3
	for _, k := range slices.Sorted(slices.Values(known)) {
		if d := distance(strings.ToLower(word), strings.ToLower(k)); d < least && d < len(k)/2+1 {
			best, least = k, d
		}
	}
	return best
}

// distance counts the bytes to insert, delete or replace that make a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			next := diagonal
			if a[i] != b[j] {
				next++
			}
			diagonal = row[j+1]
			row[j+1] = min(next, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
