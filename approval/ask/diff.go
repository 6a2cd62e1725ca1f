package ask

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fatih/color"

	"tricode/approval/plain"
)

// The styles of the question.
var (
	bold        = style{color.Bold}
	faint       = style{color.Faint}
	warning     = style{color.FgRed, color.Bold}
	hunk        = style{color.FgCyan}
	added       = style{color.FgGreen}
	removed     = style{color.FgRed}
	addedMark   = style{color.FgGreen, color.Bold, color.ReverseVideo}
	removedMark = style{color.FgRed, color.Bold, color.ReverseVideo}
)

// diffLines are the lines of a unified diff as a person reads it: with their numbers, in the old file for what goes and
// in the new one for the rest, and with what differs in lines that take the place of others.
func diffLines(texts []string) []line {
	lines := make([]line, len(texts))
	numbers := lineNumbers(texts)
	width := 0
	if most := slices.Max(append(numbers, 0)); most > 0 {
		width = len(strconv.Itoa(most))
	}
	for i, text := range texts {
		l := &lines[i]
		switch sign(text) {
		case '@':
			l.style = hunk
		case '+':
			l.style, l.mark = added, addedMark
		case '-':
			l.style, l.mark = removed, removedMark
		}
		switch {
		case numbers[i] > 0:
			l.lead = fmt.Sprintf("%*d ", width, numbers[i])
		case width > 0:
			l.lead = strings.Repeat(" ", width+1)
		}
		if text != "" { // the sign must not move the stops of tabs
			l.text = text[:1] + untabbed(text[1:])
		}
	}
	markChanges(lines)
	return lines
}

// sign is what kind of line of a diff it is, by its first byte; 0 for an empty one.
func sign(text string) byte {
	if text == "" {
		return 0
	}
	return text[0]
}

// lineNumbers are the numbers of the lines that a diff shows; 0 where there is none.
func lineNumbers(texts []string) []int {
	numbers := make([]int, len(texts))
	before, now := 0, 0
	for i, text := range texts {
		switch sign(text) {
		case '@':
			before, now = starts(text)
		case '-':
			numbers[i] = before
			before++
		case '+', ' ':
			numbers[i] = now
			now++
			if text[0] == ' ' {
				before++
			}
		}
		if before == 0 && now == 0 {
			numbers[i] = 0
		}
	}
	return numbers
}

// starts are the first lines of a hunk by its head, "@@ -10,4 +12,6 @@"; 0 if that is none.
func starts(head string) (before, now int) {
	if n, err := fmt.Sscanf(head, "@@ -%d", &before); n != 1 || err != nil {
		return 0, 0
	}
	_, rest, _ := strings.Cut(head, "+")
	if n, err := fmt.Sscanf(rest, "%d", &now); n != 1 || err != nil {
		return 0, 0
	}
	return before, now
}

// markChanges marks what differs in lines that come where others go, one by one.
func markChanges(lines []line) {
	run := func(i int, kind byte) int {
		for i < len(lines) && sign(lines[i].text) == kind {
			i++
		}
		return i
	}
	for i := 0; i < len(lines); i++ {
		come := run(i, '-')
		end := run(come, '+')
		for n := range min(come-i, end-come) {
			markChange(&lines[i+n], &lines[come+n])
		}
		i = max(i, end-1)
	}
}

// markChange marks what is between the same beginning and the same end, in whole words; nothing if the lines have little
// in common.
func markChange(gone, come *line) {
	a, b := gone.text[1:], come.text[1:]
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	tail := 0
	for tail < min(len(a), len(b))-start && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	for start > 0 && (inWord(a, start) || inWord(b, start)) {
		start--
	}
	for tail > 0 && (inWord(a, len(a)-tail) || inWord(b, len(b)-tail)) {
		tail--
	}
	same := len(strings.TrimSpace(a[:start])) + len(strings.TrimSpace(a[len(a)-tail:]))
	if 3*same < len(strings.TrimSpace(a)) {
		return
	}
	gone.from, gone.to = 1+start, 1+len(a)-tail
	come.from, come.to = 1+start, 1+len(b)-tail
}

// shortened leaves room for what comes where much goes: of lines of one kind that stand together the first are left, and
// a count of the others, if not all lines have a place in so many rows; 0 is room for all.
func shortened(lines []line, rows int) []line {
	if rows == 0 || len(lines) <= rows {
		return lines
	}
	most := max((rows-1)/2, 2)
	var all []line
	for i, end := 0, 0; i < len(lines); i = end {
		kind := sign(lines[i].text)
		for end = i + 1; end < len(lines) && (kind == '-' || kind == '+') && sign(lines[end].text) == kind; {
			end++
		}
		if end-i <= most {
			all = append(all, lines[i:end]...)
			continue
		}
		all = append(all, lines[i:i+most-1]...)
		all = append(all, folded(lines[i+most-1:end]))
	}
	return all
}

// folded is one line in the place of others, which it counts.
func folded(lines []line) line {
	f := line{lead: strings.Repeat(" ", plain.Width(lines[0].lead)), text: left(lines), folds: len(lines)}
	for _, l := range lines {
		f.bytes += len(l.text) + 1
	}
	return f
}

// inWord reports whether a text would be cut inside of a word, or of a character.
func inWord(s string, at int) bool {
	if at >= len(s) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(s[at:])
	last, _ := utf8.DecodeLastRuneInString(s[:at])
	return !utf8.RuneStart(s[at]) || wordRune(next) && wordRune(last) || !unicode.IsPrint(next) || unicode.IsMark(next)
}

func wordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '\u200d'
}

// withCarets has rows that point at what is marked, for terminals without colours.
func withCarets(lines []line, columns int) []line {
	var all []line
	for _, l := range lines {
		all = append(all, l)
		if l.from < l.to && plain.Width(l.lead)+plain.Width(l.text) <= columns {
			all = append(all, line{
				carets: true,
				lead:   strings.Repeat(" ", plain.Width(l.lead)),
				text:   strings.Repeat(" ", plain.Width(l.text[:l.from])) + strings.Repeat("^", plain.Width(l.text[l.from:l.to])),
			})
		}
	}
	return all
}
