package runner

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// echo writes its arguments.
func echo(c call) error {
	newline, escapes, args := true, false, c.args
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(args[0][1:], "neE") == "" {
		for _, letter := range args[0][1:] {
			newline = newline && letter != 'n'
			escapes = letter == 'e' || escapes && letter != 'E'
		}
		args = args[1:]
	}
	text := strings.Join(args, " ")
	if escapes {
		var ended bool
		if text, ended = unescaped(text, false); ended {
			return c.write(text)
		}
	}
	if newline {
		text += "\n"
	}
	return c.write(text)
}

// unescaped follows the escapes of echo -e, or of printf %b, where octal numbers need no 0; ended reports \c.
func unescaped(text string, octal bool) (result string, ended bool) {
	var b strings.Builder
	for i := 0; i < len(text); {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			i++
			continue
		}
		if text[i+1] == 'c' {
			return b.String(), true
		}
		out, size := escape(text[i+1:], !octal || strings.IndexByte("1234567", text[i+1]) < 0)
		b.WriteString(out)
		i += 1 + size
	}
	return b.String(), false
}

// escape is what follows a backslash, and how long that is.
func escape(s string, arguments bool) (string, int) {
	const from, to = `abeEfnrtv\`, "\a\b\x1b\x1b\f\n\r\t\v\\"
	if i := strings.IndexByte(from, s[0]); i >= 0 {
		return to[i : i+1], 1
	}
	switch c := s[0]; {
	case c >= '0' && c <= '7':
		skip := 0
		if arguments {
			if c != '0' {
				return `\` + s[:1], 1
			}
			skip = 1
		}
		digits := leading(s[skip:], 3, "01234567")
		n, _ := strconv.ParseUint("0"+digits, 8, 16)
		return string([]byte{byte(n)}), skip + len(digits)
	case c == 'x' || c == 'u' || c == 'U':
		digits := leading(s[1:], map[byte]int{'x': 2, 'u': 4, 'U': 8}[c], "0123456789abcdefABCDEF")
		n, err := strconv.ParseUint(digits, 16, 32)
		switch {
		case err != nil:
			return `\` + s[:1], 1
		case c == 'x':
			return string([]byte{byte(n)}), 1 + len(digits)
		}
		return string(rune(n)), 1 + len(digits)
	case !arguments && (c == '\'' || c == '"' || c == '?'):
		return s[:1], 1
	}
	return `\` + s[:1], 1
}

// leading is the longest beginning of at most so many characters of a set.
func leading(s string, most int, set string) string {
	n := 0
	for n < len(s) && n < most && strings.IndexByte(set, s[n]) >= 0 {
		n++
	}
	return s[:n]
}

// backslashed is a text as one word of the shell, as printf %q writes it.
func backslashed(text string) string {
	if text == "" {
		return "''"
	}
	for _, r := range text {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return dollarQuoted(text)
		}
	}
	var b strings.Builder
	for i, r := range text {
		if strings.ContainsRune(" '\"\\|&;()<>!{}*[]?^$`,", r) || i == 0 && (r == '#' || r == '~') || r == '~' && i > 0 && strings.ContainsRune(":=", rune(text[i-1])) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func dollarQuoted(text string) string {
	const from, to = "\a\b\x1b\f\n\r\t\v\\'", `abEfnrtv\'`
	var b strings.Builder
	b.WriteString("$'")
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch j := strings.IndexByte(from, c); {
		case j >= 0:
			b.WriteString(`\` + to[j:j+1])
		case c < ' ' || c == 0x7f || c >= utf8.RuneSelf && !utf8.ValidString(text):
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}
