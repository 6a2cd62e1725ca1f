//go:build !windows

package ask

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/creack/pty"
	"golang.org/x/term"

	"tricode/approval/plain"
)

// typed is what comes of what a terminal sends.
func typed(keys string) string {
	k := &keyboard{}
	var all strings.Builder
	for _, c := range []byte(keys) {
		for _, key := range k.take(c) {
			all.WriteString(key)
		}
	}
	return all.String()
}

func TestKeyboard(t *testing.T) {
	for _, tt := range []struct{ name, keys, want string }{
		{"text", "fix it\r", "fix it\r"},
		{"other scripts", "grüße 世界 👩 e\u0301", "grüße 世界 👩 e\u0301"},
		{"arrows", "\x1b[A\x1bOB\x1b[1;5C", "\x1b[A\x1b[B\x1b[1;3C"},
		{"unknown keys", "\x1b[15~a\x1b\x1bb\x1b[?1;2c\x1b[<0;1;2Mc", "abc"},
		{"a report", "\x1b[12;40R", ""},
		{"a sequence without end", "\x1b[" + strings.Repeat("1", 64), strings.Repeat("1", 34)},
		{"hidden", "a\u202eb\u200bc\u009bd", "a\ufffdb\ufffdc\ufffdd"},
		{"joined", "👩\u200d👧⚠\ufe0f", "👩👧⚠"},
		{"invalid", "a\xffb", "a\ufffdb"},
		{"a paste", "\x1b[200~a\rb\x1b[2J\x1b]0;x\x07\x03\x7f\x1b[201~\r", "a\nb[2J]0;x\r"},
		{"Ctrl-C", "ab\x03", "ab\x03"},
		{"Ctrl-C in a sequence", "\x1b[1\x03", "\x03"},
	} {
		if got := typed(tt.keys); got != tt.want {
			t.Errorf("%s: %q gives %q; want %q", tt.name, tt.keys, got, tt.want)
		}
	}
}

// keyed is an editor after some keys.
func keyed(columns, rows int, keys string) *editor {
	k, e := &keyboard{}, &editor{prompt: "> ", columns: columns, rows: rows, past: []string{"first", "second"}}
	for _, c := range []byte(keys) {
		for _, key := range k.take(c) {
			if r, _ := utf8.DecodeRuneInString(key); k.pasting || key[0] >= ' ' && key != "\x7f" {
				e.insert(r)
			} else {
				e.key(key)
			}
		}
	}
	return e
}

func TestEditor(t *testing.T) {
	for _, tt := range []struct{ keys, want string }{
		{"abc\x01x\x05y", "xabcy|"}, {"abc\x1b[D\x1b[Dx", "ax|bc"}, {"abc\x7f\x7f", "a|"}, {"\x7f\x04\x1b[3~", "|"}, {"abc\x02\x04", "ab|"},
		{"one two\x17x", "one x|"}, {"one two\x02\x02\x0b", "one t|"}, {"one two\x02\x15", "|o"}, {"one two\x1b[1;3D\x1b[1;3Dx\x1b[1;3C", "xone| two"},
		{"e\u0301x\x02\x02\x04", "|x"}, {"世界\x02a", "世a|界"}, {"own\x1b[A", "second|"}, {"own\x1b[A\x1b[A\x1b[A", "first|"}, {"own\x1b[A\x1b[Bs", "owns|"},
		{"\x1b[B", "|"}, {"\x1b[200~a\rb\x1b[201~c", "a\nbc|"}, {"a\x1b[5~\x1a\x00b", "ab|"},
	} {
		e := keyed(80, 24, tt.keys)
		if got := string(e.text[:e.at]) + "|" + string(e.text[e.at:]); got != tt.want {
			t.Errorf("%q gives %q; want %q", tt.keys, got, tt.want)
		}
	}
}

// display is a terminal as far as an editor needs one.
type display struct {
	columns  int
	cells    map[[2]int]string
	row, col int
}

var moves = regexp.MustCompile(`^\x1b\[(\d*)([ACJK])`)

