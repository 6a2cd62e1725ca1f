package plain

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"ascii", "go test ./... && echo 'ok'", "go test ./... && echo 'ok'"},
		{"escape", "\x1b[2J\x1b]0;x\a", `\x1b[2J\x1b]0;x\x07`},
		{"line ends", "a\r\nb\tc", `a\r\nb\tc`},
		{"nul, backspace, delete", "a\x00\b\x7f", `a\x00\x08\x7f`},
		{"C1", "a\u009b31m", `a\u{9b}31m`},
		{"invalid", "a\x9b\xff\xc3", `a\x9b\xff\xc3`},
		{"replacement character", "a\ufffd", "a\ufffd"},
		{"bidi", "a\u202eb\u2066c\u200f\u061c", `a\u{202e}b\u{2066}c\u{200f}\u{61c}`},
		{"zero width", "a\u200bb\u200cc\u200dd\u2060\ufeff", `a\u{200b}b\u{200c}c\u{200d}d\u{2060}\u{feff}`},
		{"tags", "a\U000e0041\U000e007f", `a\u{e0041}\u{e007f}`},
		{"fillers", "\u115f\u1160\u3164\uffa0\u2800\u034f", `\u{115f}\u{1160}\u{3164}\u{ffa0}\u{2800}\u{34f}`},
		{"spaces", "a\u00a0b\u2003\u202f\u3000\u1680", `a\u{a0}b\u{2003}\u{202f}\u{3000}\u{1680}`},
		{"separators", "a\u2028b\u2029", `a\u{2028}b\u{2029}`},
		{"private use", "\ue000\U000f0000", `\u{e000}\u{f0000}`},
		{"unassigned", "\u0378\U0001fbff", `\u{378}\u{1fbff}`},
		{"soft hyphen", "a\u00adb", `a\u{ad}b`},
		{"variation selectors", "a\ufe0f\ufe00\U000e0100", `a\u{fe0f}\u{fe00}\u{e0100}`},
		{"languages", "Grüße, мир, 世界, 한글, ไทย, हिन्दी, العربية", "Grüße, мир, 世界, 한글, ไทย, हिन्दी, العربية"},
		{"decomposed", "e\u0301", "e\u0301"},
		{"mark first", "\u0301a", `\u{301}a`},
		{"mark on a space", "a \u0301", `a \u{301}`},
		{"mark on a sign", "/\u0338", `/\u{338}`},
		{"mark on an escape", "\x1b\u0301", `\x1b\u{301}`},
		{"flood of marks", "a" + strings.Repeat("\u0301", 8), "a" + strings.Repeat("\u0301", 6) + `\u{301}\u{301}`},
		{"emoji", "⚠️ 👩🏽‍❤️‍💋‍👨🏿 🇩🇪 1️⃣ ✔︎", "⚠️ 👩🏽‍❤️‍💋‍👨🏿 🇩🇪 1️⃣ ✔︎"},
		{"joiner at the end", "👩\u200d", `👩\u{200d}`},
		{"joiner before a letter", "👩\u200da", `👩\u{200d}a`},
		{"two joiners", "👩\u200d\u200d👩", `👩\u{200d}\u{200d}👩`},
		{"selector twice", "⚠\ufe0f\ufe0f", "⚠\ufe0f" + `\u{fe0f}`},
		{"selector on a digit", "1\ufe0f2", `1\u{fe0f}2`},
	}
	for _, tt := range tests {
		if got := Line(tt.in); got != tt.want {
			t.Errorf("%s: Line(%q) = %q; want %q", tt.name, tt.in, got, tt.want)
		}
	}
}

func TestText(t *testing.T) {
	if got, want := Text("a\tb\r\nc\x1b\n"), "a\tb\\r\nc\\x1b\n"; got != want {
		t.Errorf("Text = %q; want %q", got, want)
	}
}

