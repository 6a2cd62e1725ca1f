package approval

import (
	"slices"
	"strings"
)

// shape is what a rule says of commands.
type shape struct {
	words   []string // the literal words at the beginning, as written
	rest    string   // a glob over the words behind them; empty where none may follow
	anyRest bool     // whatever follows is covered
	text    string   // the whole command line, for rules that name exactly one
	literal bool     // text is one command with literal words

	addresses []string // globs of the addresses that an allow rule speaks of; nil for any

	// The same for deny and ask rules, which see through spelling.
	program  string // empty if it is not literal: then whole is a glob over all words
	whole    string
	dialect  *dialect
	subs     []string
	options  []spelled
	operands []string
	tail     string    // the glob of rest without its options
	among    []spelled // and these
}

// newShape reads the command-shaped part of a rule; home replaces ~.
func newShape(r Rule, home string) *shape {
	s := &shape{}
	prefix, isPrefix := strings.CutSuffix(r.Pattern, ":*")
	switch {
	case r.Prefix != nil:
		s.words, s.anyRest = r.Prefix, true
	case isPrefix:
		s.words, s.anyRest = strings.Fields(prefix), true
	case r.Command != "":
		s.text = strings.TrimSpace(r.Command)
		s.words, s.literal = splitWords(s.text)
		if r.Action != Allow && strings.Contains(s.text, "*") {
			s.glob(s.text)
		} else if !s.literal {
			return s
		}
	default:
		s.glob(r.Pattern)
	}
	s.understand(home)
	return s
}

// glob takes a pattern apart into its literal words and the rest.
func (s *shape) glob(pattern string) {
	fields := strings.Fields(pattern)
	n := slices.IndexFunc(fields, func(f string) bool { return strings.Contains(f, "*") })
	if n < 0 {
		n = len(fields)
	}
	s.words, s.rest = fields[:n], strings.Join(fields[n:], " ")
	s.anyRest = s.rest == "*"
	if n == 0 {
		s.whole = s.rest
	}
}

// understand prepares matching through spelling.
func (s *shape) understand(home string) {
	if len(s.words) == 0 {
		s.dialect = plain
		return
	}
	program, words := programOf(s.words)
	s.program = program
	for _, w := range words {
		if strings.HasPrefix(w, "-") {
			break
		}
		s.subs = append(s.subs, cleanWord(w, "", home))
	}
	s.dialect = dialectOf(s.program, s.subs)
	s.addresses = addressesOf(slices.Concat(s.words, strings.Fields(s.rest)))
	all := s.dialect.spell(words)
	s.options = all.options
	for _, o := range all.operands[min(len(s.subs), len(all.operands)):] {
		s.operands = append(s.operands, cleanWord(o.text, "", home))
	}
	s.understandRest(home)
}

// understandRest finds the options in the glob behind the literal words.
func (s *shape) understandRest(home string) {
	var tail []string
	for f := range strings.FieldsSeq(s.rest) {
		bare := strings.Trim(f, "*")
		if strings.HasPrefix(bare, "-") && len(bare) > 1 && !strings.Contains(bare, "*") {
			s.among = append(s.among, s.dialect.spell([]string{bare}).options...)
			if f != bare {
				tail = append(tail, "*")
			}
			continue
		}
		tail = append(tail, cleanWord(f, "", home))
	}
	s.tail = strings.Join(tail, " ")
}

// place is what the spelling of a path depends on.
type place struct{ workDir, home string }

// speaks reports whether the shape speaks of a command, however it is spelt.
func (s *shape) speaks(args []string, at place) bool {
	if len(args) == 0 {
		return false
	}
	program, words := programOf(args)
	if s.program == "" {
		return s.whole != "" && (matchOpen(s.whole, joined(program, words)) || matchOpen(s.whole, joined(args[0], args[1:])))
	}
	if program != s.program {
		return false
	}
	if s.speaksOfWords(words, at) {
		return true
	}
	other := gitDoes(words)
	return program == "git" && other != nil && s.speaksOfWords(other, at)
}

// gitDoes is what a subcommand of git has another one do, or does in its place; nil if that is nothing.
func gitDoes(words []string) []string {
	if len(words) < 2 {
		return nil
	}
	for i, w := range words[1:] {
		switch rest := words[i+2:]; words[0] + " " + w {
		case "subtree push", "lfs push", "subtree pull", "lfs pull", "lfs fetch":
			return append([]string{w}, rest...)
		case "svn dcommit", "p4 submit":
			return append([]string{"push"}, rest...)
		case "remote update", "svn fetch", "p4 sync":
			return append([]string{"fetch"}, rest...)
		}
	}
	return nil
}

