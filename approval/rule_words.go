package approval

import "strings"

// splitWords splits a command into words as a shell does; ok is false if it is more than one simple command with
// literal words.
func splitWords(text string) (words []string, ok bool) {
	var word strings.Builder
	started := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\'':
			end := strings.IndexByte(text[i+1:], '\'')
			if end < 0 {
				return words, false
			}
			word.WriteString(text[i+1 : i+1+end])
			i, started = i+1+end, true
		case c == '"':
			end := strings.IndexByte(text[i+1:], '"')
			if end < 0 || strings.ContainsAny(text[i+1:i+1+end], "$`\\") {
				return words, false
			}
			word.WriteString(text[i+1 : i+1+end])
			i, started = i+1+end, true
		case c == '\\' && i+1 < len(text) && text[i+1] != '\n':
			i++
			word.WriteByte(text[i])
			started = true
		case !started && homeOf(text[i:]) != "":
			word.WriteString(homeOf(text[i:]))
			i, started = i+len(homeOf(text[i:]))-1, true
		case c == ' ' || c == '\t' || c == '\n' && strings.TrimSpace(text[i:]) == "":
			if started {
				words = append(words, word.String())
				word.Reset()
			}
			started = false
		case strings.IndexByte("\n;|&<>()$`\\*?[{~#!", c) >= 0 && (!started || strings.IndexByte("~#!", c) < 0):
			return words, false
		default:
			word.WriteByte(c)
			started = true
		}
	}
	if started {
		words = append(words, word.String())
	}
	return words, true
}

// homeOf is the spelling of the home or the work directory that a text begins with, empty if it is neither.
func homeOf(text string) string {
	for _, h := range [...]string{"~", "$HOME", "${HOME}", "$PWD", "${PWD}"} {
		if rest, ok := strings.CutPrefix(text, h); ok && (rest == "" || strings.ContainsAny(rest[:1], "/ \t")) {
			return h
		}
	}
	return ""
}
