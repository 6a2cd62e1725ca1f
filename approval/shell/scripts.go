package shell

import "strings"

// sedReads reports whether a sed script neither runs (e), reads (r, R) nor writes (w, W) anything. It knows the
// commands of sed(1), GNU 4.8, and gives up at whatever else it finds.
func sedReads(script string) bool {
	s := sedScript{text: script}
	for {
		s.skip(" \t\n;{}")
		if s.text == "" {
			return true
		}
		if !s.address() {
			return false
		}
		s.skip(" \t!")
		if s.text == "" {
			return false
		}
		c := s.text[0]
		s.text = s.text[1:]
		switch c {
		case '{', '}', '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z':
		case 'q', 'Q', 'l', 'L':
			s.skip(" 0123456789")
		case 's':
			if !s.substitute() {
				return false
			}
		case 'y':
			if !s.delimited(2) {
				return false
			}
		case 'a', 'i', 'c', '#':
			s.line()
		case ':', 'b', 't', 'T': // whatever ends a label, what follows must be harmless as commands too
			s.skip(" ")
			s.skip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")
		default:
			return false
		}
		if s.skip(" \t"); s.text != "" && !strings.ContainsAny(s.text[:1], ";\n}{") && strings.IndexByte("{}", c) < 0 && strings.IndexByte("aic#", c) < 0 {
			return false
		}
	}
}

type sedScript struct{ text string }

func (s *sedScript) skip(set string) { s.text = strings.TrimLeft(s.text, set) }

// line drops the rest of the line; a text whose lines are continued is not followed.
func (s *sedScript) line() {
	line, _, _ := strings.Cut(s.text, "\n")
	if strings.HasSuffix(line, `\`) {
		s.text = "\x00" // no command
		return
	}
	s.text = s.text[len(line):]
}

// address drops the addresses before a command.
func (s *sedScript) address() bool {
	for {
		s.skip(" \t0123456789,~+$")
		switch {
		case strings.HasPrefix(s.text, "/"):
			if !s.delimited(1) {
				return false
			}
		case strings.HasPrefix(s.text, `\`) && len(s.text) > 1:
			s.text = s.text[1:]
			if !s.delimited(1) {
				return false
			}
		default:
			return true
		}
		s.skip("IM")
	}
}

// delimited drops n parts that end in the character the text begins with, the first of which may be a regular expression.
func (s *sedScript) delimited(n int) bool {
	if s.text == "" || s.text[0] == '\n' || s.text[0] == '\\' {
		return false
	}
	end := s.text[0]
	i := regexEnd(s.text[1:], end)
	if i < 0 {
		return false
	}
	s.text = s.text[i+2:]
	if n == 1 {
		return true
	}
	for i := 0; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case end:
			s.text = s.text[i+1:]
			return true
		}
	}
	return false
}

// substitute drops the rest of an s command, if its flags are harmless.
func (s *sedScript) substitute() bool {
	if !s.delimited(2) {
		return false
	}
	s.skip("gpiIm0123456789")
	return s.text == "" || strings.ContainsAny(s.text[:1], " \t;\n}")
}
