package render

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"tricode/approval/plain"
)

const (
	tailLines = 5    // how many of the last lines a program printed are shown
	tailWidth = 160  // how many columns of each, where the terminal is no narrower
	tailBytes = 4096 // how much of them is kept
)

// tail keeps the end of what a program prints, in bounded memory. The zero tail is empty.
type tail struct {
	end      []byte
	newlines int  // in all
	cut      bool // something before end is lost
}

func (t *tail) write(p []byte) {
	t.newlines += bytes.Count(p, []byte{'\n'})
	over := len(t.end) + len(p) - tailBytes
	t.cut = t.cut || over > 0
	if len(p) >= tailBytes {
		t.end, p = t.end[:0], p[len(p)-tailBytes:]
	} else if over > 0 {
		t.end = append(t.end[:0], t.end[over:]...)
	}
	t.end = append(t.end, p...)
}

// lines are the last lines, safe to print, as far as there is room for them in so many columns; the first one says how
// many came before.
func (t *tail) lines(columns int) []string {
	if len(t.end) == 0 {
		return nil
	}
	text := strings.ReplaceAll(untabbed(string(t.end)), "\r\n", "\n")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if t.cut && len(lines) <= tailLines { // the beginning of the first one is lost
		for lines[0] != "" && !utf8.RuneStart(lines[0][0]) {
			lines[0] = lines[0][1:]
		}
		lines[0] = "…" + lines[0]
	}
	lines = lines[max(0, len(lines)-tailLines):]
	for i, line := range lines {
		lines[i] = plain.Cut(line, columns)
	}
	total := t.newlines
	if t.end[len(t.end)-1] != '\n' {
		total++
	}
	if more := total - len(lines); more > 0 {
		lines = append([]string{"… " + count(more, "line") + " before"}, lines...)
	}
	return lines
}

// untabbed has blanks for tabs, which in one line would be shown as escapes.
func untabbed(text string) string { return strings.ReplaceAll(text, "\t", "    ") }
