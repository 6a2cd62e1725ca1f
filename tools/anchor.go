package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// match is a part of the text that an edit is about, in bytes.
type match struct{ start, end int }

// check finds the mistakes that need no file.
func (e edit) check() error {
	switch {
	case e.inserts() && e.Content == "":
		return errors.New("content: missing")
	case e.Op == "delete" && e.Content != "":
		return errors.New("content: not used by delete")
	case e.Anchor == "" && e.StartLine == 0:
		return errors.New("anchor: missing; or give start_line and end_line")
	case e.StartLine < 0 || e.EndLine < 0 || e.EndLine > 0 && e.EndLine < max(e.StartLine, 1):
		return fmt.Errorf("end_line: %d to %d is not a range of lines; they count from 1", e.StartLine, e.EndLine)
	case e.Nth < 0 || e.Nth > 0 && e.Occurrence != "" && e.Occurrence != "nth":
		return errors.New("nth: goes with occurrence nth and counts from 1")
	case e.Nth == 0 && e.Occurrence == "nth":
		return errors.New("nth: missing")
	case e.Regex:
		if _, err := compile(e.Anchor); err != nil {
			return fmt.Errorf("anchor: %w", err)
		}
	}
	return nil
}

// find returns the matches that the edit means, at least one.
func (e edit) find(ctx context.Context, text string) ([]match, error) {
	within, err := e.lines(text)
	if err != nil {
		return nil, err
	}
	if e.Anchor == "" {
		return []match{within}, nil
	}
	found, err := e.matches(ctx, text[within.start:within.end])
	if err != nil {
		return nil, err
	}
	for i := range found {
		found[i].start += within.start
		found[i].end += within.start
	}
	return e.choose(text, found)
}

// lines is the part of the text that start_line and end_line name.
func (e edit) lines(text string) (match, error) {
	if e.StartLine == 0 && e.EndLine == 0 {
		return match{0, len(text)}, nil
	}
	last := e.EndLine
	if last == 0 && e.Anchor == "" {
		last = e.StartLine
	}
	if n := lineCount(text); max(e.StartLine, last) > n {
		return match{}, fmt.Errorf("line %d: the file has %s", max(e.StartLine, last), number(n, "line", "lines"))
	}
	m := match{start: skipLines(text, max(e.StartLine, 1)-1), end: len(text)}
	if last > 0 {
		m.end = skipLines(text, last)
	}
	return m, nil
}

// skipLines is where the text goes on after n lines.
func skipLines(text string, n int) int {
	at := 0
	for range n {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	return at
}

// matches are all places in text where the anchor is, none overlapping another.
func (e edit) matches(ctx context.Context, text string) ([]match, error) {
	var found []match
	if e.Regex {
		p, err := compile(e.Anchor)
		if err == nil {
			found, err = p.all(ctx, text, maxMatches+1)
		}
		if err != nil {
			return nil, fmt.Errorf("anchor: %w", err)
		}
	} else {
		found = exactly(text, e.Anchor, maxMatches+1)
	}
	empty := func(m match) bool { return m.start == m.end }
	switch {
	case len(found) > maxMatches:
		return nil, fmt.Errorf("anchor: matches more than %d times", maxMatches)
	case !e.inserts() && slices.ContainsFunc(found, empty):
		return nil, errors.New("anchor: the regexp matches the empty text")
	}
	return found, nil
}

func exactly(text, anchor string, limit int) []match {
	var found []match
	for at := 0; len(found) < limit; {
		i := strings.Index(text[at:], anchor)
		if i < 0 {
			break
		}
		found = append(found, match{at + i, at + i + len(anchor)})
		at += i + len(anchor)
	}
	return found
}

// choose picks the matches that occurrence, nth and must_unique ask for.
func (e edit) choose(text string, found []match) ([]match, error) {
	n := len(found)
	switch {
	case n == 0:
		return nil, errors.New("anchor: not found" + e.hint(text))
	case n > 1 && (e.MustUnique || e.Occurrence == "" && e.Nth == 0):
		return nil, fmt.Errorf("anchor: matches %d times (%s); make it longer, name lines or set occurrence", n, lineList(text, found))
	case e.Nth > n:
		return nil, fmt.Errorf("nth: there are only %s (%s)", number(n, "match", "matches"), lineList(text, found))
	case e.Nth > 0:
		return found[e.Nth-1 : e.Nth], nil
	case e.Occurrence == "last":
		return found[n-1:], nil
	case e.Occurrence == "all":
		return found, nil
	}
	return found[:1], nil
}

// hint helps a model that remembers the file not quite right.
func (e edit) hint(text string) string {
	if e.Regex {
		return ""
	}
	first := strings.TrimSpace(e.Anchor)
	first, _, _ = strings.Cut(first, lf)
	first = strings.TrimSpace(first)
	i := strings.Index(text, first)
	switch {
	case first == "" || i < 0:
		return "; read the file again"
	case e.StartLine > 0 || e.EndLine > 0:
		return fmt.Sprintf(" there; its first line is at line %d", lineAt(text, i))
	}
	return fmt.Sprintf("; its first line is at line %d, so compare white space and what follows", lineAt(text, i))
}

func lineAt(text string, i int) int { return strings.Count(text[:i], lf) + 1 }

// lineList names the lines of the first matches.
func lineList(text string, found []match) string {
	const most = 5
	var list []string
	for _, m := range found[:min(len(found), most)] {
		list = append(list, strconv.Itoa(lineAt(text, m.start)))
	}
	if len(found) > most {
		list = append(list, "...")
	}
	return "lines " + strings.Join(list, ", ")
}
