package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"slices"
	"time"

	"tricode/approval"
)

// Bounds of one search and of its answer.
const (
	mostMatches = 200
	mostPattern = 4 << 10 // bytes
	searchTime  = time.Minute
)

// SearchContext returns the tool that finds lines by a regular expression. ripgrep makes it faster where it is
// installed and changes nothing about the answer.
func SearchContext(w World) Tool {
	type input struct {
		Pattern string `json:"pattern" doc:"RE2 regular expression"`
		Path    string `json:"path,omitempty" doc:"file or directory" default:"."`
		Glob    string `json:"glob,omitempty" doc:"only these files, e.g. *.{ts,tsx}"`
	}
	return New("search_context", "Find matching lines, as path:line:text. Hidden and git-ignored files are skipped unless path names one.",
		func(_ context.Context, in input) (*approval.Action, error) {
			re, err := parsePattern(in.Pattern)
			if err != nil {
				return nil, err
			}
			choice, err := parseGlobs(in.Glob)
			if err != nil {
				return nil, err
			}
			p, subject, err := readable(w.Dir, w.Outputs, in.Path)
			if err != nil {
				return nil, err
			}
			summary := fmt.Sprintf("search %s in %s", quote(in.Pattern), p.Shown())
			return approval.NewAction(summary, func(ctx context.Context, _ io.Writer) (approval.Result, error) {
				s := search{
					walker: walker{dir: w.Dir, at: p},
					globs:  choice,
					lines:  lineFinder{re: regexp.MustCompile(in.Pattern)},
					faster: ripgrep(w, re),
					few:    fewFiles,
				}
				text, err := s.run(ctx, w.Home)
				return approval.Result{Text: text}, err
			}, subject), nil
		})
}

// parsePattern checks a regular expression; what ripgrep and Go understand differently is not refused here but
// translated later.
func parsePattern(pattern string) (*syntax.Regexp, error) {
	if pattern == "" || len(pattern) > mostPattern {
		return nil, fmt.Errorf("pattern: has %d bytes; want 1 to %d", len(pattern), mostPattern)
	}
	if _, err := regexp.Compile(pattern); err != nil {
		return nil, patternError(err)
	}
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, patternError(err)
	}
	if namesNewline(re) {
		return nil, errors.New("pattern: lines are searched one by one, so it cannot contain a newline")
	}
	return re, nil
}

func patternError(err error) error {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("pattern: %w", err)
	}
	hint := ""
	if e.Code == syntax.ErrInvalidPerlOp || e.Code == syntax.ErrInvalidEscape {
		hint = "; RE2 has no look-around and no back-references"
	}
	return fmt.Errorf("pattern: %s: %s%s", e.Code, cut(e.Expr), hint)
}

func namesNewline(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && slices.Contains(re.Rune, '\n') || slices.ContainsFunc(re.Sub, namesNewline)
}
