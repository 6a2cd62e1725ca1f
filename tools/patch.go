package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// edit is one hunk of a patch: what to do, where, and with what text.
type edit struct {
	Op         string `json:"op" enum:"replace,insert_before,insert_after,delete"`
	Anchor     string `json:"anchor,omitempty"`
	Regex      bool   `json:"regex,omitempty"`
	Occurrence string `json:"occurrence,omitempty" enum:"first,last,nth,all"`
	Nth        int    `json:"nth,omitempty"`
	MustUnique bool   `json:"must_unique,omitempty"`
	StartLine  int    `json:"start_line,omitempty"`
	EndLine    int    `json:"end_line,omitempty"`
	Content    string `json:"content,omitempty"`
}

// Bounds of one patch.
const (
	maxEdits   = 200
	maxMatches = 100_000
)

// span is a part of the text that something else takes the place of, in bytes.
type span struct {
	start, end int
	text       string
	edit       int // index of the hunk that wants it
}

// patch applies the edits to text. Each looks at the text as it was before all of them; it is all of them or none.
func patch(ctx context.Context, text string, edits []edit) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patchTimeout)
	defer cancel()
	var all []span
	for i, e := range edits {
		spans, err := e.spans(ctx, text)
		if err != nil {
			return "", fmt.Errorf("hunks[%d]: %w", i, err)
		}
		for _, s := range spans {
			s.edit = i
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
	size, end := len(text), 0
	for i, s := range all {
		if s.start < end {
			return "", fmt.Errorf("hunks[%d] and hunks[%d] overlap", all[i-1].edit, s.edit)
		}
		size, end = size+len(s.text)-(s.end-s.start), s.end
		if size-len(text) > maxEdit {
			return "", errors.New("the result would be too large")
		}
	}
	return splice(text, all, size), nil
}

func splice(text string, spans []span, size int) string {
	var b strings.Builder
	b.Grow(size)
	end := 0
	for _, s := range spans {
		b.WriteString(text[end:s.start])
		b.WriteString(s.text)
		end = s.end
	}
	b.WriteString(text[end:])
	return b.String()
}

// spans are the places of one edit, each with its new text.
func (e edit) spans(ctx context.Context, text string) ([]span, error) {
	found, err := e.find(ctx, text)
	if err != nil {
		return nil, err
	}
	var spans []span
	for _, m := range found {
		s := e.place(text, m)
		if n := len(spans); n > 0 && e.inserts() && spans[n-1].start == s.start {
			continue // two matches on one line
		}
		spans = append(spans, s)
	}
	return spans, nil
}

func (e edit) inserts() bool { return e.Op == "insert_before" || e.Op == "insert_after" }

// place is what becomes of one match.
func (e edit) place(text string, m match) span {
	switch e.Op {
	case "insert_before":
		at := lineStart(text, m.start)
		return span{start: at, end: at, text: ended(e.Content)}
	case "insert_after":
		at := lineEnd(text, m)
		if at > 0 && text[at-1] != '\n' { // the last line has no end, and none after it gets one
			return span{start: at, end: at, text: lf + strings.TrimSuffix(e.Content, lf)}
		}
		return span{start: at, end: at, text: ended(e.Content)}
	case "delete":
		// A line of which nothing is left goes as a whole.
		if m.start == lineStart(text, m.start) && m.end > m.start && text[m.end-1] != '\n' && strings.HasPrefix(text[m.end:], lf) {
			m.end++
		}
		return span{start: m.start, end: m.end}
	}
	content := e.Content
	if e.Anchor == "" && content != "" && strings.HasSuffix(text[:m.end], lf) {
		content = ended(content)
	}
	return span{start: m.start, end: m.end, text: content}
}

// lineStart is where the line begins that position i is on.
func lineStart(text string, i int) int { return strings.LastIndexByte(text[:i], '\n') + 1 }

// lineEnd is where the line after a match begins, or the end of the text.
func lineEnd(text string, m match) int {
	if m.end > m.start && text[m.end-1] == '\n' {
		return m.end
	}
	if i := strings.IndexByte(text[m.end:], '\n'); i >= 0 {
		return m.end + i + 1
	}
	return len(text)
}
