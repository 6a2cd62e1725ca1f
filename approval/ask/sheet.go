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
	color bool
}

// style is how text stands out; nil is as it is. There are only colours that every terminal has, and no background, so
// that it can be read on dark and on light ones.
type style []color.Attribute

// line is a safe line of a block.
type line struct {
	lead     string // what stands before its first row, such as the number of a line
	text     string // without tabs
	style    style
	from, to int // the bytes of text that have the mark's style instead
	mark     style
	carets   bool // it points at the one before, and is none of its own

	folds, bytes int // how many lines, and of what size with their ends, it stands for; 0 for itself alone
}

// plainLines are lines that stand out in nothing.
func plainLines(texts ...string) []line {
	lines := make([]line, len(texts))
	for i, t := range texts {
		lines[i].text = untabbed(t)
	}
	return lines
}

// tabStop is how far apart tabs are. They are written as blanks, because where a terminal's own lead depends on what
// stands before them.
const tabStop = 4

func untabbed(text string) string {
	if !strings.Contains(text, "\t") {
		return text
	}
	var b strings.Builder
	column := 0
	for i, part := range strings.Split(text, "\t") {
		if i > 0 {
			n := tabStop - column%tabStop
			b.WriteString(strings.Repeat(" ", n))
			column += n
		}
		b.WriteString(part)
		column += plain.Width(part)
	}
	return b.String()
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

// block adds lines, the first one behind the given words, the others behind indent. What is beyond the limit is counted.
func (s *sheet) block(first, indent string, lines []line, l limit) {
	rows := 0
	for i, one := range lines {
		if one.carets && rows == l.rows && rows > 0 {
			continue
		}
		lead := first + s.painted(faint, one.lead)
		columns := plain.Width(first) + plain.Width(one.lead)
		at := 0
		for n := 0; n == 0 || at < len(one.text); n++ {
			switch {
			case l.rows > 0 && rows == l.rows && !(i == len(lines)-1 && plain.Width(one.text[at:]) <= s.width-columns):
				rest := one
				rest.text = one.text[at:]
				s.print(plain.Fold(indent+left(append([]line{rest}, lines[i+1:]...)), s.width))
				return
			case l.ofLine > 0 && n == l.ofLine:
				s.print(plain.Fold(lead+left([]line{{text: one.text[at:]}}), s.width))
				at = len(one.text)
			default:
				head, _ := broken(one.text[at:], max(s.width-columns, 8))
				s.print(lead + s.row(one, at, at+len(head)))
				at += len(head)
			}
			lead = indent + strings.Repeat(" ", plain.Width(one.lead)) + "  "
			columns = plain.Width(lead)
			rows++
		}
		first = indent
	}
}

// row is a part of a line in its colours.
func (s *sheet) row(l line, from, to int) string {
	a, b := min(max(l.from, from), to), max(min(l.to, to), from)
	if a >= b {
		return s.painted(l.style, l.text[from:to])
	}
	return s.painted(l.style, l.text[from:a]) + s.painted(l.mark, l.text[a:b]) + s.painted(l.style, l.text[b:to])
}

func (s *sheet) painted(how style, text string) string {
	if !s.color || how == nil || text == "" {
		return text
	}
	c := color.New(how...)
	c.EnableColor() // whether to colour was decided already; the library looks at standard output
	return c.Sprint(text)
}

// maxWord is how much of a word may go to the next row to stay whole, in bytes.
const maxWord = 20

// broken divides safe text at a width, behind a blank if there is one not far before it. The blank stays: nothing
// is left out.
func broken(s string, columns int) (head, rest string) {
	head, rest = plain.Split(s, columns)
	i := strings.LastIndexByte(head, ' ')
	if rest != "" && i > 0 && (i >= len(head)/2 || len(head)-i <= maxWord) && strings.Trim(head[:i], " ") != "" {
		return s[:i+1], s[i+1:]
	}
	return head, rest
}

// left counts lines that are not shown, the first of which may be the rest of one, and their line ends.
func left(lines []line) string {
	bytes, count := -1, 0
	for _, line := range lines {
		switch {
		case line.folds > 0:
			bytes += line.bytes
			count += line.folds
		case !line.carets:
			bytes += len(line.text) + 1
			count++
		}
	}
	if count == 1 {
		return fmt.Sprintf("… %s more bytes: v shows all", plain.Count(bytes))
	}
	return fmt.Sprintf("… %s more lines, %s bytes: v shows all", plain.Count(count), plain.Count(bytes))
}
