package render

import (
	"bytes"
	"fmt"
	"strings"
)

const (
	tailLines = 5    // how many of the last lines a program printed are shown
	tailBytes = 4096 // how much of them is kept
)

// tail keeps the end of what a program prints, in bounded memory. The zero tail is empty.
type tail struct {
	end      []byte
	newlines int // in all
}

func (t *tail) write(p []byte) {
	t.newlines += bytes.Count(p, []byte{'\n'})
	if len(p) >= tailBytes {
		t.end, p = t.end[:0], p[len(p)-tailBytes:]
	} else if over := len(t.end) + len(p) - tailBytes; over > 0 {
		t.end = append(t.end[:0], t.end[over:]...)
	}
	t.end = append(t.end, p...)
}

// lines are the last lines; the first of them says how many came before.
func (t *tail) lines() []string {
	if len(t.end) == 0 {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(string(t.end), "\n"), "\n")
	lines = lines[max(0, len(lines)-tailLines):]
	total := t.newlines
	if t.end[len(t.end)-1] != '\n' {
		total++
	}
	if more := total - len(lines); more > 0 {
		lines = append([]string{fmt.Sprintf("… %d lines before", more)}, lines...)
	}
	return lines
}