func TestWidth(t *testing.T) {
	tests := []struct {
		in   string
		want int
	}{
		{"", 0}, {"abc", 3}, {"世界", 4}, {"e\u0301", 1}, {"👩🏽‍❤️‍💋‍👨🏿", 2}, {"⚠️", 2}, {"🇩🇪", 2}, {"a\tb", 10},
		{"👩" + strings.Repeat("\u200d👩", 100), 186}, // a flood does not pass as one character
	}
	for _, tt := range tests {
		if got := Width(tt.in); got != tt.want {
			t.Errorf("Width(%q) = %d; want %d", tt.in, got, tt.want)
		}
	}
}

func TestSplit(t *testing.T) {
	tests := []struct {
		in         string
		columns    int
		head, rest string
	}{
		{"abc", 3, "abc", ""}, {"abc", 2, "ab", "c"}, {"abc", 0, "a", "bc"}, {"世界", 3, "世", "界"},
		{"ae\u0301b", 2, "ae\u0301", "b"}, {"", 3, "", ""}, {"⚠️⚠️", 1, "⚠️", "⚠️"},
		{strings.Repeat("👩\u200d", 100), 4, "👩\u200d👩\u200d", strings.Repeat("👩\u200d", 98)},
	}
	for _, tt := range tests {
		if head, rest := Split(tt.in, tt.columns); head != tt.head || rest != tt.rest {
			t.Errorf("Split(%q, %d) = %q, %q; want %q, %q", tt.in, tt.columns, head, rest, tt.head, tt.rest)
		}
	}
}

func TestCut(t *testing.T) {
	tests := []struct {
		in      string
		columns int
		want    string
	}{
		{"short", 5, "short"},
		{"世界", 4, "世界"},
		{"12345678901234567890", 19, "12345678… (12 more)"},
		{strings.Repeat("x", 5000), 20, "xxxxxx… (4,994 more)"},
		{"a\nb", 4, `a\nb`},
		{strings.Repeat("x", 30), 1, "… (30 more)"},
	}
	for _, tt := range tests {
		if got := Cut(tt.in, tt.columns); got != tt.want {
			t.Errorf("Cut(%q, %d) = %q; want %q", tt.in, tt.columns, got, tt.want)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -4310: "-4,310"} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q; want %q", n, got, want)
		}
	}
}

func TestWriter(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"text", "ok\n\tdone ü 世界 👩‍👧\n", "ok\n\tdone ü 世界 👩‍👧\n"},
		{"escape", "\x1b[31mred\u202e", `\x1b[31mred\u{202e}`},
		{"windows line ends", "a\r\nb\r\n", "a\nb\n"},
		{"progress", "10%\r20%\r\n\r\r\n", "10%\n20%\n\n\n"},
		{"odd spaces", "a\u00a0b\u3000c", "a b c"},
		{"cut off", "a\xe4\xb8", `a\xe4\xb8`},
		{"joiner at the end", "👩\u200d", `👩\u{200d}`},
		{"continuation bytes", "\x80\x80\x80\x80\x80", `\x80\x80\x80\x80\x80`},
	}
	for _, tt := range tests {
		for size := 1; size <= len(tt.in); size++ {
			if got := pieces(t, tt.in, size); got != tt.want {
				t.Errorf("%s in pieces of %d: %q; want %q", tt.name, size, got, tt.want)
			}
		}
	}
}

