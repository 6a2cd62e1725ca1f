//go:build !windows

package ask

import (
	"io"
	"strconv"
	"strings"
	"time"

	"tricode/approval/plain"
)

// What is typed in the first moment after a prompt was meant for something else, and so is what follows on its heels.
const (
	deaf  = 300 * time.Millisecond
	pause = 50 * time.Millisecond
)

// maxAnswer bounds the length of an answer in bytes. Survey believes to be at column 100 of 9999 and never comes
// to the end of the line.
const maxAnswer = 4096

// stdio stands between survey and the terminal. Survey asks where the cursor is and waits for ever if the
// terminal does not tell; it stumbles over keys that it does not know; what it writes moves the cursor about. Here it
// gets forged positions and plain keys, and the terminal gets plain text.
type stdio struct {
	*talk
	fresh bool

	reports []string // forged answers to questions about the cursor
	corner  bool     // the next one is about the lower right corner
	keys    filter
	typed   int       // bytes of this answer
	quiet   time.Time // what comes before does not count
	back    int       // columns that survey went back
	err     error     // of the terminal, when writing
}

// Fd is for survey to switch the terminal's echo off and on, but not where the terminal is somebody else's by then.
func (s *stdio) Fd() uintptr {
	if !s.front() {
		return ^uintptr(0)
	}
	return uintptr(s.fd)
}

// Read gives survey a forged report, or the next key.
func (s *stdio) Read(p []byte) (int, error) {
	if len(s.reports) > 0 {
		n := copy(p, s.reports[0])
		s.reports = s.reports[1:]
		return n, nil
	}
	if s.err == nil && s.fresh && s.quiet.IsZero() {
		s.err = s.forget()
		s.quiet = time.Now().Add(deaf)
	}
	for s.err == nil {
		var c byte
		if c, s.err = s.read(); s.err != nil {
			break
		}
		c = s.keys.next(c)
		if early := s.early(); c == 0 || early && c != ctrlC && c != ctrlZ {
			continue
		}
		switch {
		case c == ctrlD:
			return 0, io.EOF
		case c == ctrlZ:
			s.events.stopping = true
			s.err = errRedraw
			continue
		case c >= ' ' && c != del:
			if s.typed++; s.typed > maxAnswer {
				continue
			}
		}
		p[0] = c
		return 1, nil
	}
	return 0, s.err
}

// early reports whether what comes now does not count. Each byte that does not puts the moment off in which the
// next one does, so that the end of a long paste is no answer either.
func (s *stdio) early() bool {
	now := time.Now()
	if !now.Before(s.quiet) {
		return false
	}
	if next := now.Add(pause); next.After(s.quiet) {
		s.quiet = next
	}
	return true
}

// Write passes survey's text on and answers or drops its sequences. An error waits for Read, because survey does
// not expect one where it asks for positions.
func (s *stdio) Write(p []byte) (int, error) {
	for rest := string(p); rest != "" && s.err == nil; {
		var sequence, text string
		if text, rest, _ = strings.Cut(rest, "\x1b"); text != "" {
			s.text(text)
		}
		sequence, rest = cutSequence(rest)
		s.sequence(sequence)
	}
	return len(p), nil
}

// text writes what survey prints, but line ends: the line ends when the answer does.
func (s *stdio) text(text string) {
	s.back = 0
	text = strings.Trim(text, "\r\n\a")
	_, s.err = io.WriteString(s.talk, plain.Line(text))
}

// cutSequence takes what follows an escape character off s: "[", parameters and a final byte, or a single byte.
func cutSequence(s string) (sequence, rest string) {
	if !strings.HasPrefix(s, "[") {
		n := min(len(s), 1)
		return s[:n], s[n:]
	}
	n := 1 + strings.IndexFunc(s[1:], func(r rune) bool { return r >= '@' }) + 1
	return s[:n], s[n:]
}

func (s *stdio) sequence(sequence string) {
	switch {
	case sequence == "[6n" && s.corner:
		s.reports, s.corner = append(s.reports, "\x1b[50;9999R"), false
	case sequence == "[6n":
		s.reports = append(s.reports, "\x1b[50;100R")
	case strings.HasSuffix(sequence, "f"):
		s.corner = true
	case strings.HasSuffix(sequence, "D"): // only an erasure after it makes it a correction
		s.back, _ = strconv.Atoi(sequence[1 : len(sequence)-1])
	case sequence == "[0K" && s.back > 0:
		back := strings.Repeat("\b", s.back)
		_, s.err = io.WriteString(s.talk, back+strings.Repeat(" ", s.back)+back)
		s.back = 0
	}
}
