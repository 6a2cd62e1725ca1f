package approval

import (
	"path"
	"strings"
)

// spelling is a command taken apart by its dialect.
type spelling struct {
	options  []spelled
	operands []operand
}

// spelled is one option of a command.
type spelled struct {
	name   string // without its hyphens
	long   bool
	value  string // perhaps the next word, which may be an operand as well, where valued is not set
	valued bool
}

// operand is a word that is no option; with maybe it may be the value of the option before it.
type operand struct {
	text  string
	maybe bool
}

// spell takes the words behind a program apart.
func (d *dialect) spell(words []string) spelling {
	s := spelling{options: make([]spelled, 0, len(words)), operands: make([]operand, 0, len(words))}
	maybe := false
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--":
			for _, rest := range words[i+1:] {
				s.signs(d, rest)
				s.operands = append(s.operands, operand{text: rest})
			}
			return s
		case len(w) < 2 || w[0] != '-':
			s.signs(d, w)
			s.operands = append(s.operands, operand{w, maybe})
			maybe = false
			continue
		case w[1] == '-' || d.oneDash:
			name, value, valued := strings.Cut(strings.TrimLeft(w, "-"), "=")
			o := spelled{name, true, value, valued}
			maybe = !valued && !d.knows(name)
			if maybe && i+1 < len(words) {
				o.value = words[i+1]
				if d.takesValue(name, true) {
					i++
					o.valued, maybe = true, false
				}
			}
			s.options = append(s.options, o)
		default:
			i += s.cluster(d, w[1:], words[i+1:])
			last := s.options[len(s.options)-1]
			maybe = !last.valued && !d.knows(last.name)
		}
	}
	return s
}

// cluster takes one-letter options apart and returns how many of the words after them belong to them.
func (s *spelling) cluster(d *dialect, letters string, next []string) int {
	for i := range len(letters) {
		o := spelled{name: letters[i : i+1]}
		if !d.takesValue(o.name, false) {
			s.options = append(s.options, o)
			continue
		}
		used := 0
		if i+1 < len(letters) {
			o.value, o.valued = letters[i+1:], true
		} else if len(next) > 0 {
			o.value, o.valued, used = next[0], true, 1
		}
		s.options = append(s.options, o)
		return used
	}
	return 0
}

// signs reads what a sign before an operand stands for: git push +main forces.
func (s *spelling) signs(d *dialect, w string) {
	switch {
	case d.plus != "" && strings.HasPrefix(w, "+"):
		s.options = append(s.options, spelled{name: d.plus, long: true})
	case d.colon != "" && strings.HasPrefix(w, ":") && len(w) > 1:
		s.options = append(s.options, spelled{name: d.colon, long: true})
	}
}

// knows reports whether an option is one of the dialect's that take no value.
func (d *dialect) knows(name string) bool {
	if d.takesValue(name, len(name) > 1 || d.oneDash) {
		return false
	}
	for _, group := range d.same {
		if inGroup(group, name) {
			return true
		}
	}
	return false
}

// means reports whether an option is the wanted one, in any spelling.
func (d *dialect) means(want, o spelled) bool {
	if want.valued && want.value != o.value {
		return false
	}
	if sameName(want, o, d.oneDash) {
		return true
	}
	for _, group := range d.same {
		if !inGroup(group, want.name) {
			continue
		}
		for g := range strings.FieldsSeq(group) {
			g = strings.TrimPrefix(g, "<")
			if sameName(spelled{name: g, long: d.oneDash || len(g) > 1}, o, d.oneDash) {
				return true
			}
		}
	}
	return false
}

// sameName compares names; a long one may be abbreviated.
func sameName(want, o spelled, oneDash bool) bool {
	if want.name == o.name {
		return want.long == o.long || len(o.name) > 1
	}
	return want.long && o.long && !oneDash && o.name != "" && strings.HasPrefix(want.name, o.name)
}

// has reports whether a spelling has a wanted option, or two that together are it.
func (s *spelling) has(d *dialect, want spelled) bool {
	for _, o := range s.options {
		if d.means(want, o) {
			return true
		}
	}
	for _, pair := range d.pairs {
		if f := strings.Fields(pair); f[0] == want.name && !want.long {
			return s.has(d, spelled{name: f[1]}) && s.has(d, spelled{name: f[2]})
		}
	}
	return false
}

// hasAll reports whether a spelling has all wanted options.
func (s *spelling) hasAll(d *dialect, wanted []spelled) bool {
	for _, want := range wanted {
		if !s.has(d, want) {
			return false
		}
	}
	return true
}

// baseName is a program as rules know it: without its directory, case and ending. File systems that ignore case start RM
// as rm.
func baseName(program string) string {
	return Unprefixed(strings.TrimSuffix(strings.ToLower(path.Base(program)), ".exe"))
}

// prefixed are the GNU programs that other systems install with a "g" before their names; source: Homebrew's formulas of coreutils,
// findutils, gnu-sed, gnu-tar and grep.
const prefixed = " cat chgrp chmod chown chroot cp cut dd df du echo env expand find fold grep head install link ln ls mkdir mkfifo mknod mktemp mv nice nl nohup od paste printenv printf rm rmdir sed seq shred shuf sort split stat stdbuf tac tail tar tee test timeout touch tr truncate uniq unlink wc xargs "

// Unprefixed is the name by which a program is known that may be installed with a "g" before it: rm for grm.
func Unprefixed(name string) string {
	if bare, ok := strings.CutPrefix(name, "g"); ok && bare != "" && strings.Contains(prefixed, " "+bare+" ") {
		return bare
	}
	return name
}

// cleanWord makes a word that may be a path the same for all spellings of the path.
func cleanWord(word, workDir, home string) string {
	if word == "" || strings.Contains(word, "://") {
		return word
	}
	for _, h := range [...]string{"~", "$HOME", "${HOME}"} {
		if rest, ok := strings.CutPrefix(word, h); ok && home != "" && (rest == "" || rest[0] == '/') {
			word = home + rest
		}
	}
	for _, d := range [...]string{"$PWD", "${PWD}"} {
		if rest, ok := strings.CutPrefix(word, d); ok && (rest == "" || rest[0] == '/') {
			word = workDir + rest
		}
	}
	if !strings.Contains(word, "/") {
		return word
	}
	word = path.Clean(word)
	if workDir != "" && workDir != "/" && Within(word, workDir) {
		if word = strings.TrimPrefix(word[len(workDir):], "/"); word == "" {
			return "."
		}
	}
	return word
}

// matchGlob matches text against a pattern in which only * is special and stands for anything; \* is a star.
func matchGlob(pattern, text string) bool {
	p, t, star, from := 0, 0, -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, t
			p++
		case p+1 < len(pattern) && pattern[p] == '\\' && pattern[p+1] == '*' && text[t] == '*':
			p += 2
			t++
		case p < len(pattern) && pattern[p] == text[t]:
			p++
			t++
		case star >= 0:
			from++
			p, t = star+1, from
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
