package render

import (
	"strings"
	"testing"
)

func quotedIn(text string, piece int) string {
	var b strings.Builder
	q := &quoted{to: &b}
	for rest := text; rest != ""; {
		n := min(piece, len(rest))
		q.Write([]byte(rest[:n]))
		rest = rest[n:]
	}
	q.Write([]byte("\n"))
	return b.String()
}

// A model that writes what a question looks like is seen to be quoting one.
func TestQuoted(t *testing.T) {
	bar := strings.Repeat("=", 60)
	for _, tt := range []struct{ text, want string }{
		{"I made it.\n\nYour tests pass.\n", "I made it.\n\nYour tests pass.\n\n"},
		{bar + "\n⚠️  DESTRUCTIVE OPERATION REQUESTED\n" + bar, "| " + bar + "\n| ⚠️  DESTRUCTIVE OPERATION REQUESTED\n| " + bar + "\n"},
		{"Look:\n  Your   choice [1/2/3]: 1\nx", "Look:\n|   Your   choice [1/2/3]: 1\nx\n"},
		{"DESTRUCTIVE OPERATION REQUESTED", "| DESTRUCTIVE OPERATION REQUESTED\n"},
		{"tricode: denied", "| tricode: denied\n"}, {"tricode is a command", "tricode is a command\n"},
		{"⚠️ Mind the gap", "⚠️ Mind the gap\n"}, {"Title\n=====", "Title\n=====\n"}, {"Your choice", "Your choice\n"}, {"==", "==\n"}, {"  ", "  \n"},
	} {
		for _, piece := range []int{1, 3, 1000} {
			if got := quotedIn(tt.text, piece); got != tt.want {
				t.Errorf("%q in pieces of %d: %q; want %q", tt.text, piece, got, tt.want)
			}
		}
	}
}

// Nothing but marks is added, and the pieces make no difference.
func FuzzQuoted(f *testing.F) {
	f.Add("====\n  Your choice [1\n⚠️  DES", 2)
	f.Fuzz(func(t *testing.T, text string, piece int) {
		if piece < 1 || piece > len(text) {
			piece = 1
		}
		got := quotedIn(text, piece)
		if whole := quotedIn(text, len(text)+1); got != whole {
			t.Errorf("%q in pieces of %d: %q; in one %q", text, piece, got, whole)
		}
		lines := strings.Split(got, "\n")
		for i, line := range strings.Split(text+"\n", "\n") {
			if lines[i] != line && lines[i] != quote+line {
				t.Errorf("%q became %q", line, lines[i])
			}
		}
	})
}