// pieces writes s in pieces of that many bytes.
func pieces(t *testing.T, s string, size int) string {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	for s != "" {
		n := min(size, len(s))
		if got, err := w.Write([]byte(s[:n])); got != n || err != nil {
			t.Fatalf("Write = %d, %v; want %d, nil", got, err, n)
		}
		s = s[n:]
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriterError(t *testing.T) {
	if n, err := NewWriter(broken{}).Write([]byte("x\x1b")); n != 0 || !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("Write = %d, %v; want 0, %v", n, err, io.ErrClosedPipe)
	}
}

// unsafe finds the first rune of s that may not reach a terminal.
func unsafe(s string, lines bool) (rune, bool) {
	var prev rune
	for _, r := range s {
		switch {
		case lines && (r == '\n' || r == '\t'):
		case r == joiner || r == asEmoji || r == asText:
			if !pictograph(prev) && prev != asEmoji && !unicode.IsDigit(prev) {
				return r, true
			}
		case r != ' ' && hidden(r):
			return r, true
		}
		prev = r
	}
	return 0, false
}

func FuzzPlain(f *testing.F) {
	for _, s := range []string{"a\x1b[2Jb", "\u202e\u200b👩\u200d👧1\ufe0f\u20e3", "a\xffb\r\nc\u0301\u0301", "\u3164\U000e0041"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		size := 1 + int(uint(n)%7)
		for _, tt := range []struct {
			name  string
			got   string
			lines bool
		}{{"Line", Line(s), false}, {"Text", Text(s), true}, {"Writer", pieces(t, s, size), true}} {
			if r, bad := unsafe(tt.got, tt.lines); bad || !utf8.ValidString(tt.got) {
				t.Errorf("%s(%q) = %q holds %U", tt.name, s, tt.got, r)
			}
		}
		if once := Line(s); Line(once) != once {
			t.Errorf("Line(%q) = %q, and again %q", s, once, Line(once))
		}
		if once := Text(s); Text(once) != once {
			t.Errorf("Text(%q) = %q, and again %q", s, once, Text(once))
		}
		if got, want := pieces(t, s, size), pieces(t, s, max(len(s), 1)); got != want {
			t.Errorf("%q in pieces of %d: %q; want %q", s, size, got, want)
		}
		line, columns := Line(s), size*3
		if head, rest := Split(line, columns); head+rest != line || head == "" && line != "" {
			t.Errorf("Split(%q, %d) = %q, %q", line, columns, head, rest)
		}
	})
}

func BenchmarkWriter(b *testing.B) {
	for name, piece := range map[string]string{
		"ascii": strings.Repeat("the quick brown fox, ", 5)[:100],
		"mixed": strings.Repeat("naïve – “quoted” ✓ ", 5)[:100],
		"han":   strings.Repeat("世界", 16) + "1234",
	} {
		b.Run(name, func(b *testing.B) {
			w, p := NewWriter(io.Discard), []byte(piece)
			b.SetBytes(int64(len(p)))
			b.ReportAllocs()
			for b.Loop() {
				w.Write(p)
			}
		})
	}
}

func TestFold(t *testing.T) {
	tests := []struct {
		name    string
		columns int
		in      string
		want    string
	}{
		{"no limit", 0, "one two three", "one two three"},
		{"room", 13, "one two three\n", "one two three\n"},
		{"words", 9, "one two three four", "one two\n  three\n  four"},
		{"indented", 9, "  one two three", "  one two\n    three"},
		{"a list", 20, "  1  allow this, and that\n  22  x\n", "  1  allow this, and\n     that\n  22  x\n"},
		{"a list with little room", 20, "  /rule RULE ACTION   one more rule: that", "  /rule RULE ACTION\n      one more rule:\n      that"},
		{"parts", 18, "1 allowed · 12 turns · 3s", "1 allowed ·\n  12 turns · 3s"},
		{"a long word", 6, "an extraordinary word", "an\n  extraordinary\n  word"},
		{"wide", 7, "世界 世界", "世界\n  世界"},
		{"blanks at the end", 4, "one two   ", "one\n  two"},
		{"nothing but blanks", 2, "     ", ""},
	}
	for _, tt := range tests {
		if got := Fold(tt.in, tt.columns); got != tt.want {
			t.Errorf("%s: Fold(%q, %d) = %q; want %q", tt.name, tt.in, tt.columns, got, tt.want)
		}
	}
}

// Whatever the text, no word is lost, and no row of several words is too wide but those of words that are.
func FuzzFold(f *testing.F) {
	f.Add("  1  allow · it\n世界", 12)
	f.Fuzz(func(t *testing.T, text string, columns int) {
		text = Text(text)
		folded := Fold(text, columns)
		if got, want := strings.Join(strings.Fields(folded), " "), strings.Join(strings.Fields(text), " "); got != want {
			t.Errorf("Fold(%q, %d) = %q", text, columns, folded)
		}
		if again := strings.Count(folded, "\n") - strings.Count(text, "\n"); again > len(strings.Fields(text)) {
			t.Errorf("Fold(%q, %d) = %q: rows without words", text, columns, folded)
		}
	})
}
