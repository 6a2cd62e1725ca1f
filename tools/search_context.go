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
	mostSteps   = 5000    // instructions of a regular expression; then a piece of a line has 10 KB at least
	searchTime  = time.Minute
)

// SearchContext returns the tool that finds lines by a regular expression. ripgrep makes it faster where it is
// installed and changes nothing about the answer.
func SearchContext(w World) Tool {
	type input struct {
		Pattern string `json:"pattern" doc:"RE2"`
		Path    string `json:"path,omitempty" default:"."`
		Glob    string `json:"glob,omitempty" doc:"such as *.{ts,tsx}"`
	}
	return New("search_context", "Search files, but hidden and git-ignored ones.",
		func(_ context.Context, in input) (*approval.Action, error) {
			re, err := parseExpression(in.Pattern)
			if err != nil {
				return nil, err
			}
			choice, err := parseGlobs(in.Glob)
			if err != nil {
				return nil, err
			}
			from, err := readable(w.Dir, w.Outputs, in.Path)
			if err != nil {
				return nil, err
			}
			from.unmask(w.Boxes)
			summary := fmt.Sprintf("search %s in %s", quote(in.Pattern), from.name)
			return approval.NewAction(summary, func(ctx context.Context, _ io.Writer) (approval.Result, error) {
				s := search{
					walker: walker{dir: w.Dir, source: from},
					globs:  choice,
					lines:  newLineFinder(re),
					faster: ripgrep(w, re.tree),
					few:    fewFiles,
					hides:  w.Hides,
					boxes:  w.Boxes,
				}
				text, err := s.run(ctx, w.Home)
				return approval.Result{Text: text, Hidden: from.kept()}, err
			}, from.subject), nil
		})
}

// expression is a regular expression for single lines.
type expression struct {
	*regexp.Regexp
	tree *syntax.Regexp
	size int // in instructions
}

// parseExpression refuses what cannot match in a line. What ripgrep and Go understand differently is translated later.
func parseExpression(pattern string) (*expression, error) {
	if pattern == "" || len(pattern) > mostPattern {
		return nil, fmt.Errorf("pattern: has %d bytes; want 1 to %d", len(pattern), mostPattern)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, patternError(err)
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, patternError(err)
	}
	if namesNewline(tree) {
		return nil, errors.New("pattern: lines are searched one by one, so it cannot contain a newline")
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, patternError(err)
	}
	if len(prog.Inst) > mostSteps {
		return nil, errors.New("pattern: too large; use smaller repeat counts")
	}
	return &expression{re, tree, len(prog.Inst)}, nil
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
