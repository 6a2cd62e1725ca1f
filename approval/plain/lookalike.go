package plain

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// Lookalike says how a name, such as a path, a host or a word of a command, could be taken for another one: letters that
// look like those of ASCII, scripts that are mixed, the name behind xn--. It is one safe line, empty for most names.
func Lookalike(name string) string {
	if isASCII(name) && !strings.Contains(strings.ToLower(name), "xn--") {
		return ""
	}
	var notes []string
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("/.:=@,?&#%'\" ", r) }) {
		note := ""
		if len(part) > len("xn--") && strings.EqualFold(part[:4], "xn--") {
			if text, err := idna.Punycode.ToUnicode(strings.ToLower(part)); err == nil && text != part {
				note = strings.TrimSuffix("is "+Line(text)+", which "+resembles(text), ", which ")
			}
		} else {
			note = resembles(part)
		}
		if note != "" {
			note = Line(part) + " " + note
		}
		if note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return strings.Join(notes, "; ")
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}

// resembles says what a part of a name looks like, empty if that is itself.
func resembles(part string) string {
	var same strings.Builder
	var odd, scripts []string
	other := false
	for _, r := range part {
		script := scriptOf(r)
		if script != "" && !slices.Contains(scripts, script) {
			scripts = append(scripts, script)
		}
		like := ascii(r)
		switch {
		case like == 0:
			other = true
		case like != r:
			if note := oddity(r, script); !slices.Contains(odd, note) {
				odd = append(odd, note)
			}
		}
		same.WriteRune(like)
	}
	switch {
	case !other && odd != nil:
		return "looks like " + Line(same.String()) + " but has " + strings.Join(odd, ", ")
	case len(scripts) > 1 && slices.Contains(scripts, "Latin"):
		return "mixes " + strings.Join(scripts, " and ")
	}
	return ""
}

func oddity(r rune, script string) string {
	if script == "" || script == "Latin" {
		return fmt.Sprintf("%c (U+%04X)", r, r)
	}
	return script + " " + string(r)
}

// scripts are those whose letters are taken for Latin ones.
var scripts = []struct {
	name  string
	table *unicode.RangeTable
}{
	{"Latin", unicode.Latin}, {"Cyrillic", unicode.Cyrillic}, {"Greek", unicode.Greek}, {"Armenian", unicode.Armenian},
	{"Cherokee", unicode.Cherokee}, {"Coptic", unicode.Coptic},
}

func scriptOf(r rune) string {
	for _, s := range scripts {
		if unicode.Is(s.table, r) {
			return s.name
		}
	}
	return ""
}

// ascii is the character of ASCII that a rune is or looks like, 0 if there is none.
func ascii(r rune) rune {
	switch {
	case r <= unicode.MaxASCII:
		return r
	case 0xff01 <= r && r <= 0xff5e: // fullwidth
		return r - 0xfee0
	case 0x1d400 <= r && r < 0x1d6a4: // mathematical letters, in thirteen styles
		const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		return rune(letters[(r-0x1d400)%52])
	case 0x1d7ce <= r && r <= 0x1d7ff:
		return '0' + (r-0x1d7ce)%10
	}
	return likeASCII[r]
}

// likeASCII are characters that most fonts draw like one of ASCII. See Unicode Technical Standard #39, confusables.txt.
var likeASCII = map[rune]rune{
	'а': 'a', 'с': 'c', 'ԁ': 'd', 'е': 'e', 'һ': 'h', 'і': 'i', 'ј': 'j', 'ӏ': 'l', 'о': 'o', 'р': 'p', 'ԛ': 'q', 'ѕ': 's',
	'ѵ': 'v', 'ԝ': 'w', 'х': 'x', 'у': 'y', 'ү': 'y', 'А': 'A', 'В': 'B', 'С': 'C', 'Е': 'E', 'Н': 'H', 'І': 'I', 'Ј': 'J',
	'К': 'K', 'М': 'M', 'О': 'O', 'Р': 'P', 'Ѕ': 'S', 'Т': 'T', 'Х': 'X', 'У': 'Y', 'Ү': 'Y', 'Ӏ': 'I', 'З': '3', 'б': '6',
	'α': 'a', 'γ': 'y', 'ι': 'i', 'ν': 'v', 'ο': 'o', 'ρ': 'p', 'υ': 'u', 'ϲ': 'c', 'ϳ': 'j', 'Α': 'A', 'Β': 'B', 'Ε': 'E',
	'Ζ': 'Z', 'Η': 'H', 'Ι': 'I', 'Κ': 'K', 'Μ': 'M', 'Ν': 'N', 'Ο': 'O', 'Ρ': 'P', 'Τ': 'T', 'Υ': 'Y', 'Χ': 'X',
	'օ': 'o', 'ս': 'u', 'հ': 'h', 'ո': 'n', 'ց': 'g', 'յ': 'j',
	'Ꭺ': 'A', 'Ꮯ': 'C', 'Ꭼ': 'E', 'Ꮋ': 'H', 'Ꭻ': 'J', 'Ꮶ': 'K', 'Ꮮ': 'L', 'Ꮇ': 'M', 'Ꮲ': 'P', 'Ꮪ': 'S', 'Ꮩ': 'V', 'Ꮃ': 'W', 'Ꮓ': 'Z',
	'ı': 'i', 'ɑ': 'a', 'ɡ': 'g', 'ɩ': 'i', 'ℓ': 'l', '\u212a': 'K',
	'⁄': '/', '∕': '/', '⧸': '/', '․': '.', '。': '.', '｡': '.', '‐': '-', '‑': '-', '–': '-', '−': '-', '∶': ':', '﹕': ':', '﹣': '-',
}
