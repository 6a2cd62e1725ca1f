package redact

import "bytes"

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

// maxMore is how many parts follow the first one of a secret with dots: SendGrid has one.
const maxMore = 2

func (s *scan) dotted(start, end int) {
	for _, shape := range dotted {
		from := start - len(shape.prefix)
		if from < 0 || !bytes.HasPrefix(s.b[from:], []byte(shape.prefix)) || from > 0 && classes[s.b[from-1]] != 0 {
			continue
		}
		body := end
		for more := 0; more < maxMore && end < len(s.b)-1 && s.b[end] == '.' && classes[s.b[end+1]] != 0; more++ {
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
