//go:build !windows

package ask

import (
	"strings"
	"testing"
	"time"
)

func TestAnswers(t *testing.T) {
	tests := []struct {
		name    string
		answers []string // one for each time the prompt appears
		want    string
	}{
		{"1", []string{"1\r"}, "once"},
		{"2", []string{"2\r"}, "always"},
		{"3", []string{"3\r"}, "end"},
		{"refuse", []string{"n wrong file\r"}, "refuse: wrong file"},
		{"correction", []string{"n x\x7fy\b1\x7f\x7f\x7f\x7f\x7f1\r"}, "once"},
		{"enter alone", []string{"\r", "1\r"}, "once"},
		{"nonsense", []string{"yes\r", "11\r", "\n", "3\r"}, "end"},
		{"help", []string{"?\r", "2\r"}, "always"},
		{"all and why", []string{"v\r", "w\r", "1\r"}, "once"},
		{"ctrl-c", []string{"\x03"}, "end"},
		{"ctrl-c behind an answer", []string{"1\x03"}, "end"},
		{"ctrl-d", []string{"\x04"}, "end"},
		{"ctrl-d behind an answer", []string{"1\x04"}, "end"},
		{"ctrl-z with no shell to go to", []string{"\x1a1\r", "\x1c1\r"}, "once"},
		{"function keys", []string{"\x1b[15~\x1bOP\x1b[A\x1b[1;5C1\r"}, "once"},
		{"alt", []string{"\x1bx1\r"}, "once"},
		{"reports", []string{"\x1b[24;80R\x1b]11;rgb:1/1/1\x071\x1b]10;1\x1b\\\r"}, "once"},
		{"bracketed paste", []string{"\x1b[200~1\r1\r\x1b[201~3\r"}, "end"},
		{"paste of nonsense and an answer", []string{"foo\r1\r1\r", "3\r"}, "end"},
		{"long answer", []string{"n " + strings.Repeat("x", 500) + "\r"}, "refuse: " + strings.Repeat("x", 500)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, "ask")
			for _, keys := range tt.answers {
				s.answer(keys)
			}
			s.finish(tt.want)
		})
	}
}

func TestMenuOnTheWire(t *testing.T) {
	t.Parallel()
	s := start(t, "ask", "TERM=dumb")
	s.answer("1\r")
	s.finish("once")
	if got, want := s.text(), strings.ReplaceAll(menu, "\n", "\r\n")+prompt+"1\r\n<the end>"; got != want {
		t.Errorf("on the wire %q; want %q", got, want)
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	s := start(t, "hostile")
	for _, keys := range []string{"v\r", "w\r", "?\r", "3\r"} {
		s.answer(keys)
	}
	s.finish("end")
}

func TestWhatCameBefore(t *testing.T) {
	t.Run("the question", func(t *testing.T) {
		t.Parallel()
		s := open(t)
		s.send("1\r1\r1")
		s.run("ask")
		s.answer("3\r")
		s.finish("end")
	})
	t.Run("anybody could read it", func(t *testing.T) {
		t.Parallel()
		for range 100 { // until this test was fast enough itself
			s := start(t, "ask")
			s.expect(prompt)
			asked := s.absent
			s.send("1\r")
			time.Sleep(150 * time.Millisecond)
			s.send("1\r")
			if time.Since(asked) < deaf {
				s.press("3\r", "\r\n")
				s.finish("end")
				return
			}
		}
		t.Error("this machine is never fast enough to type too early")
	})
	t.Run("interrupt counts at once", func(t *testing.T) {
		t.Parallel()
		s := start(t, "ask")
		s.expect(prompt)
		for range 100 { // until it is read: what came before that was for something else
			time.Sleep(50 * time.Millisecond)
			if s.send("\x03"); s.appears("\r\n", time.Second) {
				break
			}
		}
		s.finish("end")
	})
	t.Run("the second question", func(t *testing.T) {
		t.Parallel()
		s := start(t, "twice")
		s.answer("2\r1\r1\r1\r")
		s.answer("3\r")
		s.finish("always, end")
	})
}

// The terminal tells of each question once, before it is there; a dumb one gets nothing but text.
func TestNotify(t *testing.T) {
	t.Parallel()
	for _, term := range []string{"xterm", "dumb"} {
		s := start(t, "twice", "ASK_NOTIFY=\a", "TERM="+term)
		s.answer("v\r")
		s.answer("1\r")
		s.answer("3\r")
		s.ended("once, end")
		want := map[string]int{"xterm": 2, "dumb": 0}[term]
		if got := strings.Count(s.text(), "\a"); got != want || want > 0 && !strings.HasPrefix(s.text(), "\a===") {
			t.Errorf("%s: %d bells in %q; want %d", term, got, s.text(), want)
		}
	}
}

func TestLine(t *testing.T) {
	tests := []struct{ name, keys, want string }{
		{"typed", "abc\x7fd\rzwei\r", `"abd" "zwei" <nil>`},
		{"default", "\r\r", `"other" "" <nil>`},
		{"pasted", "\x1b[200~a b\x1b[201~\r\x1b[200~c\r\x1b[201~\r", `"a b" "c" <nil>`},
		{"ctrl-c", "abc\x03", `"" interrupted`},
		{"ctrl-d", "\x04", `"" interrupted`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, "line")
			s.expect(`Name\x1b[6n [other]: `)
			s.send(tt.keys)
			s.finish(tt.want)
		})
	}
}

func TestSecret(t *testing.T) {
	t.Parallel()
	s := start(t, "secret")
	s.expect("Key: ")
	s.send("\x1b[200~sk-geheim\x1b[201~\r")
	s.finish("sk-geheim <nil>")
	if strings.Contains(s.text(), "geheim") {
		t.Errorf("the secret is on the screen: %q", s.text())
	}
}
