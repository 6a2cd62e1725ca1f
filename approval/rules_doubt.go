package approval

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// doubt says why deny and ask rules cannot tell whether they speak of a subject, empty if they can.
func (r *Rules) doubt(c *call, s Subject) string {
	if s.Effects != 0 && !s.Effects.Has(ExecOpaque) {
		return r.suspicion(s)
	}
	if reason := r.below(s); reason != "" || !r.commands {
		return reason
	}
	return why(s, "what it does cannot be known beforehand")
}

// suspicion says what a subject that is known as far as possible may do that deny and ask rules speak of.
func (r *Rules) suspicion(s Subject) string {
	if reason := r.below(s); reason != "" {
		return reason
	}
	if s.Command == nil || len(s.Args) == 0 {
		return ""
	}
	if i, rule := r.mentionsPath(s); i >= 0 {
		return fmt.Sprintf("%s may read or write %s: %s", s.Args[0], s.Args[i], rule.reasonText())
	}
	if !r.commands || s.Effects.Only(Read) {
		return ""
	}
	if i := r.copied(s); i >= 0 {
		return fmt.Sprintf("%s may run under another name, and rules speak of it", s.Args[i])
	}
	if i := r.mentions(s); i >= 0 {
		return fmt.Sprintf("%s may run %s, which rules speak of", s.Args[0], r.named(s.Args[i]))
	}
	return alias(s)
}

// mentions finds the first word of a command by which it may run a program that deny or ask rules speak of, or -1.
func (r *Rules) mentions(s Subject) int {
	if !s.Command.Unlisted && !s.Effects.Has(ExecProject) && !s.runsText() {
		return -1
	}
	for i, w := range s.Args {
		if (i > 0 || strings.ContainsAny(w, " \t\n")) && r.named(w) != "" {
			return i
		}
	}
	return -1
}

// copiers make what they are given to be found under another name too.
const copiers = " cp mv ln install dd link rsync "

// copied finds the first word that is the path of a program that deny or ask rules speak of, and that a command copies, or -1.
func (r *Rules) copied(s Subject) int {
	if program, _ := programOf(s.plainArgs()); !strings.Contains(copiers, " "+program+" ") {
		return -1
	}
	return slices.IndexFunc(s.Args, func(w string) bool { return strings.Contains(w, "/") && r.named(w) != "" })
}

// runsText reports whether a command may run its words as programs although its options are known. Git has aliases instead, and a
// program that is not known is held at execution.
func (s Subject) runsText() bool {
	program, _ := programOf(s.plainArgs())
	return s.Effects.Has(ExecOpaque) && program != "git" && !strings.ContainsAny(s.Args[0], "$` ")
}

// below says that a subject reads or writes a directory that holds what a rule speaks of.
func (r *Rules) below(s Subject) string {
	if !s.Tree {
		return ""
	}
	does := "reads"
	if s.Effects.Has(Write) {
		does = "writes"
	}
	all := namesOf(s, r.at, true)
	for i := range r.list {
		rule := &r.list[i]
		if rule.path != nil && rule.Action != Allow && rule.path.touches(&all, s.Effects) {
			return does + " what may lie below " + s.Path + ": " + rule.reasonText()
		}
	}
	return ""
}

