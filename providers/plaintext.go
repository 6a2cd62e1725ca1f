package providers

import (
	"bytes"
	"unicode/utf8"
)

// appendText appends the text of an event that carries text and nothing else that tricode reads, as nearly all events
// of a long answer do. That costs a tenth of decoding it. It says false wherever it is in doubt, and the
// event is decoded; what it says true to, decoding would find the same text in.
func appendText(dst, event []byte) ([]byte, bool) {
	s := scanner{rest: event, text: dst}
	if s.object(inChunk) && s.next() == 0 && len(s.rest) == 0 {
		return s.text, true
	}
	return dst, false
}

// place is which object of an event the scanner is in.
type place int

const (
	inChunk place = iota
	inChoice
	inDelta
)

type scanner struct {
	rest []byte
	text []byte
	seen uint8 // which of choices, delta and content were there
}

// next skips blanks and returns the byte that follows, 0 at the end of rest.
func (s *scanner) next() byte {
	for i, c := range s.rest {
		if c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			s.rest = s.rest[i:]
			return c
		}
	}
	s.rest = nil
	return 0
}

func (s *scanner) take(want byte) bool {
	if s.next() != want || want == 0 {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

func (s *scanner) object(in place) bool {
	if !s.take('{') {
		return false
	}
	if s.take('}') {
		return true
	}
	for {
		key, ok := s.key()
		if !ok || !s.take(':') || !s.value(in, key) {
			return false
		}
		if s.take('}') {
			return true
		}
		if !s.take(',') {
			return false
		}
	}
}

// key takes a key of small letters, which is all that decoding, blind to case, could not take for another one.
func (s *scanner) key() ([]byte, bool) {
	if !s.take('"') {
		return nil, false
	}
	for i, c := range s.rest {
		switch {
		case c == '"':
			key := s.rest[:i]
			s.rest = s.rest[i+1:]
			return key, true
		case c != '_' && (c < 'a' || c > 'z'):
			return nil, false
		}
	}
	return nil, false
}

// value takes the value of a key: what can matter must be absent, the rest must be simple.
func (s *scanner) value(in place, key []byte) bool {
	switch string(key) {
	case "choices":
		return in == inChunk && s.once(1) && s.take('[') && s.object(inChoice) && s.take(']')
	case "delta":
		return in == inChoice && s.once(2) && s.object(inDelta)
	case "content":
		return in == inDelta && s.once(4) && s.content()
	case "index":
		return s.literal("0")
	case "error", "message", "detail", "usage", "x_groq", "finish_reason", "refusal", "tool_calls", "function_call",
		"reasoning_content", "reasoning", "reasoning_details", "extra_content":
		return s.literal("null")
	}
	return s.scalar()
}

// once reports whether the bit was not seen before: of doubled keys the last one counts.
func (s *scanner) once(bit uint8) bool {
	first := s.seen&bit == 0
	s.seen |= bit
	return first
}

func (s *scanner) literal(want string) bool {
	s.next()
	if len(s.rest) <= len(want) || string(s.rest[:len(want)]) != want {
		return false
	}
	switch s.rest[len(want)] {
	case ',', '}', ' ':
		s.rest = s.rest[len(want):]
		return true
	}
	return false
}

func (s *scanner) scalar() bool {
	switch c := s.next(); {
	case c == '"':
		s.rest = s.rest[1:]
		raw, simple := s.quoted()
		return raw != nil && simple
	case c == 'n':
		return s.literal("null")
	case c == 't':
		return s.literal("true")
	case c == 'f':
		return s.literal("false")
	case c == '0':
		return s.literal("0")
	case '1' <= c && c <= '9':
		n := 1
		for n < len(s.rest) && '0' <= s.rest[n] && s.rest[n] <= '9' {
			n++
		}
		return s.literal(string(s.rest[:n]))
	}
	return false
}

// content takes the text itself.
func (s *scanner) content() bool {
	if s.next() != '"' {
		return s.literal("null")
	}
	s.rest = s.rest[1:]
	raw, simple := s.quoted()
	switch {
	case raw == nil || !simple && !utf8.Valid(raw):
		return false
	case simple:
		s.text = append(s.text, raw...)
		return true
	}
	return s.unescape(raw)
}

// unescape appends a string with escapes of one letter; \u is left to decoding.
func (s *scanner) unescape(raw []byte) bool {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			s.text = append(s.text, raw...)
			return true
		}
		j := bytes.IndexByte([]byte(`"\/bfnrt`), raw[i+1])
		if j < 0 {
			return false
		}
		s.text = append(append(s.text, raw[:i]...), "\"\\/\b\f\n\r\t"[j])
		raw = raw[i+2:]
	}
}

// quoted takes a string up to its closing quote. It is simple if it stands for itself: ASCII without escapes. It
// is nil if it does not end or has control characters.
func (s *scanner) quoted() (raw []byte, simple bool) {
	simple = true
	for i := 0; i < len(s.rest); i++ {
		switch c := s.rest[i]; {
		case c == '"':
			raw = s.rest[:i:i]
			s.rest = s.rest[i+1:]
			return raw, simple
		case c == '\\':
			simple = false
			i++
		case c < ' ':
			return nil, false
		case c >= 0x80:
			simple = false
		}
	}
	return nil, false
}
