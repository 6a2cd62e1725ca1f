package plain

import "strings"

// Fold breaks the lines of safe text between words where they are wider than so many columns; less than one is no
// limit. The other rows of a line stand below its last column, if it has columns two blanks apart as a list, otherwise
// a little further in than the line. A word that is too wide by itself stays whole.
func Fold(text string, columns int) string {
	if columns < 1 {
		return text
	}
	var b strings.Builder
	for line := range strings.SplitAfterSeq(text, "\n") {
		line, end := strings.CutSuffix(line, "\n")
		if Width(line) > columns {
			line = fold(line, columns)
		}
		b.WriteString(line)
		if end {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func fold(line string, columns int) string {
	line = strings.TrimRight(line, " ")
	lead := len(line) - len(strings.TrimLeft(line, " "))
	at, taken, indent := lead, lead, lead+2 // where words begin, in which column, and in which one on other rows
	var b strings.Builder
	gap := strings.LastIndex(" "+line, "  ") + 1 // 0: there is none
	switch width := Width(line[:gap]); {
	case gap <= lead: // there are no columns
		b.WriteString(line[:lead])
	case width <= columns/2:
		b.WriteString(line[:gap])
		at, taken, indent = gap, width, width
	default: // too little room beside the others
		indent += 2
		b.WriteString(strings.TrimRight(line[:gap], " ") + "\n" + strings.Repeat(" ", indent))
		at, taken = gap, indent
	}
	for i, word := range words(line[at:], columns-indent) {
		width := Width(word)
		switch {
		case i > 0 && taken+1+width > columns:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			taken = indent
		case i > 0:
			b.WriteByte(' ')
			taken++
		}
		b.WriteString(word)
		taken += width
	}
	return b.String()
}

// words are what a text is taken apart into: the parts between dots, as far as they fit into a row, otherwise words.
func words(text string, columns int) []string {
	var all []string
	parts := strings.SplitAfter(text, " · ")
	for _, part := range parts {
		if part = strings.TrimSuffix(part, " "); len(parts) > 1 && Width(part) <= columns {
			all = append(all, part)
		} else {
			all = append(all, strings.Split(part, " ")...)
		}
	}
	return all
}
