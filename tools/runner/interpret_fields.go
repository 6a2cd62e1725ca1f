package runner

import (
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/pattern"
)

// fields sets an array to the words that follow its name.
func fields(c call) error { return c.assignAll(c.args[0], c.args[1:]) }

// quoted sets an array to words as the shell reads them again.
func quoted(c call) error {
	words := make([]string, 0, len(c.args))
	for _, w := range c.args[1:] {
		words = append(words, requoted(w))
	}
	return c.assignAll(c.args[0], words)
}

// requoted is a text as ${x@Q} writes it.
func requoted(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return dollarQuoted(text)
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// replaced sets an array to words of which the beginning or the end that matches a pattern was replaced.
func replaced(c call) error {
	name, atStart, with := c.args[0], c.args[1] == "#", c.args[3]
	text, err := pattern.Regexp(c.args[2], pattern.ExtendedOperators)
	if err != nil {
		return c.fail(1, "%s: %v", c.args[2], err)
	}
	if text = "(?s:" + text + ")"; atStart {
		text = "^" + text
	} else {
		text += "$"
	}
	expr, err := regexp.Compile(text)
	if err != nil {
		return c.fail(1, "%s: %v", c.args[2], err)
	}
	expr.Longest()
	words := make([]string, 0, len(c.args))
	for _, w := range c.args[4:] {
		if at := expr.FindStringIndex(w); at != nil {
			w = w[:at[0]] + with + w[at[1]:]
		}
		words = append(words, w)
	}
	return c.assignAll(name, words)
}