// speaksOfWords reports whether the shape speaks of its program with these words behind it.
func (s *shape) speaksOfWords(words []string, at place) bool {
	all := s.dialect.spell(words)
	rest, ok := s.leads(all.operands, at)
	switch {
	case !ok || !all.hasAll(s.dialect, s.options):
		return false
	case s.rest == "" && !s.anyRest:
		return s.exactly(&all, rest)
	}
	left, ok := without(rest, s.operands)
	if !ok { // --tag=x for --tag x
		left = rest
		_, ok = without(append(rest[:len(rest):len(rest)], all.values(at)...), s.operands)
	}
	return ok && (s.anyRest || s.restMatches(words, &all, left))
}

// values are those that options have, made comparable.
func (s *spelling) values(at place) []string {
	var all []string
	for _, o := range s.options {
		if o.valued {
			all = append(all, cleanWord(o.value, at.workDir, at.home))
		}
	}
	return all
}

func joined(program string, words []string) string {
	return strings.Join(append([]string{program}, words...), " ")
}

// matchOpen is matchGlob, where " *" at the end also matches nothing.
func matchOpen(glob, text string) bool {
	head, open := strings.CutSuffix(glob, " *")
	return matchGlob(glob, text) || open && matchGlob(head, text)
}

// programOf is the program of a command as rules know it, and the words behind it, in one of the ways to write them:
// git-push and hub push are git push, docker container rm is docker rm.
func programOf(args []string) (string, []string) {
	program, words := baseName(args[0]), args[1:]
	sub, isGit := strings.CutPrefix(program, "git-")
	switch {
	case isGit && GitCommand(sub):
		return "git", append([]string{sub}, words...)
	case program == "hub": // github.com/mislav/hub passes on to git what it does not know
		program = "git"
	case dialects()[program] != container || len(words) < 2:
	case words[0] == "container":
		words = words[1:]
	case words[0] == "image" && words[1] == "rm":
		words = append([]string{"rmi"}, words[2:]...)
	}
	return program, words
}

// leads finds the subcommands at the beginning of the operands and returns what follows, made comparable.
func (s *shape) leads(operands []operand, at place) (rest []string, ok bool) {
	for i, sub := range s.subs {
		for len(operands) > 0 && operands[0].maybe && !s.isSub(i, sub, operands[0].text, at) {
			operands = operands[1:]
		}
		if len(operands) == 0 || !s.isSub(i, sub, operands[0].text, at) {
			return nil, false
		}
		operands = operands[1:]
	}
	rest = make([]string, len(operands))
	for i, o := range operands {
		rest[i] = cleanWord(o.text, at.workDir, at.home)
	}
	return rest, true
}

func (s *shape) isSub(i int, sub, word string, at place) bool {
	d := s.dialect
	if top := dialects()[s.program]; i == 0 && top != nil {
		d = top
	}
	return d.sameSub(sub, word) || sub == cleanWord(word, at.workDir, at.home)
}

// exactly reports whether a command has the options and operands of the shape and no others.
func (s *shape) exactly(all *spelling, rest []string) bool {
	for _, o := range all.options {
		if !slices.ContainsFunc(s.options, func(want spelled) bool { return s.dialect.means(want, o) }) {
			return false
		}
	}
	return slices.Equal(rest, s.operands)
}

// without takes the wanted words out of the others; ok is false if one is missing.
func without(words, wanted []string) (rest []string, ok bool) {
	for _, w := range wanted {
		i := slices.Index(words, w)
		if i < 0 {
			return nil, false
		}
		words = slices.Delete(slices.Clone(words), i, i+1)
	}
	return words, true
}

// restMatches holds what follows the literal words against the glob: as written, and then without options, all of it
// or any one word.
func (s *shape) restMatches(words []string, all *spelling, operands []string) bool {
	if matchOpen(s.rest, strings.Join(words[min(len(s.words)-1, len(words)):], " ")) {
		return true
	}
	if !all.hasAll(s.dialect, s.among) {
		return false
	}
	if matchOpen(s.tail, strings.Join(operands, " ")) {
		return true
	}
	return !strings.Contains(s.tail, " ") && slices.ContainsFunc(operands, func(o string) bool { return matchGlob(s.tail, o) })
}
