package approval

import (
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// CheckGlob returns an error if a glob of paths cannot be understood. ** stands for any directories, as a whole
// component; *, ?, [a-z] and {a,b} do not cross one.
func CheckGlob(glob string) error {
	if glob == "" || !doublestar.ValidatePattern(glob) {
		return fmt.Errorf("%q is not a glob of paths", glob)
	}
	if !wholeStars(glob) {
		return fmt.Errorf("%q is not a glob of paths: ** is a component of its own, as in src/**/*.go", glob)
	}
	if len(glob) > maxGlob || alternatives(glob) > maxAlternatives {
		return fmt.Errorf("the glob %.40q… is too long or has too many alternatives", glob)
	}
	return nil
}

// wholeStars reports whether every ** of a glob stands for directories: elsewhere it would be one *, and a rule would
// speak of less than it seems to.
func wholeStars(glob string) bool {
	for rest := "/" + glob; ; {
		i := strings.Index(rest, "**")
		if i < 0 {
			return true
		}
		before, behind := rest[i-1], rest[i+2:]
		if strings.IndexByte("/{,", before) < 0 || behind != "" && strings.IndexByte("/},", behind[0]) < 0 {
			return false
		}
		rest = "/" + strings.TrimPrefix(behind, "/")
	}
}

// What a glob may cost: matching tries every combination of the alternatives in braces, and a project that nobody trusts
// may bring globs.
const (
	maxGlob         = 1024 // bytes
	maxAlternatives = 256
)

// alternatives counts the paths that braces make of a glob, up to a little more than maxAlternatives. Braces and commas
// within brackets count as too many: whether they are literal there is not for everybody the same.
func alternatives(glob string) int {
	type group struct{ before, now int } // alternatives that are complete, combinations in the present one
	open := []group{{0, 1}}
	for i := 0; i < len(glob); i++ {
		top := &open[len(open)-1]
		switch c := glob[i]; {
		case c == '\\':
			i++
		case c == '[' && strings.Contains(glob, "{") && strings.ContainsAny(glob[i:i+max(0, strings.IndexByte(glob[i:], ']'))], "{},"):
			return maxAlternatives + 1
		case c == '{':
			open = append(open, group{0, 1})
		case c == ',' && len(open) > 1:
			top.before, top.now = top.before+top.now, 1
		case c == '}' && len(open) > 1:
			open = open[:len(open)-1]
			outer := &open[len(open)-1]
			outer.now = min(outer.now*(top.before+top.now), maxAlternatives+1)
		}
	}
	return open[0].now
}
