package redact

import (
	"bytes"
	"cmp"
	"slices"
)

// span is where a secret stands.
type span struct{ start, end int }

// scan is one look at a text, or at as much of it as has arrived.
type scan struct {
	b     []byte
	low   int  // where it begins; what stands before was given out already and is only looked back at
	final bool // nothing comes after it
	own   [][]byte
	found []span
	safe  int // up to where it is known what is a secret and what is not
}

// maxOpen bounds how much is held back for a secret that does not end.
const maxOpen = 24 << 10

// run finds all secrets. They are sorted and do not overlap.
func (s *scan) run() {
	s.safe = len(s.b)
	s.words()
	s.pem()
	s.name()
	for _, o := range s.own {
		s.value(o)
	}
	if s.final || len(s.b)-s.safe > maxOpen {
		s.safe = len(s.b)
	}
	slices.SortFunc(s.found, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	merged := s.found[:0]
	for _, f := range s.found {
		if n := len(merged); n > 0 && f.start < merged[n-1].end {
			merged[n-1].end = max(merged[n-1].end, f.end)
		} else {
			merged = append(merged, f)
		}
	}
	s.found = merged
	for n := len(merged); n > 0 && merged[n-1].end > s.safe; n-- { // no secret is given out in part
		s.safe = min(s.safe, merged[n-1].start)
		s.found = merged[:n-1]
	}
}

// hold says that it is not known yet what begins at i. What was given out cannot be held any more.
func (s *scan) hold(i int) {
	if !s.final && i >= s.low && i < s.safe {
		s.safe = i
	}
}

// words looks at each word that is long enough for a secret. Such a one has a character at every minRun-th place, so
// that most of the text is never read.
func (s *scan) words() {
	b, low := s.b, 0
	for p := minRun - 1; p < len(b); p += minRun {
		if classes[b[p]] == 0 {
			continue
		}
		start, end := p, p+1
		for start > low && classes[b[start-1]] != 0 {
			start--
		}
		for end < len(b) && classes[b[end]] != 0 {
			end++
		}
		if end-start >= minRun {
			s.word(start, end)
		}
		low, p = end, end
	}
	if s.final || len(b) == 0 {
		return
	}
	start := len(b)
	for start > 0 && len(b)-start <= minRun && classes[b[start-1]] != 0 {
		start--
	}
	if len(b)-start < minRun {
		s.beginning(start)
	}
}

// word looks at a long word, also without what may be no part of it: the letter of an escape such as \n, a colour.
func (s *scan) word(start, end int) {
	if s.secret(start, end) || start == 0 {
		return
	}
	switch s.b[start-1] {
	case '\\':
		s.secret(start+1, end)
	case '[', ';':
		if i := bytes.IndexByte(s.b[start:min(end-1, start+4)], 'm'); i >= 0 {
			s.secret(start+i+1, end)
		}
	}
}

// secret reports whether a word begins as a secret does, and adds it if it is one.
func (s *scan) secret(start, end int) bool {
	w := s.b[start:end]
	for _, shape := range byFirst[w[0]] {
		if bytes.HasPrefix(w, []byte(shape.prefix)) {
			if end == len(s.b) {
				s.hold(start)
			}
			if shape.fits(w[len(shape.prefix):]) {
				s.add(start, end)
			}
			return true
		}
	}
	switch {
	case bytes.HasPrefix(w, []byte("eyJ")):
		s.jwt(start, end)
	case len(w) == len(awsSecret) && bytes.EqualFold(w, []byte(awsSecret)):
		s.named(start, end)
	case start > 0 && s.b[start-1] == '.':
		s.dotted(start, end)
	default:
		if end == len(s.b) {
			s.beginning(start)
		}
		return false
	}
	return true
}

func (s *scan) add(start, end int) {
	if start >= s.low {
		s.found = append(s.found, span{start, end})
	}
}

// value looks for a key of this run.
func (s *scan) value(o []byte) {
	for at := s.low; ; {
		i := bytes.Index(s.b[at:], o)
		if i < 0 {
			break
		}
		s.add(at+i, at+i+len(o))
		at += i + len(o)
	}
	s.partly(o)
}

// name holds back what may be the beginning of a name, so that one that somebody else wrote is seen whole.
func (s *scan) name() {
	s.partly([]byte(open))
	from := max(s.low, len(s.b)-len(open)-maxDigits)
	if i := bytes.LastIndex(s.b[from:], []byte(open)); i >= 0 && bytes.IndexByte(s.b[from+i:], ']') < 0 {
		s.hold(from + i)
	}
}

// partly holds back what may be the beginning of a text.
func (s *scan) partly(of []byte) {
	for at := max(s.low, len(s.b)-len(of)+1); at < len(s.b); at++ {
		i := bytes.IndexByte(s.b[at:], of[0])
		if i < 0 {
			return
		}
		if at += i; bytes.HasPrefix(of, s.b[at:]) {
			s.hold(at)
			return
		}
	}
}
