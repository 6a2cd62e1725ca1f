package tools

import (
	"fmt"
	"strings"
)

// maxBraces is how many patterns the braces of one may stand for.
const maxBraces = 64

// globs is a choice of files as ripgrep's -g takes it: a glob that may have {a,b} in it and may begin with ! for
// all others. Without a slash it holds for the last component, otherwise for the whole path.
type globs struct {
	any    []glob
	name   bool
	others bool
}

// parseGlobs reads a choice of files; the empty one is nil and holds all.
func parseGlobs(pattern string) (*globs, error) {
	if pattern == "" {
		return nil, nil
	}
	c := &globs{}
	pattern, c.others = strings.CutPrefix(pattern, "!")
	c.name = !strings.Contains(pattern, "/")
	pattern = strings.TrimPrefix(strings.TrimPrefix(pattern, "./"), "/")
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	plain := expand(pattern)
	if len(plain) > maxBraces {
		return nil, fmt.Errorf("glob: %s stands for more than %d patterns", quote(pattern), maxBraces)
	}
	for _, p := range plain {
		g, err := parseGlob(p)
		if err != nil {
			return nil, fmt.Errorf("glob: %s: %w", quote(pattern), err)
		}
		c.any = append(c.any, g)
	}
	return c, nil
}

func (c *globs) match(rel string) bool {
	if c == nil {
		return true
	}
	if c.name {
		rel = rel[strings.LastIndexByte(rel, '/')+1:]
	}
	for _, g := range c.any {
		if g.match(rel) {
			return !c.others
		}
	}
	return c.others
}

// expand writes a pattern out for every choice in its braces, to just over maxBraces patterns. Braces without an
// end, and those behind a backslash, are taken literally.
func expand(pattern string) []string {
	open, depth, parts := -1, 0, []int{}
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '{':
			if depth++; depth == 1 {
				open, parts = i, []int{i}
			}
		case c == ',' && depth == 1:
			parts = append(parts, i)
		case c == '}' && depth > 0:
			if depth--; depth > 0 {
				continue
			}
			var all []string
			for n, from := range parts {
				to := i
				if n+1 < len(parts) {
					to = parts[n+1]
				}
				if len(all) > maxBraces {
					break
				}
				all = append(all, expand(pattern[:open]+pattern[from+1:to]+pattern[i+1:])...)
			}
			return all
		}
	}
	return []string{pattern}
}
