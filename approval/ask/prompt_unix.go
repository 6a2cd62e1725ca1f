//go:build !windows

package ask

import (
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"tricode/approval/plain"
)

// edit lets a person edit a text. A terminal that gets nothing but text has no keys for that.
func (k *talk) edit(prompt string, before []string) (string, error) {
	if k.dumb {
		return k.line(prompt, false)
	}
	keys := &keyboard{talk: k}
	t := term.NewTerminal(keys, prompt)
	keys.resized = func(columns, rows int) { t.SetSize(columns, rows) }
	t.History = past(before)
	t.SetBracketedPasteMode(true)
	defer t.SetBracketedPasteMode(false)
	var text strings.Builder
	for {
		line, err := t.ReadLine()
		if room := maxText - text.Len(); len(line) > room {
			line = strings.ToValidUTF8(line[:room], "")
		}
		text.WriteString(line)
		switch {
		case errors.Is(err, term.ErrPasteIndicator): // more of it follows, or at least Enter
			text.WriteByte('\n')
			t.SetPrompt("")
		case err != nil && keys.interrupted:
			io.WriteString(k, "^C\n")
			return "", ErrInterrupted
		default:
			if err != nil {
				io.WriteString(k, "\n")
			}
			return text.String(), err
		}
	}
}

// maxText bounds what is typed or pasted, in bytes.
const maxText = 256 << 10

// past is what was asked for before, as the library wants it: the latest first.
type past []string

func (p past) Add(string)      {}
func (p past) Len() int        { return len(p) }
func (p past) At(i int) string { return p[len(p)-1-i] }

// keyboard stands between the library that edits and the terminal. The library shows what is typed as it comes, so
// what would act on the terminal or hide in the text does not get that far.
type keyboard struct {
	*talk
	resized     func(columns, rows int)
	columns     int
	interrupted bool

	pasting bool
	held    []byte // the beginning of an escape sequence, or of a character
	ready   []byte // what the library gets next
}

const (
	pasteBegins = "\x1b[200~"
	pasteEnds   = "\x1b[201~"
)

// Read gives the library what was typed. Whoever asks for nothing is at the end of a sequence that has none.
func (k *keyboard) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, io.EOF
	}
	for len(k.ready) == 0 {
		if columns, rows := k.size(); columns != k.columns {
			k.columns = columns
			k.resized(columns, rows)
		}
		c, err := k.read()
		if err != nil {
			return 0, err
		}
		k.take(c)
	}
	n := copy(p, k.ready)
	k.ready = k.ready[n:]
	return n, nil
}

// take adds one byte to what is held, and lets that go when it is whole.
func (k *keyboard) take(c byte) {
	if c == ctrlC && !k.pasting {
		k.held, k.ready, k.interrupted = nil, append(k.ready, c), true
		return
	}
	k.held = append(k.held, c)
	switch {
	case k.held[0] == escape:
		k.sequence()
	case !utf8.FullRune(k.held):
	default:
		r, n := utf8.DecodeRune(k.held)
		rest := append([]byte(nil), k.held[n:]...) // behind the first byte of a character that is none
		switch {
		case r == utf8.RuneError && n == 1, r >= utf8.RuneSelf && plain.Line(string(r)) != string(r):
			k.ready = utf8.AppendRune(k.ready, utf8.RuneError)
		case r == '\t':
			k.ready = append(k.ready, ' ')
		case !k.pasting || r >= ' ' && r != del || r == '\r' || r == '\n':
			k.ready = append(k.ready, k.held...)
		}
		k.held = k.held[:0]
		for _, c := range rest {
			k.take(c)
		}
	}
}

// sequence lets an escape sequence go when it is whole. Of those in a paste only its end is one.
func (k *keyboard) sequence() {
	held := string(k.held)
	switch {
	case k.pasting && held != pasteEnds && strings.HasPrefix(pasteEnds, held):
	case k.pasting && held != pasteEnds:
		k.held = k.held[:0]
		for _, c := range []byte(held[1:]) {
			k.take(c)
		}
	case held == pasteEnds, held == pasteBegins:
		k.pasting = held == pasteBegins
		k.ready, k.held = append(k.ready, held...), k.held[:0]
	case len(held) >= maxSequence, len(held) == 2 && held[1] != '[' && held[1] != 'O', len(held) > 2 && held[len(held)-1] >= '@':
		k.ready, k.held = append(k.ready, editKeys[held]...), k.held[:0]
	}
}

// editKeys are the sequences that the library knows, by those that terminals send for the same keys: the arrows, Home,
// End and Delete, the arrows with Alt or Control. See xterm's "PC-Style Function Keys".
var editKeys = map[string]string{
	"\x1b[A": "\x1b[A", "\x1b[B": "\x1b[B", "\x1b[C": "\x1b[C", "\x1b[D": "\x1b[D", "\x1b[H": "\x1b[H", "\x1b[F": "\x1b[F",
	"\x1bOA": "\x1b[A", "\x1bOB": "\x1b[B", "\x1bOC": "\x1b[C", "\x1bOD": "\x1b[D", "\x1bOH": "\x1b[H", "\x1bOF": "\x1b[F",
	"\x1b[1~": "\x1b[H", "\x1b[4~": "\x1b[F", "\x1b[3~": "\x1b[3~",
	"\x1b[1;3C": "\x1b[1;3C", "\x1b[1;3D": "\x1b[1;3D", "\x1b[1;5C": "\x1b[1;3C", "\x1b[1;5D": "\x1b[1;3D",
	"\x1bf": "\x1b[1;3C", "\x1bb": "\x1b[1;3D",
}

// maxSequence bounds an escape sequence, in bytes.
const maxSequence = 32
