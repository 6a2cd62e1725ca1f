package tools

import (
	"fmt"
	"strings"
	"testing"
)

// shown is what a person who reads the diff expects to become of text.
func shown(t *testing.T, text string, lines []string) string {
	t.Helper()
	if len(lines) > 0 && lines[0] == `\ All lines end with CRLF` {
		plain := shown(t, strings.ReplaceAll(text, "\r\n", "\n"), lines[1:])
		return strings.ReplaceAll(plain, "\n", "\r\n")
	}
	old := strings.SplitAfter(text, "\n")
	if old[len(old)-1] == "" {
		old = old[:len(old)-1]
	}
	var out []string
	at := 0
	take := func(want string) {
		if at >= len(old) || strings.TrimSuffix(old[at], "\n") != want {
			t.Fatalf("line %d is not %q in\n%s", at+1, want, strings.Join(lines, "\n"))
		}
		at++
	}
	for i, line := range lines {
		switch line[0] {
		case '@':
			var first int
			if _, err := fmt.Sscanf(line, "@@ -%d", &first); err != nil {
				t.Fatal(err)
			}
			for at < first-1 {
				out = append(out, old[at])
				at++
			}
		case ' ':
			take(line[1:])
			out = append(out, line[1:]+"\n")
		case '-':
			take(line[1:])
		case '+':
			out = append(out, line[1:]+"\n")
		case '\\':
			if i > 0 && lines[i-1][0] != '-' && line == `\ No newline at end of file` {
				out[len(out)-1] = strings.TrimSuffix(out[len(out)-1], "\n")
			}
		default:
			t.Fatalf("line %q in a diff", line)
		}
	}
	return strings.Join(append(out, old[at:]...), "")
}
