package shell

import (
	"slices"
	"strings"

	"tricode/approval"
)

// unreading are the programs that do not read what their words name: they make, remove or change it from outside. Those of cp and its
// like are judged by their places.
const unreading = " rm rmdir unlink shred trash touch mkdir mkfifo mknod mktemp tee truncate chmod chown chgrp chattr sponge cp install rsync scp "

// gitUnreading are the subcommands of git that do not read what their words name in the working tree.
const gitUnreading = " rm checkout restore reset switch clean check-ignore check-attr "

// sweeping are the programs that read all files below the directories in their words; true for those that need no such word.
var sweeping = map[string]bool{
	"tar": false, "bsdtar": false, "zip": false, "7z": false, "7za": false, "7zz": false, "rar": false, "cp": false, "rsync": false, "scp": false, "rclone": false,
	"cpio": true, "ag": true, "ack": true, "ack-grep": true, "pt": true, "sift": true, "ugrep": true, "ug": true, "ucg": true,
}

// secrets records the secrets that the words of a command name, alone, as the value of an option or behind a sign such as in
// curl -d @FILE, because a program that does more than the table knows may print or send what it reads.
func (w *walker) secrets(program string, ws []word) {
	rest := ws[1:]
	if program == "git" {
		_, sub, words := gitSplit(rest)
		if rest = words; strings.Contains(gitUnreading, " "+sub+" ") {
			return
		}
	}
	if !strings.Contains(unreading, " "+program+" ") {
		if len(rest) > 1 && (program == "mv" || program == "ln") {
			rest = rest[:len(rest)-1]
		}
		for _, x := range rest {
			w.secretsIn(x)
		}
	}
	w.sweeps(program, ws[1:])
}

// secretsIn records the secrets that a word names.
func (w *walker) secretsIn(x word) {
	if !x.known || strings.Contains(x.text, "://") && !strings.Contains(x.text, "file://") {
		return
	}
	text := x.text
	if len(text) > 2 && text[0] == '-' && text[1] != '-' {
		w.secretNamed(text[2:]) // -TFILE
	}
	for piece := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == '=' || c == '@' || c == ':' || c == ',' }) {
		w.secretNamed(piece)
	}
}

func (w *walker) secretNamed(name string) {
	if strings.HasPrefix(name, "-") || strings.Contains(name, " ") && !w.exists(name) { // most likely a sentence
		return
	}
	for _, full := range w.from(name) {
		if !w.afford() {
			return
		}
		place := w.r.Resolve(full)
		if approval.IsSecret(place.Path, w.r.Home()) || place.Via != "" && approval.IsSecret(place.Via, w.r.Home()) {
			w.path(approval.Read, name, "")
		}
	}
}

// readsDirectories reports whether a program reads what it copies, whatever its words name.
func readsDirectories(program string) bool { _, ok := sweeping[program]; return ok }

// sweeps records the secrets below the directories that a program reads all of.
func (w *walker) sweeps(program string, rest []word) {
	all, ok := sweeping[program]
	if !ok || program == "tar" && !tarReads(rest) {
		return
	}
	files := slices.DeleteFunc(slices.Clone(rest), func(x word) bool { return !x.known || strings.HasPrefix(x.text, "-") })
	switch fromList := wordIn(rest, "-@") || slices.ContainsFunc(rest, func(x word) bool { return strings.HasPrefix(x.text, "-T") || strings.HasPrefix(x.text, "--files-from") }); {
	case all && len(files) < 2, fromList: // no more than a pattern
		files = append(files, literal("."))
	case len(files) > 1 && strings.Contains(" cp rsync scp ", " "+program+" "):
		files = files[:len(files)-1]
	}
	for _, x := range files {
		for _, full := range w.from(x.text) {
			if place := w.r.Resolve(full); place.Kind == Dir && place.Rel != "" {
				w.below(place.Path, sweep{hidden: true}, 0)
			}
		}
	}
}

// tarReads reports whether tar puts files into an archive.
func tarReads(rest []word) bool {
	if len(rest) > 0 && rest[0].known && !strings.HasPrefix(rest[0].text, "-") {
		rest = oldStyle(rest)
	}
	spec := writers()["tar"]
	p := spec.options(rest)
	return p.like("cruA", "create append update catenate concatenate")
}

// credentials are the words by which programs print credentials that they keep. Sources: their manuals.
var credentials = map[string]string{
	"security": "find-generic-password find-internet-password dump-keychain export", "secret-tool": "lookup search", "pass": "show", "gopass": "show", "op": "read item", "bw": "get list export", "keyring": "get", "lpass": "show export",
	"gh": "token", "glab": "token", "gcloud": "print-access-token print-identity-token print-refresh-token", "aws": "export-credentials get-session-token get-secret-value get-login-password get-parameter",
	"az": "get-access-token", "git": "credential", "vault": "read kv print", "kubectl": "secret secrets", "oc": "secret secrets", "doppler": "secrets", "heroku": "config", "wrangler": "secret", "gpg": "--export-secret-keys --export-secret-subkeys --decrypt -d",
	"ansible-vault": "view decrypt edit", "sops": "-d --decrypt decrypt", "age": "-d --decrypt", "chamber": "read export", "npm": "",
}

// printsCredential reports whether a command prints a credential that its program keeps.
func printsCredential(ws []word) bool {
	program := programName(ws[0].text)
	if program == "git" {
		if _, sub, words := gitSplit(ws[1:]); sub == "config" {
			return slices.ContainsFunc(words, func(x word) bool { return x.known && gitCredential(x.text) })
		}
	}
	list, ok := credentials[program]
	return ok && slices.ContainsFunc(ws[1:], func(x word) bool {
		return x.known && (listed(list, x.text) || strings.HasSuffix(x.text, "_authToken"))
	})
}