func (d *display) show(text string) {
	for text != "" {
		if m := moves.FindStringSubmatch(text); m != nil {
			n, _ := strconv.Atoi(m[1])
			switch m[2] {
			case "A":
				d.row -= n
			case "C":
				d.col += n
			case "J", "K":
				for at := range d.cells {
					if at[0] > d.row && m[2] == "J" || at[0] == d.row && at[1] >= d.col {
						delete(d.cells, at)
					}
				}
			}
			text = text[len(m[0]):]
			continue
		}
		r, n := utf8.DecodeRuneInString(text)
		text = text[n:]
		if r == '\r' {
			d.col = 0
			continue
		}
		width := plain.Width(string(r))
		if d.col+width > d.columns {
			d.row, d.col = d.row+1, 0
		}
		if width == 0 {
			continue
		}
		if strings.TrimSpace(string(r)) != "" {
			d.cells[[2]int{d.row, d.col}] = string(r)
		} else {
			delete(d.cells, [2]int{d.row, d.col})
		}
		for i := 1; i < width; i++ {
			delete(d.cells, [2]int{d.row, d.col + i})
		}
		if before := [2]int{d.row, d.col - 1}; plain.Width(d.cells[before]) == 2 {
			delete(d.cells, before)
		}
		d.col += width
	}
}

// However it came about, a terminal shows the text once, and the cursor where the next character goes.
func TestPaint(t *testing.T) {
	for _, columns := range []int{20, 40, 80, 200} {
		for _, keys := range []string{
			"abc", strings.Repeat("a", columns-2), strings.Repeat("a", columns-1), strings.Repeat("世", columns), strings.Repeat("ab 世界 ", 12) + "\x01please ",
			strings.Repeat("x", columns) + "\x1b[D\x1b[D\x7f", "\x1b[200~one\rtwo\x1b[201~", strings.Repeat("y", 3*columns) + "\x15",
		} {
			d := &display{columns: columns, cells: map[[2]int]string{}}
			k, e := &keyboard{}, keyed(columns, 24, "")
			for _, c := range []byte(keys) {
				for _, key := range k.take(c) {
					if r, _ := utf8.DecodeRuneInString(key); k.pasting || key[0] >= ' ' && key != "\x7f" {
						e.insert(r)
					} else {
						e.key(key)
					}
				}
				var out bytes.Buffer
				e.paint(&out)
				d.show(out.String())
			}
			fresh := &display{columns: columns, cells: map[[2]int]string{}}
			e.row = 0
			var out bytes.Buffer
			e.paint(&out)
			fresh.show(out.String())
			if got, want := fmt.Sprint(d.row, d.col, d.cells), fmt.Sprint(fresh.row, fresh.col, fresh.cells); got != want {
				t.Errorf("%d columns, %.20q: %.300s\nwant %.300s", columns, keys, got, want)
			}
		}
	}
}

// What was not typed here, such as the task of an earlier run, may hold anything.
func TestTypeable(t *testing.T) {
	for text, want := range map[string]string{
		"fix 世界\nnow": "fix 世界\nnow", "a\x1b[2J\x1b]0;t\x07b": "a[2J]0;tb", "a\x1b[201~\x03\x1b[Ab": "a[Ab", "a\u202eb\u200b\x9b": "a\ufffdb\ufffd\ufffd", "a\tb\r": "a b\n",
	} {
		if got := string(typeable(text)); got != want {
			t.Errorf("typeable(%q) = %q; want %q", text, got, want)
		}
	}
}

// Nothing that is typed or pasted acts on the terminal when it is shown, and no text is too long for that.
func FuzzKeyboard(f *testing.F) {
	f.Add("\x1b[200~\x1b]0;x\x07\x1b[201~\u202e\x1b[A")
	f.Fuzz(func(t *testing.T, keys string) {
		e := keyed(20, 5, keys)
		e.text = append(e.text, typeable(keys)...)
		for _, r := range string(e.text) {
			if r != '\n' && r != utf8.RuneError && (r < ' ' || !unicode.IsPrint(r) && !unicode.IsMark(r)) {
				t.Errorf("%q lets %q through", keys, r)
			}
		}
		var out bytes.Buffer
		if e.paint(&out); out.Len() > 4096 {
			t.Errorf("%d bytes are painted on 100 cells", out.Len())
		}
	})
}

// A terminal of another width has what is painted in other rows.
func TestFit(t *testing.T) {
	e := keyed(40, 24, strings.Repeat("x", 60))
	e.paint(io.Discard)
	for _, tt := range []struct{ columns, row int }{{20, 3}, {80, 0}, {40, 1}} {
		if e.fit(tt.columns, 24); e.row != tt.row {
			t.Errorf("%d columns: the cursor is in row %d; want %d", tt.columns, e.row, tt.row)
		}
	}
}

