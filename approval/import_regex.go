package approval

import (
	"errors"
	"regexp/syntax"
	"strings"
)

// globsOf makes a regular expression globs that together match at least as much. exact says that it has literals and alternatives only.
func globsOf(regex string) (globs []string, exact bool, err error) {
	if len(regex) > 2048 { // as in Gemini CLI
		return nil, false, errors.New("it is too long")
	}
	re, err := syntax.Parse(regex, syntax.Perl)
	if err != nil {
		return nil, false, err
	}
	globs, exact = globsOfNode(re)
	return globs, exact, nil
}

func globsOfNode(re *syntax.Regexp) (globs []string, exact bool) {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return []string{""}, true
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 && !strings.ContainsAny(string(re.Rune), "*\\\"") {
			return []string{string(re.Rune)}, true
		}
	case syntax.OpCapture:
		return globsOfNode(re.Sub[0])
	case syntax.OpAlternate:
		exact = true
		for _, sub := range re.Sub {
			more, ok := globsOfNode(sub)
			globs, exact = append(globs, more...), exact && ok
		}
		if len(globs) <= maxPrefixes {
			return globs, exact
		}
	case syntax.OpConcat:
		globs, exact = []string{""}, true
		for _, sub := range re.Sub {
			more, ok := globsOfNode(sub)
			if len(globs)*len(more) > maxPrefixes {
				more, ok = []string{"*"}, false
			}
			globs, exact = joinAll(globs, more), exact && ok
		}
		return globs, exact
	}
	return []string{"*"}, false
}

func joinAll(heads, tails []string) []string {
	var all []string
	for _, h := range heads {
		for _, t := range tails {
			all = append(all, h+t)
		}
	}
	return all
}
