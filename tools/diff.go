package tools

import (
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Bounds of a diff, in lines: of what is compared on either side, else it is one block, and of what is shown.
const (
	maxDiff    = 100_000
	maxShown   = 10_000
	diffMargin = udiff.DefaultContextLines
)

// diff is a change as a person is shown it: the hunks of a unified diff without the file names, and notes, which
// begin with a backslash as "\ No newline at end of file" does.
type diff struct {
	lines          []string
	added, removed int
}

// diffOf compares contents. Line ends that are the same on both sides are shown as plain ones.
func diffOf(before, after []byte) diff {
	old, now := parse(before), parse(after)
	if old.ends == crlf && now.ends == crlf {
		d := compare(strings.ReplaceAll(string(before), crlf, lf), strings.ReplaceAll(string(after), crlf, lf))
		return d.noted(`\ All lines end with CRLF`)
	}
	d := compare(string(before), string(after))
	if old.ends != now.ends && strings.Contains(old.text, lf) && strings.Contains(now.text, lf) {
		return d.noted(fmt.Sprintf(`\ Line ends change from %s to %s`, old.endsName(), now.endsName()))
	}
	return d
}

func (d diff) noted(note string) diff {
	d.lines = append([]string{note}, d.lines...)
	return d
}

func compare(old, now string) diff {
	start, tail := margins(old, now)
	above := strings.Count(old[:start], "\n")
	old, now = old[start:len(old)-tail], now[start:len(now)-tail]
	if lineCount(old) > maxDiff || lineCount(now) > maxDiff {
		return block(old, now, above)
	}
	u, err := udiff.ToUnifiedDiff("", "", old, udiff.Lines(old, now), diffMargin)
	if err != nil { // the edits are those of the same text
		return block(old, now, above)
	}
	var d diff
	for _, h := range u.Hunks {
		h.FromLine += above
		h.ToLine += above
		for _, l := range h.Lines {
			switch l.Kind {
			case udiff.Insert:
				d.added++
			case udiff.Delete:
				d.removed++
			}
		}
	}
	if text := u.String(); text != "" {
		d.lines = strings.Split(strings.TrimSuffix(text, "\n"), "\n")[2:] // less the names
	}
	if more := len(d.lines) - maxShown; more > 0 {
		d.lines = append(d.lines[:maxShown:maxShown], hidden(more))
	}
	return d
}

// margins returns how many bytes at the start and at the end are the same whole lines, less the lines of context.
func margins(old, now string) (start, tail int) {
	short := min(len(old), len(now))
	for start < short && old[start] == now[start] {
		start++
	}
	for range diffMargin + 1 {
		start = strings.LastIndexByte(old[:max(start, 0)], '\n')
	}
	start++
	for tail < short-start && old[len(old)-1-tail] == now[len(now)-1-tail] {
		tail++
	}
	for range diffMargin + 1 { // the first line may not be whole
		i := strings.IndexByte(old[len(old)-tail:], '\n')
		if i < 0 {
			return start, 0
		}
		tail -= i + 1
	}
	return start, tail
}

// block shows all of old replaced by all of now.
func block(old, now string, above int) diff {
	d := diff{added: lineCount(now), removed: lineCount(old)}
	d.lines = []string{fmt.Sprintf("@@ -%d,%d +%d,%d @@", above+1, d.removed, above+1, d.added)}
	d.side("-", old, d.removed)
	d.side("+", now, d.added)
	return d
}

func (d *diff) side(mark, text string, lines int) {
	const most = maxShown / 2
	for range min(lines, most) {
		line, rest, _ := strings.Cut(text, "\n")
		d.lines, text = append(d.lines, mark+line), rest
	}
	if lines > most {
		d.lines = append(d.lines, hidden(lines-most))
	}
}

func hidden(lines int) string { return fmt.Sprintf(`\ %d more lines are not shown`, lines) }

// changed is the size of a change, for the end of a summary.
func changed(added, removed int) string {
	switch {
	case added > 0 && removed > 0:
		return fmt.Sprintf(" (+%d -%d)", added, removed)
	case added > 0:
		return fmt.Sprintf(" (+%d)", added)
	case removed > 0:
		return fmt.Sprintf(" (-%d)", removed)
	}
	return " (empty)"
}

// text is the diff for the model, as long as it is short enough to be worth its tokens.
func (d diff) text() string {
	const most = 16 << 10
	size := 0
	for i, line := range d.lines {
		if size += len(line) + 1; size > most {
			return strings.Join(d.lines[:i], lf) + lf + hidden(len(d.lines)-i)
		}
	}
	return strings.Join(d.lines, lf)
}