// What is being typed is still there when the terminal changed, or was somebody else's in between.
func TestPromptPutAnew(t *testing.T) {
	stopped := func(s *screen) {
		s.cmd.Process.Signal(syscall.SIGSTOP)
		time.Sleep(50 * time.Millisecond)
		io.WriteString(s.slave, "[1]+  Stopped\n")
		s.cmd.Process.Signal(syscall.SIGCONT)
	}
	for _, tt := range []struct {
		name, term string
		change     func(s *screen)
		anew, want string // what is on the screen then, and what comes of it
	}{
		{"narrower", "xterm", func(s *screen) { pty.Setsize(s.master, &pty.Winsize{Rows: 24, Cols: 40}) }, "\r> fix it\x1b[J", `"fix it now" <nil>`},
		{"wider", "xterm", func(s *screen) { pty.Setsize(s.master, &pty.Winsize{Rows: 24, Cols: 200}) }, "\r> fix it\x1b[J", `"fix it now" <nil>`},
		{"continued", "xterm", stopped, "\x1b[?2004h\r> fix it\x1b[J", `"fix it now" <nil>`},
		{"with no shell to go to", "xterm", func(s *screen) { s.send("\x1a") }, "\x1b[?2004h\r> fix it\x1b[J", `"fix it now" <nil>`},
		{"a terminal without movements", "dumb", stopped, "> ", `"now" <nil>`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, "prompt", "TERM="+tt.term)
			s.expect("> ")
			s.send("fix it")
			s.expect("t")
			tt.change(s)
			s.expect(tt.anew)
			s.send(" now\r")
			s.ended(tt.want)
			if after, err := term.GetState(int(s.slave.Fd())); err != nil || !reflect.DeepEqual(after, s.before) {
				t.Errorf("the terminal is left as %+v, %v; want %+v", after, err, s.before)
			}
		})
	}
}

// What is typed before the prompt stands there is for it, but not when a question came in between.
func TestTypedAhead(t *testing.T) {
	for _, tt := range []struct{ name, mode, keys, later, want string }{
		{"lines", "prompts", "one\ntwo\n", "", `"one" <nil>, "two" <nil>`},
		{"half a line", "prompts", "one\ntw", "o\r", `"one" <nil>, "two" <nil>`},
		{"the end", "prompts", "one\n\x04", "", `"one" <nil>, "" EOF`},
		{"the end at once", "prompts", "\x04", "two\r", `"" EOF, "two" <nil>`},
		{"a question in between", "asked", "one\n1\n1\n", "two\r", `"one" <nil>, end, "two" <nil>`},
	} {
		for _, kind := range []string{"xterm", "dumb"} {
			t.Run(tt.name+" "+kind, func(t *testing.T) {
				t.Parallel()
				s := open(t)
				s.send(tt.keys)
				s.run(tt.mode, "TERM="+kind)
				s.expect("> ")
				s.expect("\n")
				if tt.mode == "asked" {
					s.answer("3\r")
				}
				if tt.later != "" {
					s.expect("> ")
					s.send(tt.later)
				}
				s.ended(tt.want)
			})
		}
	}
}

// What the run says when it is ended begins a line of its own.
func TestPromptIsEnded(t *testing.T) {
	s := start(t, "prompt")
	s.send("abc")
	s.expect("> abc")
	s.cmd.Process.Signal(syscall.SIGTERM)
	s.expect("> abc\x1b[J\r\x1b[5C\r\n\x1b[?2004l")
	s.ended(`"" terminated signal received`)
}

func TestPromptIsLeft(t *testing.T) {
	for keys, want := range map[string]string{"abc\x03": `"" interrupted`, "\x04": `"" EOF`, "\x1b[A\r": `"earlier" <nil>`} {
		s := start(t, "prompt")
		s.expect("> ")
		s.send(keys)
		s.ended(want)
	}
}

// Lines that are pasted at once are one text, also where there is but one line.
func TestPromptTakesPaste(t *testing.T) {
	for kind, want := range map[string]string{"xterm": `"one\ntwo three" <nil>`, "dumb": `"one two three" <nil>`} {
		s := start(t, "prompt", "TERM="+kind)
		s.expect("> ")
		s.send("\x1b[200~one\rtwo\tthree\r\x1b[201~")
		s.expect("three")
		s.send("\r")
		s.ended(want)
	}
}
