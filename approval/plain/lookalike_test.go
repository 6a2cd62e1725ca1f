package plain

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLookalike(t *testing.T) {
	tests := []struct{ name, want string }{
		{"example.com", ""}, {"/home/ann/a b.txt", ""}, {"", ""}, {"café/naïve.txt", ""}, {"файл.txt", ""}, {"日本語.md", ""},
		{"α/β.tex", "α looks like a but has Greek α"},
		{"аpple.com", "аpple looks like apple but has Cyrillic а"},
		{"https://раураl.com/x", "раураl looks like paypal but has Cyrillic р, Cyrillic а, Cyrillic у"},
		{"xn--pple-43d.com", "xn--pple-43d is аpple, which looks like apple but has Cyrillic а"},
		{"XN--80ak6aa92e.com", "XN--80ak6aa92e is аррӏе, which looks like apple but has Cyrillic а, Cyrillic р, Cyrillic ӏ, Cyrillic е"},
		{"xn--mnchen-3ya.de", "xn--mnchen-3ya is münchen"},
		{"xn--", ""}, {"xn--\x1b[2J", ""}, {"xn--99999999999", ""},
		{"привет-world", "привет-world mixes Cyrillic and Latin"},
		{"etc∕passwd", "etc∕passwd looks like etc/passwd but has ∕ (U+2215)"},
		{"ｒｍ", "ｒｍ looks like rm but has ｒ (U+FF52), ｍ (U+FF4D)"},
		{"𝐬𝐮𝐝𝐨", "𝐬𝐮𝐝𝐨 looks like sudo but has 𝐬 (U+1D42C), 𝐮 (U+1D42E), 𝐝 (U+1D41D), 𝐨 (U+1D428)"},
		{"о/о", "о looks like o but has Cyrillic о"},
	}
	for _, tt := range tests {
		if got := Lookalike(tt.name); got != tt.want {
			t.Errorf("Lookalike(%q) = %q; want %q", tt.name, got, tt.want)
		}
	}
}

// Whatever the name, what is said about it is one safe line, and nothing is said about ASCII.
func TestLookalikeIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.StringMatching(`(xn--)?[a-zа-я\x{202e}\x1b/.-]{0,20}`)).Draw(t, "name")
		note := Lookalike(name)
		if Line(note) != note {
			t.Fatalf("%q is not safe", note)
		}
		if isASCII(name) && !strings.Contains(strings.ToLower(name), "xn--") && note != "" {
			t.Fatalf("%q of plain %q", note, name)
		}
	})
}
