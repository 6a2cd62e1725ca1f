//go:build !windows

package ask

import (
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// typed is what the library gets of keys.
func typed(keys string) string {
	k := &keyboard{}
	for _, c := range []byte(keys) {
		k.take(c)
	}
	return string(k.ready)
}

func TestKeyboard(t *testing.T) {
	for _, tt := range []struct{ name, keys, want string }{
		{"text", "fix it\r", "fix it\r"},
		{"other scripts", "grüße 世界 👩", "grüße 世界 👩"},
		{"arrows", "\x1b[A\x1bOB\x1b[1;5C", "\x1b[A\x1b[B\x1b[1;3C"},
		{"unknown keys", "\x1b[15~a\x1b\x1bb\x1b[?1;2c\x1b[<0;1;2Mc", "abc"},
		{"a report", "\x1b[12;40R", ""},
		{"a sequence without end", "\x1b[" + strings.Repeat("1", 64), strings.Repeat("1", 34)},
		{"hidden", "a\u202eb\u200bc\u009bd", "a\ufffdb\ufffdc\ufffdd"},
		{"invalid", "a\xffb", "a\ufffdb"},
		{"a paste", "\x1b[200~a\r\nb\x1b[2J\x1b]0;x\x07\x03\x7f\x1b[201~\r", "\x1b[200~a\r\nb[2J]0;x\x1b[201~\r"},
		{"Ctrl-C", "ab\x03", "ab\x03"},
		{"Ctrl-C in a sequence", "\x1b[1\x03", "\x03"},
	} {
		if got := typed(tt.keys); got != tt.want {
			t.Errorf("%s: %q gives %q; want %q", tt.name, tt.keys, got, tt.want)
		}
	}
	if _, err := (&keyboard{}).Read(nil); err != io.EOF {
		t.Errorf("who asks for nothing gets %v", err)
	}
}

// Nothing that is typed or pasted acts on the terminal when the library shows it.
func FuzzKeyboard(f *testing.F) {
	f.Add("\x1b[200~\x1b]0;x\x07\x1b[201~\u202e\x1b[A")
	f.Fuzz(func(t *testing.T, keys string) {
		k := &keyboard{}
		for _, c := range []byte(keys) {
			k.take(c)
			if len(k.held) > maxSequence {
				t.Fatalf("%d bytes are held", len(k.held))
			}
		}
		rest := string(k.ready)
		for _, known := range editKeys {
			rest = strings.ReplaceAll(rest, known, "")
		}
		rest = strings.NewReplacer(pasteBegins, "", pasteEnds, "").Replace(rest)
		for _, r := range rest {
			if r == escape || r >= utf8.RuneSelf && r != utf8.RuneError && !unicode.IsPrint(r) && !unicode.IsMark(r) {
				t.Errorf("%q lets %q through: %q", keys, r, rest)
			}
		}
	})
}
