package shell

import "strings"

// regexEnd returns where a regular expression ends that a character ends, -1 if it does not or if programs differ about where:
// not to all of them is that character literal between brackets, and a backslash there escapes for some.
func regexEnd(text string, end byte) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case end:
			re := text[:i]
			if closed(re, false, false) && closed(re, false, true) && closed(re, true, false) && closed(re, true, true) {
				return i
			}
			return -1
		case '\\':
			i++
		}
	}
	return -1
}

// closed reports whether all brackets of a regular expression are closed, if there are classes like [:alpha:] in them, and if
// a backslash escapes in them.
func closed(re string, classes, escapes bool) bool {
	for i := 0; i < len(re); i++ {
		switch re[i] {
		case '\\':
			i++
		case '[':
			n := bracket(re[i+1:], classes, escapes)
			if n < 0 {
				return false
			}
			i += n + 1
		}
	}
	return true
}

// bracket returns where the bracket ends that stands before re, -1 if it does not.
func bracket(re string, classes, escapes bool) int {
	i := len(re) - len(strings.TrimPrefix(strings.TrimPrefix(re, "^"), "]"))
	for i < len(re) {
		switch c := re[i]; {
		case c == ']':
			return i
		case escapes && c == '\\':
			i += 2
		case classes && c == '[' && i+1 < len(re) && strings.IndexByte(":.=", re[i+1]) >= 0:
			n := strings.Index(re[i+2:], re[i+1:i+2]+"]")
			if n < 0 {
				return -1
			}
			i += n + 4
		default:
			i++
		}
	}
	return -1
}
