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

// limit bounds what a block shows; 0 is no limit.
type limit struct {
	rows   int // of the block
	ofLine int // of each line
}

// block adds safe lines, the first one behind the given words, the others behind indent. What is beyond the limit is
// counted.
func (s *sheet) block(first, indent string, lines []string, l limit, paint func(line string) *color.Color) {
	rows := 0
	for i, line := range lines {
		var c *color.Color
		if paint != nil {
			c = paint(line)
		}
		rest := line
		for n := 0; n == 0 || rest != ""; n++ {
			switch {
			case l.rows > 0 && rows == l.rows:
				s.print(indent + left(rest, lines[i+1:]))
				return
			case l.ofLine > 0 && n == l.ofLine:
				s.print(first + left(rest, nil))
				rest = ""
			default:
				var head string
				head, rest = broken(rest, max(s.width-plain.Width(first), 8))
				s.print(first + painted(c, head))
			}
			first = indent + "  "
			rows++
		}
		first = indent
	}
}

// broken divides safe text at a width, behind a blank if there is one not far before it. The blank stays: nothing
// is left out.
func broken(s string, columns int) (head, rest string) {
	head, rest = plain.Split(s, columns)
	if i := strings.LastIndexByte(head, ' '); rest != "" && i >= len(head)*2/3 {
		return s[:i+1], s[i+1:]
	}
	return head, rest
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