// named returns the program in a word that deny or ask rules speak of. The word may be a command line itself.
func (r *Rules) named(word string) string {
	if strings.ContainsAny(word, unquoted) {
		word = strings.NewReplacer("'", "", `"`, "", `\`, "").Replace(word)
	}
	for w := range strings.FieldsFuncSeq(word, separates) {
		if program := baseName(w); r.programs[program] && (w[0] == '/' || !strings.Contains(w, "/")) {
			return program
		}
	}
	return ""
}

// unquoted are the characters that a shell takes out of words.
const unquoted = "'\"\\"

// separates reports whether a character ends a word of a command line, or what stands before a value: --run=X, EXEC:X,pty.
func separates(c rune) bool { return strings.ContainsRune(" \t\n;|&()`=:,", c) }

// alias says that a subcommand of git may be an alias of a command that rules speak of.
func alias(s Subject) string {
	program, words := programOf(s.plainArgs())
	if program != "git" || len(words) == 0 || strings.HasPrefix(words[0], "-") || GitCommand(words[0]) {
		return ""
	}
	return "git " + words[0] + " may be an alias of what rules speak of"
}

// gitDecides reports whether a command of git is an alias or changes what later ones run.
func gitDecides(s Subject) bool {
	args := s.plainArgs()
	if len(args) < 2 || args[0] != "git" || s.Effects.Only(Read) {
		return false
	}
	return alias(s) != "" || strings.Contains(gitSettings, " "+args[1]+" ")
}

// plainArgs are the words of a command without what stands before a subcommand.
func (s Subject) plainArgs() []string {
	if s.Command != nil && s.Command.Plain != nil {
		return s.Command.Plain
	}
	return s.Args
}

// gitSettings are the subcommands of git that run what they are given, change what later ones run, or serve others.
const gitSettings = " config bisect submodule difftool mergetool send-email daemon instaweb web--browse credential maintenance hook "

// explains reports whether a rule settles a doubt: an allow rule that names the whole line where no other rule speaks of
// commands, or that spells the words in doubt; an ask rule asks anyway.
func (r *Rules) explains(i int, c *call, s Subject) bool {
	rule := &r.list[i]
	switch {
	case rule.Action == Ask:
		return true
	case rule.shape == nil || s.Tree || s.Effects == 0 || s.Effects.Has(ExecOpaque):
		return false
	case r.isLine(i, c):
		return true
	}
	inPath, _ := r.mentionsPath(s)
	for _, i := range [...]int{r.copied(s), r.mentions(s), inPath} {
		if i >= 0 && !slices.Contains(rule.shape.words, s.Args[i]) {
			return false
		}
	}
	return alias(s) == "" || len(rule.shape.words) > 1
}

// sweepers take all that lies below the directories they are given.
const sweepers = " tar bsdtar zip 7z 7za 7zz cpio rsync cp scp sftp mv ln docker podman kubectl restic rclone "

// gitWriters are subcommands of git that change the files they are given.
const gitWriters = " checkout restore rm mv clone worktree reset clean stash apply init bundle submodule merge-file interpret-trailers mailsplit bugreport diagnose "

// gitExports are subcommands of git that hand out, check out again or show to other programs what git tracks.
const gitExports = " archive bundle checkout-index fast-export format-patch send-email clone worktree difftool gitk gui instaweb daemon upload-pack upload-archive http-backend "

// mentionsPath finds the first word of a command that may be a path which a deny or ask rule speaks of, or -1. What
// a command is known to read or write has subjects of its own; this is for the others.
func (r *Rules) mentionsPath(s Subject) (int, *rule) {
	if !r.paths {
		return -1, nil
	}
	program, words := programOf(s.plainArgs())
	git := program == "git" && len(words) > 0
	if s.Effects.Only(Read) && !git {
		return -1, nil
	}
	if git && (strings.Contains(gitExports, " "+words[0]+" ") || words[0] == "grep" && len(plain.spell(words).operands) < 3) { // it and its pattern: all that git tracks
		if rule := r.pathRule(".", false, true); rule != nil {
			return 0, rule
		}
	}
	writes := s.Command.Unlisted && !s.Effects.Has(ExecProject) || git && strings.Contains(gitWriters, " "+words[0]+" ")
	sweeps := strings.Contains(sweepers, " "+program+" ")
	for i, w := range s.Args {
		switch {
		case i == 0:
			continue
		case len(w) > 2 && w[0] == '-' && w[1] != '-' && !strings.Contains(w, "="):
			w = w[2:] // -TFILE
		case strings.HasPrefix(w, "-") && !strings.Contains(w, "="):
			continue
		}
		for piece := range strings.FieldsFuncSeq(w, joins) {
			if rule := r.pathRule(piece, writes, sweeps); rule != nil {
				return i, rule
			}
		}
	}
	return -1, nil
}

// joins reports whether a character stands between a path and what it belongs to: --file=PATH, @PATH, HEAD:PATH.
func joins(c rune) bool { return c == '=' || c == '@' || c == ':' || c == ',' }

// pathRule is the deny or ask rule that speaks of reading a path, or, with writes, of writing it.
func (r *Rules) pathRule(name string, writes, sweeps bool) *rule {
	if !path.IsAbs(name) {
		name = r.at.workDir + "/" + name
	}
	all := namesOf(Subject{Path: path.Clean(name)}, r.at, true)
	speaks := func(i int) bool {
		rule := &r.list[i]
		if rule.Action == Allow || rule.path == nil || !writes && !rule.path.effects.Has(Read) {
			return false
		}
		return sweeps && rule.path.touches(&all, Read) || slices.ContainsFunc(all.list[:all.n], rule.path.matches)
	}
	found := none
	for i := 0; sweeps && i < len(r.list) && found == none; i++ { // directories around what a rule speaks of
		if speaks(i) {
			found = i
		}
	}
	for _, x := range [...]*index{&r.denials, &r.others} {
		found = first(x.anyPath, found, speaks)
		for _, n := range all.list[:all.n] {
			found = first(x.paths[firstComponent(n.text)], found, speaks)
		}
	}
	if found == none {
		return nil
	}
	return &r.list[found]
}
