package render

import (
	"io"
	"strings"
	"testing"
)

func wrap(text string, columns, piece int) string {
	var b strings.Builder
	w := &wrapped{to: &b, columns: func() int { return columns }}
	for runes := []rune(text); len(runes) > 0; {
		n := min(piece, len(runes))
		w.Write([]byte(string(runes[:n])))
		runes = runes[n:]
	}
	w.Write([]byte("\n"))
	return b.String()
}

func TestWrapped(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"short", "one two", "one two\n"},
		{"words", "one two three four five", "one two\nthree four\nfive\n"},
		{"lines", "one two three\n\nfour", "one two\nthree\n\nfour\n"},
		{"to the edge", "0123456789 ab", "0123456789\nab\n"},
		{"a long word", "a 0123456789012 b c", "a\n0123456789012 b c\n"},
		{"list", "- one two three\n12. one two", "- one two\n  three\n12. one\n    two\n"},
		{"indented", "  one two three", "  one two\n  three\n"},
		{"code", "```go\nfmt.Println(one, two)\n```\none two three", "```go\nfmt.Println(one, two)\n```\none two\nthree\n"},
		{"indented code", "    fmt.Println(one, two)", "    fmt.Println(one, two)\n"},
		{"table", "| one | two | three |", "| one | two | three |\n"},
		{"wide", "世界世界世界世 ab", "世界世界世\n界世 ab\n"},
		{"like a question", "one two Your choice", "one two\n  Your\nchoice\n"},
		{"blanks", "one  two  \nx", "one  two  \nx\n"},
	}
	for _, tt := range tests {
		for _, piece := range []int{1, 3, 100} {
			if got := wrap(tt.text, 10, piece); got != tt.want {
				t.Errorf("%s in pieces of %d: %q; want %q", tt.name, piece, got, tt.want)
			}
		}
	}
	if got := wrap("one two three", 0, 1); got != "one two three\n" {
		t.Errorf("on what is no terminal: %q", got)
	}
}

// Nothing is lost but blanks, whatever the pieces.
func FuzzWrapped(f *testing.F) {
	f.Add("- one 世界 ```", 7, 2)
	f.Fuzz(func(t *testing.T, text string, columns, piece int) {
		if piece < 1 {
			return
		}
		text = strings.ToValidUTF8(text, "")
		got, want := strings.Join(strings.Fields(wrap(text, columns, piece)), ""), strings.Join(strings.Fields(text), "")
		if got != want {
			t.Errorf("%q is %q", text, got)
		}
	})
}

// However many blanks a model sends, few are held.
func TestWrappedHoldsLittle(t *testing.T) {
	var b strings.Builder
	w := &wrapped{to: &b, columns: func() int { return 40 }}
	for range 100 {
		io.WriteString(w, strings.Repeat(" ", 1000))
		if w.blanks > maxWord {
			t.Fatalf("%d blanks are held", w.blanks)
		}
	}
	if io.WriteString(w, "\n"); b.String() != strings.Repeat(" ", 100_000)+"\n" {
		t.Errorf("%d bytes were written", b.Len())
	}
}
