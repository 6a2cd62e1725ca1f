package shell

import (
	"strings"

	"tricode/approval"
)

// gitAliases follows what git runs because its own words say so: git -c alias.NAME=TEXT NAME, and git config alias.NAME TEXT, which
// a later command may run.
func (w *walker) gitAliases(c run) {
	global, sub, words := gitSplit(c.words[1:])
	for _, o := range global.options {
		key, text, ok := strings.Cut(o.value.text, "=")
		if name, isAlias := aliasName(key); ok && isAlias && o.is("c", "") && strings.EqualFold(name, sub) {
			w.gitAlias(c, text, words)
		}
	}
	for i, x := range words {
		if _, isAlias := aliasName(x.text); isAlias && sub == "config" && i+1 < len(words) {
			w.gitAlias(c, words[i+1].text, nil)
		}
	}
}

func aliasName(key string) (string, bool) {
	section, name, ok := strings.Cut(key, ".")
	return name, ok && strings.EqualFold(section, "alias")
}

// gitAlias follows the text of an alias with the words behind it; source: git-config(1), "alias.*".
func (w *walker) gitAlias(c run, text string, words []word) {
	line, isShell := strings.CutPrefix(text, "!")
	if !isShell {
		line = "git " + text
	}
	for _, x := range words {
		line += " " + quote(x.text)
	}
	w.within([]word{literal(line)}, func(ws []word) { w.line(c, ws) })
}

// quote makes one word of a command line.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// gitSettles are the settings that start no program and send nothing elsewhere, with a dot at the end for all of a section. Source:
// git-config(1), 2.39.
const gitSettles = " user. author. committer. pull. push.default push.autosetupremote push.followtags color. column. advice. log. status. rebase. fetch. rerere. apply. blame. branch.autosetuprebase branch.autosetupmerge branch.sort tag.sort" +
	" commit.verbose commit.gpgsign tag.gpgsign core.autocrlf core.eol core.filemode core.ignorecase core.quotepath core.safecrlf core.longpaths core.precomposeunicode core.abbrev core.symlinks core.whitespace core.commentchar" +
	" diff.algorithm diff.renames diff.colormoved diff.mnemonicprefix diff.context diff.noprefix merge.ff merge.conflictstyle merge.renames init.defaultbranch help.format gc.auto feature. index. pack. "

// gitCredential reports whether a setting may hold a credential: http.URL.extraHeader, url.URL.insteadOf, sendemail.smtpPass; source:
// git-config(1), 2.39.
func gitCredential(key string) bool {
	key = strings.ToLower(key)
	section, _, _ := strings.Cut(key, ".")
	return listed("http url credential sendemail imap", section) || strings.Contains(key, "token") || strings.Contains(key, "pass") || strings.Contains(key, "secret")
}

// gitConfigures says that git config changes what git runs later, or where it sends things.
func gitConfigures(words []word) (approval.Effects, string) {
	spec := gitReaders()["config"]
	p := spec.options(words)
	if p.has("l", "list get get-all get-regexp get-urlmatch get-color get-colorbool") || len(p.operands) == 1 && p.operands[0].known && p.strange == "" {
		return 0, ""
	}
	for _, x := range p.operands {
		if section, _, ok := strings.Cut(strings.ToLower(x.text), "."); ok && x.known {
			if strings.Contains(gitSettles, " "+section+". ") || strings.Contains(gitSettles, " "+strings.ToLower(x.text)+" ") {
				return 0, ""
			}
			break
		}
	}
	return approval.Dangerous | approval.ExecOpaque, "changes what git runs later"
}
