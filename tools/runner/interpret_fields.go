package runner

import "strings"

// fields sets an array to the words that follow its name.
func fields(c call) error { return c.prepare(c.args[0], c.args[1:]) }

// prepare sets an array before a statement, for which $? stays what it is.
func (c call) prepare(name string, values []string) error {
	if err := c.assignAll(name, values); err != nil {
		return err
	}
	return c.status()
}

// quoted sets an array to words as the shell reads them again.
func quoted(c call) error {
	words := make([]string, 0, len(c.args))
	for _, w := range c.args[1:] {
		words = append(words, requoted(w))
	}
	return c.prepare(c.args[0], words)
}

// requoted is a text as ${x@Q} writes it.
func requoted(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return dollarQuoted(text)
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
