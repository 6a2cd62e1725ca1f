//go:build !windows

package ask

// The control characters that mean something in an answer.
const (
	ctrlC     = 0x03
	ctrlD     = 0x04
	bell      = 0x07
	backspace = 0x08
	ctrlZ     = 0x1a
	escape    = 0x1b
	del       = 0x7f
)

// filter finds the keys that a person typed in what a terminal sends. Function keys, reports and, unless they are
// wanted, pastes are taken out whole, so that nothing of them can pass for an answer. See ECMA-48 for the forms of
// sequences, and xterm's "Bracketed Paste Mode".
type filter struct {
	keepPaste bool
	spaced    bool // with a blank for each line end and tab in it

	state  filterState
	paste  bool
	params []byte // of the control sequence that is being read; bounded
}

type filterState int

const (
	ground filterState = iota
	escaped
	control  // ESC [ … final byte
	shifted  // ESC O … final byte
	stringed // ESC ] and its like, up to BEL or ESC \
)

// next takes one byte and returns it if it is part of an answer, otherwise 0. Ctrl-C always counts, so that no
// sequence that never ends can hold a person.
func (f *filter) next(c byte) byte {
	if c == ctrlC {
		f.state, f.paste = ground, false
		return c
	}
	switch f.state {
	case ground:
		return f.key(c)
	case escaped:
		f.introduce(c)
	case control:
		f.controlled(c)
	case shifted:
		if c < '0' || c > '?' {
			f.state = ground
		}
	case stringed:
		switch c {
		case bell, '\r', '\n': // no report holds a line end: this one was cut off
			f.state = ground
		case escape:
			f.state = escaped
		}
	}
	return 0
}

func (f *filter) key(c byte) byte {
	switch {
	case c == escape:
		f.state = escaped
		return 0
	case f.paste:
		switch {
		case f.keepPaste && c >= ' ' && c != del:
			return c
		case f.spaced && (c == '\r' || c == '\n' || c == '\t'):
			return ' '
		}
		return 0
	case c >= ' ', c == '\r', c == '\n', c == backspace, c == ctrlD, c == ctrlZ:
		return c
	}
	return 0
}

func (f *filter) introduce(c byte) {
	switch c {
	case '[':
		f.state, f.params = control, f.params[:0]
	case 'O':
		f.state = shifted
	case ']', 'P', 'X', '^', '_':
		f.state = stringed
	case escape:
	default: // a key with Alt, or the end of a string
		f.state = ground
	}
}

func (f *filter) controlled(c byte) {
	if c >= ' ' && c <= '?' {
		if len(f.params) < 8 {
			f.params = append(f.params, c)
		}
		return
	}
	f.state = ground
	switch {
	case c == '[' && len(f.params) == 0: // the function keys of the Linux console: ESC [ [ A
		f.state = shifted
	case c == '~' && string(f.params) == "200":
		f.paste = true
	case c == '~' && string(f.params) == "201":
		f.paste = false
	}
}
