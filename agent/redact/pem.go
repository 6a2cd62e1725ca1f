package redact

import "bytes"

// What stands around a private key (RFC 7468), whoever wrote it: "RSA", "EC", "OPENSSH" or "PGP" may come between.
var (
	pemBegin   = []byte("-----BEGIN ")
	pemEnd     = []byte("-----END ")
	pemDashes  = []byte("-----")
	privateKey = []byte("PRIVATE KEY")
)

// pem looks for private keys between their lines, also where one of the two is missing because the text was cut.
func (s *scan) pem() {
	for at := 0; ; {
		i := bytes.Index(s.b[at:], pemBegin)
		if i < 0 {
			break
		}
		start := at + i
		body, private, whole := label(s.b[start+len(pemBegin):])
		at = start + len(pemBegin)
		if !whole {
			s.hold(start)
		}
		if !private {
			continue
		}
		end, closed := closing(s.b, at+body)
		if !closed {
			s.hold(start)
			end = at + body + lines(s.b[at+body:])
		}
		s.add(start, end)
		at = end
	}
	s.partly(pemBegin)
	s.pemTails()
}

// pemTails looks for keys of which only the end is there. Of a text that comes in pieces, what came before is out.
func (s *scan) pemTails() {
	for at := 0; ; {
		i := bytes.Index(s.b[at:], pemEnd)
		if i < 0 {
			return
		}
		end := at + i
		n, private, _ := label(s.b[end+len(pemEnd):])
		at = end + len(pemEnd)
		if start := end - linesBefore(s.b[:end]); private && start < end {
			s.add(max(start, s.low), at+n)
		}
	}
}

// label reads what follows a beginning to the dashes that close it. whole is that they are there, or cannot be.
func label(b []byte) (n int, private, whole bool) {
	const longest = 48
	line, _, ended := bytes.Cut(b[:min(len(b), longest)], []byte("\n"))
	i := bytes.Index(line, pemDashes)
	if i < 0 {
		return 0, false, ended || len(b) >= longest
	}
	return i + len(pemDashes), bytes.Contains(b[:i], privateKey), true
}

// closing finds the end of a key, which must not be far away.
func closing(b []byte, from int) (end int, ok bool) {
	near := b[from:min(len(b), from+maxOpen)]
	i := bytes.Index(near, pemEnd)
	if i < 0 {
		return 0, false
	}
	n, _, _ := label(near[i+len(pemEnd):])
	return from + i + len(pemEnd) + n, n > 0
}

// lines is how many bytes of lines as they stand in a key b begins with.
func lines(b []byte) int {
	n := 0
	for n < len(b) {
		line, _, more := bytes.Cut(b[n:], []byte("\n"))
		if !encoded(line) {
			break
		}
		n += len(line)
		if more {
			n++
		}
	}
	return n
}

// fullLine is the least length of a line of a key but the last: 64 are usual, 70 for OpenSSH, and one may be cut.
const fullLine = 32

// linesBefore is how many bytes of such lines b ends with.
func linesBefore(b []byte) int {
	n := len(b)
	for n > 0 && b[n-1] == '\n' {
		start := bytes.LastIndexByte(b[:n-1], '\n') + 1
		line := bytes.TrimSpace(b[start : n-1])
		if len(line) == 0 || len(line) < fullLine && n < len(b) || !encoded(line) {
			break
		}
		n = start
	}
	return len(b) - n
}

// encoded reports whether a line is of base64, or blank.
func encoded(line []byte) bool {
	for _, c := range bytes.TrimSpace(line) {
		if classes[c]&alnum == 0 && c != '+' && c != '/' && c != '=' {
			return false
		}
	}
	return true
}
