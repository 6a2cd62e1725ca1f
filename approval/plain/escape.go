package plain

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// kind says what may stand in the result.
type kind int

const (
	line   kind = iota // no line ends, no tabs
	text               // line feeds and tabs
	stream             // the same; a carriage return begins a new line and odd spaces are ordinary ones
)

// clean is how many bytes at the beginning of s are safe whatever follows: printable ASCII.
func clean[T string | []byte](s T, k kind) int {
	for i := range len(s) {
		if c := s[i]; !printable(c) && (k == line || c != '\n' && c != '\t') {
			return i
		}
	}
	return len(s)
}

// maxMarks is how many combining marks a character may carry; the scripts that stack most need six.
const maxMarks = 6

const (
	joiner  = '\u200d' // makes one emoji of two
	asText  = '\ufe0e' // selects the plain form of a pictograph
	asEmoji = '\ufe0f' // selects the coloured form, also of a digit with a keycap
	keycap  = '\u20e3' // makes a key of a digit
)

// escaper makes text safe rune by rune. Its state is bounded.
type escaper struct {
	kind  kind
	prev  rune // the last one that was let through; 0 at the beginning and after an escape
	marks int  // combining marks since their base
	held  rune // a joiner or asEmoji that only the next rune can justify
}

// add appends the safe form of p to dst. A rune that is cut off at the end of p counts as invalid.
func (e *escaper) add(dst, p []byte) []byte {
	for len(p) > 0 {
		if e.prev == '\r' {
			e.prev = '\n'
			if p[0] == '\n' { // the rest of a line end that is written already
				p = p[1:]
				continue
			}
		}
		if e.held == 0 {
			if n := clean(p, e.kind); n > 0 {
				dst = append(dst, p[:n]...)
				e.prev, e.marks = rune(p[n-1]), 0
				p = p[n:]
				continue
			}
		}
		r, n := utf8.DecodeRune(p)
		if r == utf8.RuneError && n == 1 {
			dst = fmt.Appendf(e.end(dst), `\x%02x`, p[0])
		} else {
			dst = e.rune(dst, r)
		}
		p = p[n:]
	}
	return dst
}

// end appends what is held back, which nothing justifies now, and forgets what came before.
func (e *escaper) end(dst []byte) []byte {
	if e.held != 0 {
		dst = appendEscape(dst, e.held)
	}
	*e = escaper{kind: e.kind}
	return dst
}

func (e *escaper) rune(dst []byte, r rune) []byte {
	switch {
	case e.held == 0:
	case e.held == joiner && pictograph(r) && unicode.IsGraphic(r), e.held == asEmoji && r == keycap:
		dst = utf8.AppendRune(dst, e.held)
		e.held = 0
	default:
		dst = e.end(dst)
	}
	switch {
	case ordinary(r) || e.kind != line && (r == '\n' || r == '\t'):
		return e.keep(dst, r)
	case e.kind == stream && r == '\r':
		e.prev = r
		return append(dst, '\n')
	case e.kind == stream && unicode.Is(unicode.Zs, r):
		return e.keep(dst, ' ')
	case r == joiner && (pictograph(e.prev) || e.prev == asEmoji),
		r == asEmoji && '0' <= e.prev && e.prev <= '9':
		e.held = r
		return dst
	case (r == asText || r == asEmoji) && pictograph(e.prev):
		e.prev = r
		return utf8.AppendRune(dst, r)
	case hidden(r) || unicode.IsMark(r) && !e.carries():
		return appendEscape(e.end(dst), r)
	case unicode.IsMark(r):
		e.prev = r
		e.marks++
		return utf8.AppendRune(dst, r)
	}
	return e.keep(dst, r)
}

func (e *escaper) keep(dst []byte, r rune) []byte {
	e.prev, e.marks = r, 0
	return utf8.AppendRune(dst, r)
}

// carries reports whether another combining mark may follow. On a space or a sign it would hide or change what
// tricode itself wrote.
func (e *escaper) carries() bool {
	return e.marks < maxMarks && (e.prev >= utf8.RuneSelf || unicode.IsLetter(e.prev) || unicode.IsDigit(e.prev))
}

// ordinary reports whether r is safe beyond doubt; it is a fast way for what most text consists of.
func ordinary(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return ' ' <= r && r < 0x7f
	case r < 0x250: // Latin
		return r > 0xa0 && r != 0xad
	}
	return 0x400 <= r && r < 0x482 || // Cyrillic
		0x2010 <= r && r < 0x2028 || 0x2500 <= r && r < 0x2600 || // dashes, quotes, boxes
		0x3041 <= r && r < 0x3097 || 0x30a1 <= r && r < 0x30fb || // Kana
		0x4e00 <= r && r < 0x9fff || 0xac00 <= r && r < 0xd7a4 // Han, Hangul
}

// pictograph reports whether r may be part of an emoji: the blocks of Unicode where they stand.
func pictograph(r rune) bool {
	return 0x1f000 <= r && r < 0x1fb00 || 0x2600 <= r && r < 0x27c0 || 0x2300 <= r && r < 0x2400 ||
		0x2b00 <= r && r < 0x2c00 || 0x2190 <= r && r < 0x2200 || 0x25a0 <= r && r < 0x2600 ||
		r == '©' || r == '®' || r == '™' || r == 'ℹ'
}

// hidden reports whether r is invisible, looks like an ordinary space, or acts on the terminal: whatever Unicode does
// not know as graphic (controls, formats, private use, unassigned), odd spaces, selectors and fillers.
func hidden(r rune) bool {
	switch r {
	case '\u2800', '\u3164', '\uffa0', '\U0001d159', '\U00016fe4': // blanks that count as letters, signs or marks
		return true
	}
	return !unicode.IsGraphic(r) || unicode.In(r, unicode.Zs, unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point)
}

func appendEscape(dst []byte, r rune) []byte {
	switch {
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\r':
		return append(dst, `\r`...)
	case r == '\t':
		return append(dst, `\t`...)
	case r < utf8.RuneSelf:
		return fmt.Appendf(dst, `\x%02x`, r)
	}
	return fmt.Appendf(dst, `\u{%x}`, r)
}
