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
	i := strings.IndexByte(s.text, '\n')
	if i < 0 {
		s.text = ""
		return
	}
	if i > 0 && s.text[i-1] == '\\' {
		s.text = "\x00" // no command
		return
	}
	s.text = s.text[i:]
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

// delimited drops n parts that end in the character the text begins with.
func (s *sedScript) delimited(n int) bool {
	if s.text == "" || s.text[0] == '\n' || s.text[0] == '\\' {
		return false
	}
	end := s.text[0]
	for i := 1; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '\\':
			i++
		case c == '[' && end != '[': // brackets may hold the delimiter: not followed
			if close := strings.IndexByte(s.text[i:], ']'); close < 0 || strings.IndexByte(s.text[i:i+close], end) >= 0 {
				return false
			}
		case c == end:
			if n--; n == 0 {
				s.text = s.text[i+1:]
				return true
			}
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

// awkReads reports whether an awk program neither runs, reads nor writes anything by itself. Output goes through ">"
// and "|" inside of braces, and commands and files come in through getline and "|".
func awkReads(program string) bool {
	for _, no := range []string{"system", "getline", "@", "close", "fflush", "ARGV", "ENVIRON", "PROCINFO", "/inet", "#"} {
		if strings.Contains(program, no) {
			return false
		}
	}
	depth, quoted := 0, false
	for i := 0; i < len(program); i++ {
		c := program[i]
		switch {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth < 0 {
				return false
			}
		case c == '|':
			if i+1 == len(program) || program[i+1] != '|' {
				return false
			}
			i++
		case c == '>' && depth > 0 && (i+1 == len(program) || program[i+1] != '='):
			return false
		case c == '/' && strings.ContainsAny(program, "\"{}") && regexHides(program[i+1:]):
			return false
		}
	}
	return !quoted && depth == 0
}

// regexHides reports whether what may be a regular expression holds characters that would mislead the count of quotes and braces.
func regexHides(rest string) bool {
	end := strings.IndexByte(rest, '/')
	return end >= 0 && strings.ContainsAny(rest[:end], "\"{}")
}
