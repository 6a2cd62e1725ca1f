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

// jwt looks for a JSON Web Token (RFC 7519): two encoded objects and a signature, with dots between.
func (s *scan) jwt(start, end int) {
	for part := 1; ; part++ {
		if end == len(s.b) {
			s.hold(start)
		}
		if part == 3 {
			s.add(start, end)
			return
		}
		if end >= len(s.b) || s.b[end] != '.' {
			return
		}
		from := end + 1
		for end = from; end < len(s.b) && classes[s.b[end]] != 0; {
			end++
		}
		if end < len(s.b) && (end-from < minRun || part == 1 && !bytes.HasPrefix(s.b[from:], []byte("eyJ"))) {
			return
		}
		if end == len(s.b) && end-from < minRun && s.final {
			return
		}
	}
}

// named looks for the value behind the name that AWS gives its secret keys.
func (s *scan) named(start, end int) {
	at := end
	for at < len(s.b) && at < end+8 && bytes.IndexByte([]byte(`"'=: 	`), s.b[at]) >= 0 {
		at++
	}
	from := at
	for at < len(s.b) && at < from+41 && (classes[s.b[at]]&alnum != 0 || s.b[at] == '/' || s.b[at] == '+') {
		at++
	}
	if at == len(s.b) {
		s.hold(start)
	}
	if at-from == 40 && random(s.b[from:at]) {
		s.add(from, at)
	}
}

func (s *scan) dotted(start, end int) {
	for _, shape := range dotted {
		from := start - len(shape.prefix)
		if from < 0 || !bytes.HasPrefix(s.b[from:], []byte(shape.prefix)) || from > 0 && classes[s.b[from-1]] != 0 {
			continue
		}
		body := end
		for end < len(s.b)-1 && s.b[end] == '.' && classes[s.b[end+1]] != 0 { // SendGrid has another part
			for end++; end < len(s.b) && classes[s.b[end]] != 0; {
				end++
			}
		}
		if end >= len(s.b)-1 {
			s.hold(from)
		}
		if shape.fits(s.b[start:body]) {
			s.add(from, end)
		}
	}
}

// beginning holds back the last word if it may become a secret.
func (s *scan) beginning(start int) {
	at := start
	if at > 0 && (s.b[at-1] == '\\' || s.b[at-1] == '[' || s.b[at-1] == ';') {
		s.hold(at)
		return
	}
	w := s.b[at:]
	if len(w) == 0 {
		if n := len(s.b); n > 0 && s.b[n-1] == '.' {
			s.behindDot(n)
		}
		return
	}
	if at > 0 && s.b[at-1] == '.' {
		s.behindDot(at)
	}
	for _, prefix := range [...]string{"eyJ", awsSecret} {
		s.mayBe(at, w, prefix)
	}
	for _, shape := range byFirst[w[0]] {
		s.mayBe(at, w, shape.prefix)
	}
	for _, shape := range dotted {
		s.mayBe(at, w, shape.prefix)
	}
}

// behindDot holds back a prefix that ends with the dot before at.
func (s *scan) behindDot(at int) {
	for _, shape := range dotted {
		if from := at - len(shape.prefix); bytes.HasSuffix(s.b[:at], []byte(shape.prefix)) && (from == 0 || classes[s.b[from-1]] == 0) {
			s.hold(from)
		}
	}
}

// mayBe holds a word back that has the prefix or is the beginning of it.
func (s *scan) mayBe(at int, w []byte, prefix string) {
	n := min(len(w), len(prefix))
	if bytes.EqualFold(w[:n], []byte(prefix[:n])) {
		s.hold(at)
	}
}
