package shell

import (
	"strings"

	"tricode/approval"
)

// startOptions are options through which programs start others, by program; names end at "=" or the word's end. Where one has
// a short and a long form both are here. Sources: the programs' manuals.
var startOptions = map[string]string{
	"rg": "--pre --hostname-bin --search-zip -z", "sort": "--compress-program", "tar": "--to-command --use-compress-program --checkpoint-action --rsh-command --info-script --new-volume-script --rmt-command -I -F",
	"rsync": "-e --rsh --rsync-path", "man": "-P --pager -H --html", "less": "+ --lesskey-src --lesskey-file -k", "zip": "-T -TT --unzip-command",
	"ssh": "-o -F -W -E", "scp": "-o -F -S", "sftp": "-o -F -S -D", "gcc": compilerStarts, "g++": compilerStarts, "clang": compilerStarts, "clang++": compilerStarts, "cc": compilerStarts, "c++": compilerStarts, "ld": "-plugin --plugin @",
	"go": "-exec -toolexec -vettool --exec --toolexec --vettool -overlay -modfile -gccgoflags -C", "cargo": "--config --target-dir --manifest-path -Z -C +", "wget": "--use-askpass -e --execute --config", "curl": "-K --config --proto-default --engine --unix-socket --abstract-unix-socket",
	"make": "-f --file --makefile --eval -E -C --directory -I --include-dir", "npm": "--script-shell --prefix --userconfig --globalconfig -C --node-options --onload-script --shell --git --viewer --browser --editor --python --init-module", "file": "-m -C -z", "ps": "", "gawk": "-l --load -i --include -D", "split": "--filter",
	"yarn": "--cwd --use-yarnrc", "pnpm": "-C --dir --prefix --script-shell", "node": "-r --require --import --loader --experimental-loader --env-file", "pytest": "-p -c -o --rootdir --confcutdir",
	"openssl": "-engine -provider -provider-path -config", "psql": "-f --file", "sqlite3": "-init", "docker": containerStarts, "podman": containerStarts, "nerdctl": containerStarts, "vim": editorStarts, "vi": editorStarts, "nvim": editorStarts, "view": editorStarts, "ex": editorStarts, "kubectl": "--kubeconfig", "helm": "--kubeconfig --post-renderer", "pandoc": "--filter --lua-filter -F -L --pdf-engine",
	"fzf": "--preview --bind", "bat": "--pager", "delta": "--pager", "nmap": "--script", "tcpdump": "-z", "gpg": "--photo-viewer --agent-program", "apt": "-o --option -c --config-file", "apt-get": "-o --option -c --config-file",
}

// containerStarts give a container more of this machine, or name another one.
const containerStarts = "-H --host --config --privileged --pid --ipc --uts --userns --cgroupns --cap-add --security-opt --device --volumes-from --runtime --group-add --sysctl"

const editorStarts = "+ -c --cmd -S -s -u -U -i -W -w -V --startuptime"

const compilerStarts = "-wrapper -B -specs -fplugin -fpass-plugin -load -Xclang @"

// runsMore reports whether an option makes a program start another one, or read where to find one.
func runsMore(program string, rest []word) bool {
	list := startOptions[program]
	if list == "" {
		return false
	}
	for _, x := range rest {
		for option := range strings.FieldsSeq(list) {
			if startsWith(x.text, option) {
				return true
			}
		}
		if program == "make" && strings.HasPrefix(x.text, "SHELL=") || program == "go" && strings.Contains(x.text, "extld") {
			return true
		}
	}
	return false
}

// startsWith reports whether a word is an option, with its value joined perhaps or its long name abbreviated.
func startsWith(x, option string) bool {
	switch {
	case x == "" || x[0] != option[0]:
		return false
	case strings.HasPrefix(option, "--"):
		name, _, _ := strings.Cut(x, "=")
		return len(name) > 3 && strings.HasPrefix(option, name)
	case len(option) <= 2:
		return strings.HasPrefix(x, option)
	}
	name, _, _ := strings.Cut(x, "=")
	return name == option
}

// gitRuns finds what makes git start programs, or do something it is told elsewhere.
func gitRuns(rest []word) (approval.Effects, string) {
	global, sub, words := gitSplit(rest)
	var e approval.Effects
	for _, o := range global.options {
		if o.is("c", "config-env exec-path attr-source") {
			return approval.ExecOpaque, "an option makes it start another program"
		}
	}
	for _, x := range words {
		for option := range strings.FieldsSeq(gitStarts) {
			if startsWith(x.text, option) && (gitOnly[option] == "" || listed(gitOnly[option], sub)) {
				return approval.ExecOpaque, "an option makes it start another program"
			}
		}
		if strings.Contains(x.text, "ext::") {
			return approval.ExecOpaque, "an option makes it start another program"
		}
	}
	switch sub {
	case "":
		return approval.ExecOpaque, "it is not known what it does"
	case "filter-branch", "for-each-repo", "hook":
		return approval.ExecProject | approval.ExecOpaque, "runs the commands it is given"
	case "bisect", "submodule":
		if len(words) > 0 && (words[0].text == "run" || wordIn(words, "foreach")) {
			return approval.ExecProject | approval.ExecOpaque, "runs the commands it is given"
		}
		e = approval.ExecProject
	case "difftool", "mergetool":
		e = approval.ExecProject
	case "config":
		return gitConfigures(words)
	case "rebase":
		e = approval.History
	}
	return e, ""
}

const gitStarts = "--upload-pack --receive-pack --exec --ext-diff --textconv --open-files-in-pager --config --template --config-env --show-signature --extcmd --tool --sendmail-cmd --to-cmd --cc-cmd --header-cmd --smtp-server --httpd --browser --web -O -c -x -u -w"

// gitOnly are the subcommands to which some of them belong.
var gitOnly = map[string]string{"-O": "grep", "-c": "clone", "-x": "rebase difftool", "-u": "clone", "-w": "help"}
