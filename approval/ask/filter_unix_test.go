//go:build !windows

package ask

import (
	"bytes"
	"testing"
)

func filtered(f filter, in string) string {
	var out []byte
	for _, c := range []byte(in) {
		if c = f.next(c); c != 0 {
			out = append(out, c)
		}
	}
	return string(out)
}

func TestFilter(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"keys", "n grüße\b\x7f\r\n\x04", "n grüße\b\x7f\r\n\x04"},
		{"controls", "\x001\x02\x1a\x1c\x15\t2", "1\x1a2"},
		{"arrow", "\x1b[A1\x1bOB2", "12"},
		{"function keys", "\x1bOP1\x1b[15~2\x1b[1;5C3\x1bO5P4\x1b[[A5", "12345"},
		{"alt", "\x1bx1", "1"},
		{"escape twice", "\x1b\x1b[A1", "1"},
		{"cursor position", "\x1b[50;100R1", "1"},
		{"report with BEL", "\x1b]11;rgb:0000/0000/0000\a1", "1"},
		{"report with ST", "\x1b]11;1\r1\x1b]0;1\x1b\\2\x1bP1$r0m\x1b\\3", "123"},
		{"long parameters", "\x1b[1111111111111111200~1", "1"},
		{"paste", "\x1b[200~1\r1\r\x1b[201~2", "2"},
		{"escape in a paste", "\x1b[200~\x1b[A1\x1b]x\a1\x1b[201~2", "2"},
		{"paste without end", "\x1b[200~1\r\n2\x04", ""},
		{"interrupt everywhere", "\x1b\x03\x1b[\x03\x1bO\x03\x1b]\x03\x1b[200~\x031", "\x03\x03\x03\x03\x031"},
	}
	for _, tt := range tests {
		if got := filtered(filter{}, tt.in); got != tt.want {
			t.Errorf("%s: %q gives %q; want %q", tt.name, tt.in, got, tt.want)
		}
	}
	if got, want := filtered(filter{keepPaste: true}, "\x1b[200~sk-ü\r\n\t1\x1b[201~\r"), "sk-ü1\r"; got != want {
		t.Errorf("a paste that is wanted gives %q; want %q", got, want)
	}
}

func FuzzFilter(f *testing.F) {
	f.Add([]byte("\x1b[200~1\r\x1b[201~\x1bOP\x1b]11;x\a1\r"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var keys filter
		for _, c := range in {
			out := keys.next(c)
			if out != 0 && (out != c || c < ' ' && !bytes.ContainsRune([]byte("\r\n\b\x03\x04\x1a"), rune(c))) {
				t.Errorf("%q lets %q through", in, out)
			}
		}
		if keys.next(ctrlC) != ctrlC || keys.next('1') != '1' {
			t.Errorf("after %q and Ctrl-C a key is no key", in)
		}
	})
}
