package ask

import (
	"fmt"
	"strings"

	"github.com/fatih/color"

	"tricode/approval/plain"
)

// sheet collects what goes to the terminal, row by row. Untrusted text is broken at the width of the terminal and
// every row of it is indented: a long line that the terminal broke by itself could otherwise fake a line of the
// question.
type sheet struct {
	strings.Builder
	width int
}

func (s *sheet) print(lines ...string) {
	for _, line := range lines {
		s.WriteString(line)
		s.WriteByte('\n')
	}
}

// block adds safe lines, the first one behind the given words, the others behind indent. No more than limit rows
// are shown, unless it is 0; the rest is counted.
func (s *sheet) block(first, indent string, lines []string, limit int, paint func(line string) *color.Color) {
	rows := 0
	for i, line := range lines {
		var c *color.Color
		if paint != nil {
			c = paint(line)
		}
		for rest := line; ; rows++ {
			if limit > 0 && rows == limit {
				s.print(indent + left(rest, lines[i+1:]))
				return
			}
			var head string
			head, rest = plain.Split(rest, max(s.width-plain.Width(first), 8))
			s.print(first + painted(c, head))
			if first = indent + "  "; rest == "" {
				rows++
				break
			}
		}
		first = indent
	}
}

func painted(c *color.Color, s string) string {
	if c == nil {
		return s
	}
	return c.Sprint(s)
}

// left counts what is not shown: the rest of a line and the lines behind it, with their line ends.
func left(rest string, lines []string) string {
	bytes := len(rest)
	for _, line := range lines {
		bytes += 1 + len(line)
	}
	if len(lines) == 0 {
		return fmt.Sprintf("… %s more bytes: v shows all", plain.Count(bytes))
	}
	return fmt.Sprintf("… %s more lines, %s bytes: v shows all", plain.Count(len(lines)+1), plain.Count(bytes))
}
