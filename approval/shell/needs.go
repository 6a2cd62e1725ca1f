package shell

import (
	"slices"
	"strings"
)

// needed lists the credentials of the home directory, as absolute paths, that a program is known to read with the given words.
func (w *walker) needed(program string, rest []word) []string {
	home := w.r.Home()
	if home == "" {
		return nil
	}
	var all []string
	add := func(paths string) {
		for name := range strings.FieldsSeq(paths) {
			if full := strings.TrimSuffix(home, "/") + "/" + name; !slices.Contains(all, full) {
				all = append(all, full)
			}
		}
	}
	words := rest
	if program == "git" {
		_, sub, more := gitSplit(rest)
		words = []word{literal(sub)}
		if len(more) > 0 && more[0].known {
			words = append(words, literal(sub+"-"+more[0].text))
		}
	}
	for _, n := range needs()[program] {
		if n.by == "" || slices.ContainsFunc(words, func(x word) bool { return x.known && listed(n.by, x.text) }) {
			add(n.paths)
		}
	}
	add(neededByOptions(program, rest))
	return all
}

// neededByOptions is for programs of which some options, or a place on another machine, need a credential.
func neededByOptions(program string, rest []word) string {
	switch program {
	case "curl": // curl(1)
		if optionIn(rest, "n", "netrc netrc-optional") {
			return ".netrc"
		}
	case "rsync": // rsync(1), "GENERAL"
		if slices.ContainsFunc(rest, elsewhere) {
			return ".ssh"
		}
	case "git": // git-archive(1), git-commit(1), git-tag(1)
		_, sub, words := gitSplit(rest)
		if sub == "archive" && optionIn(words, "", "remote") {
			return gitCredentials
		}
		if listed("commit merge rebase cherry-pick revert am commit-tree", sub) && optionIn(words, "S", "gpg-sign") || sub == "tag" && optionIn(words, "su", "sign local-user") {
			return ".gnupg .ssh"
		}
	}
	return ""
}

// elsewhere reports whether a word is HOST:PATH.
func elsewhere(x word) bool {
	host, _, ok := strings.Cut(x.text, ":")
	return ok && host != "" && !strings.HasPrefix(host, "-") && !strings.Contains(host, "/")
}

// Manages reports whether a command is git, gh, a package manager or their like: programs that write directories of their own,
// which others leave alone.
func (a *Analysis) Manages() bool {
	return slices.ContainsFunc(a.Commands, func(c Command) bool {
		args := a.Subjects[c.Subject].Args
		if len(args) == 0 || slices.Contains(c.Open, 0) {
			return false
		}
		program := programName(args[0])
		return strings.Contains(managers, " "+program+" ") || strings.HasPrefix(program, "git-")
	})
}
