//go:build !windows

package ask

import (
	"strings"
	"unicode/utf8"

	"tricode/approval/plain"
)

// keyboard takes what a terminal sends apart into keys and characters. What is typed is shown as it comes, so what would
// act on the terminal or hide in the text does not get that far.
type keyboard struct {
	pasting bool
	held    []byte // the beginning of an escape sequence, or of a character
}

const (
	pasteBegins = "\x1b[200~"
	pasteEnds   = "\x1b[201~"
)

// take takes one byte and returns what is whole now: characters, and keys as the byte or the sequence of editKeys. A line
// end in a paste is a character.
func (k *keyboard) take(c byte) []string {
	if c == ctrlC && !k.pasting {
		k.held = k.held[:0]
		return []string{"\x03"}
	}
	k.held = append(k.held, c)
	switch {
	case k.held[0] == escape:
		return k.sequence()
	case !utf8.FullRune(k.held):
		return nil
	}
	r, n := utf8.DecodeRune(k.held)
	whole := string(k.held[:n])
	rest := append([]byte(nil), k.held[n:]...) // behind the first byte of a character that is none
	k.held = k.held[:0]
	var keys []string
	switch {
	case r == utf8.RuneError && n == 1:
		keys = []string{string(utf8.RuneError)}
	case r == '\u200d', r == '\ufe0e', r == '\ufe0f': // what joins and selects emoji changes how wide they are
	case r >= utf8.RuneSelf && plain.Line("a"+whole) != "a"+whole:
		keys = []string{string(utf8.RuneError)}
	case r == '\t':
		keys = []string{" "}
	case k.pasting && r == '\r':
		keys = []string{"\n"}
	case !k.pasting || r >= ' ' && r != del || r == '\n':
		keys = []string{whole}
	}
	for _, c := range rest {
		keys = append(keys, k.take(c)...)
	}
	return keys
}

// typeable is a text as if it were pasted: what was not typed here may hold anything.
func typeable(text string) []rune {
	var all []rune
	k := &keyboard{}
	for _, c := range []byte(text) {
		k.pasting = true // whatever the text says
		for _, key := range k.take(c) {
			r, _ := utf8.DecodeRuneInString(key)
			all = append(all, r)
		}
		if len(all) >= maxText {
			break
		}
	}
	return all
}

// sequence lets an escape sequence go when it is whole. Of those in a paste only its end is one.
func (k *keyboard) sequence() (keys []string) {
	held := string(k.held)
	switch {
	case k.pasting && held != pasteEnds && strings.HasPrefix(pasteEnds, held):
		return nil
	case k.pasting && held != pasteEnds:
		k.held = k.held[:0]
		for _, c := range []byte(held[1:]) {
			keys = append(keys, k.take(c)...)
		}
		return keys
	case held == pasteEnds, held == pasteBegins:
		k.pasting = held == pasteBegins
	case len(held) >= maxSequence, len(held) == 2 && held[1] != '[' && held[1] != 'O', len(held) > 2 && held[len(held)-1] >= '@':
		if key, ok := editKeys[held]; ok {
			keys = []string{key}
		}
	default:
		return nil
	}
	k.held = k.held[:0]
	return keys
}

// editKeys are the keys that an editor knows, by the sequences that terminals send for them: the arrows, Home, End and
// Delete, the arrows with Alt or Control. See xterm's "PC-Style Function Keys".
var editKeys = map[string]string{
	"\x1b[A": "\x1b[A", "\x1b[B": "\x1b[B", "\x1b[C": "\x1b[C", "\x1b[D": "\x1b[D", "\x1b[H": "\x1b[H", "\x1b[F": "\x1b[F",
	"\x1bOA": "\x1b[A", "\x1bOB": "\x1b[B", "\x1bOC": "\x1b[C", "\x1bOD": "\x1b[D", "\x1bOH": "\x1b[H", "\x1bOF": "\x1b[F",
	"\x1b[1~": "\x1b[H", "\x1b[4~": "\x1b[F", "\x1b[3~": "\x1b[3~",
	"\x1b[1;3C": "\x1b[1;3C", "\x1b[1;3D": "\x1b[1;3D", "\x1b[1;5C": "\x1b[1;3C", "\x1b[1;5D": "\x1b[1;3D",
	"\x1bf": "\x1b[1;3C", "\x1bb": "\x1b[1;3D",
}

// maxSequence bounds an escape sequence, in bytes.
const maxSequence = 32
