package plain

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON gives valid JSON in which what a terminal would act on, hide or reorder is spelt as \u202e. It has the same value.
func JSON(text []byte) []byte {
	ascii := 0
	for ascii < len(text) && text[ascii] < 0x7f {
		ascii++
	}
	n := bytes.IndexFunc(text[ascii:], spelt)
	if n < 0 {
		return text
	}
	n += ascii
	safe := append(make([]byte, 0, len(text)+len(text)/4+16), text[:n]...)
	for rest := text[n:]; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if !spelt(r) {
			safe = append(safe, rest[:size]...)
		} else if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
			safe = appendUnit(appendUnit(safe, high), low)
		} else {
			safe = appendUnit(safe, r)
		}
		rest = rest[size:]
	}
	return safe
}

// spelt reports whether JSON has an escape for r here. Of what JSON has raw outside of its strings nothing has.
func spelt(r rune) bool { return r >= 0x7f && !ordinary(r) && hidden(r) }

func appendUnit(dst []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}
