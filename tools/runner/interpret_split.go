package runner

import (
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/expand"
)

// What a character of a line is for read.
const (
	ordinary = iota
	blank    // of IFS: any number of them separate
	single   // of IFS: each separates, so that a field may be empty
)

type character struct {
	text string
	kind int
}

// splitLine splits a line at IFS into at most so many fields, any number if it is -1, as read does: the interpreter would
// drop empty fields.
func splitLine(env expand.Environ, line string, most int, raw bool) (fields []string) {
	rest := after(characters(env, line, raw), blank)
	for len(rest) > 0 {
		n := until(rest)
		next := separated(rest[n:])
		if most > 0 && len(fields) == most-1 && len(next) > 0 {
			n = len(rest)
			for rest[n-1].kind == blank {
				n--
			}
			next = nil
		}
		fields, rest = append(fields, joined(rest[:n])), next
	}
	return fields
}

// characters is a line without the backslashes that quote in it.
func characters(env expand.Environ, line string, raw bool) (all []character) {
	ifs := " \t\n"
	if v := env.Get("IFS"); v.IsSet() {
		ifs = v.String()
	}
	for quoted := false; line != ""; {
		_, n := utf8.DecodeRuneInString(line)
		c := character{text: line[:n]}
		if line = line[n:]; c.text == `\` && !raw && !quoted {
			quoted = true
			continue
		}
		if !quoted && strings.Contains(ifs, c.text) {
			if c.kind = single; strings.Contains(" \t\n", c.text) {
				c.kind = blank
			}
		}
		all, quoted = append(all, c), false
	}
	return all
}

// until counts the characters before the first that separates.
func until(all []character) (n int) {
	for n < len(all) && all[n].kind == ordinary {
		n++
	}
	return n
}

// separated is what follows the separator that a text begins with.
func separated(all []character) []character {
	all = after(all, blank)
	if len(all) > 0 && all[0].kind == single {
		all = after(all[1:], blank)
	}
	return all
}

func after(all []character, kind int) []character {
	for len(all) > 0 && all[0].kind == kind {
		all = all[1:]
	}
	return all
}

func joined(all []character) string {
	var b strings.Builder
	for _, c := range all {
		b.WriteString(c.text)
	}
	return b.String()
}
