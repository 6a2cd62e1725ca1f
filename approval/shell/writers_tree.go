package shell

import (
	"slices"
	"strings"

	"tricode/approval"
)

// unpacks finds the directory below which a program puts files that its words do not name. Sources: tar(1), unzip(1), cpio(1), patch(1),
// 7z(1), ar(1), jar(1).
func unpacks(program string, rest []word, p *parsed) (dir string, ok bool) {
	first := ""
	if len(p.operands) > 0 {
		first = p.operands[0].text
	}
	switch program {
	case "tar", "bsdtar":
		ok = p.like("x", "extract get") && !p.like("O", "to-stdout")
	case "unzip":
		ok = !p.has("lptvzZ", "")
	case "cpio":
		ok = p.like("ip", "extract pass-through") && !p.like("t", "list to-stdout")
		if p.like("p", "pass-through") && first != "" {
			return first, ok
		}
	case "patch":
		ok = first == "" && !p.like("o", "dry-run output")
	case "7z", "7za", "7zr", "7zz", "unrar", "rar":
		i := slices.IndexFunc(rest, func(x word) bool { return strings.HasPrefix(x.text, "-o") })
		if ok = first == "x" || first == "e"; ok && i >= 0 && len(rest[i].text) > 2 {
			return rest[i].text[2:], true
		}
	case "ar", "jar":
		ok = len(rest) > 0 && strings.Contains(rest[0].text, "x")
	case "unar", "cabextract", "unsquashfs", "dtrx", "atool", "aunpack", "pax", "ditto", "git-apply":
		ok = true
	}
	for _, o := range p.options {
		if ok && o.valued && o.value.known && o.like(writers()[program].into, "directory") {
			return o.value.text, true
		}
	}
	return ".", ok
}

// writeTree records that anything below a directory may be written.
func (w *walker) writeTree(dir string) {
	for _, i := range w.opened(func() { w.path(approval.Write, dir, "") }) {
		if i < len(w.out.Subjects) {
			w.out.Subjects[i].Tree = true
		}
	}
}

// gitWrites records what a git command does to files of the working tree that its words name, or that a patch does.
func (w *walker) gitWrites(sub string, words []word) {
	p := gitPaths.options(words)
	w.gitOutside(sub, words)
	switch sub {
	case "apply":
		if !p.like("", "check stat numstat summary cached") || p.like("", "apply index") {
			w.writeTree(".")
		}
	case "am":
		w.writeTree(".")
	case "reset", "clean", "read-tree":
		if optionIn(words, "fu", "hard merge keep force reset") && !optionIn(words, "n", "dry-run") {
			w.writeTree(".")
		}
		w.rewrites = sub == "reset" && len(p.operands) == 1 && !p.ended && w.revision(p.operands[0])
	case "stash":
		if wordIn(words[:min(1, len(words))], "pop", "apply") {
			w.writeTree(".")
		}
	case "restore", "checkout", "checkout-index":
		if sub == "restore" && p.has("S", "staged") && !p.has("W", "worktree") {
			return
		}
		if p.like("", "pathspec-from-file") || sub == "checkout-index" {
			w.discards = sub != "checkout-index" || p.like("f", "force")
			w.writeTree(".")
			return
		}
		for _, x := range checkedOut(sub, words, &p) {
			if x.known && (strings.HasPrefix(x.text, ":") || strings.ContainsAny(x.text, "*?[")) {
				x = literal(".")
			}
			if x.known && (sub == "restore" || p.ended || w.exists(x.text)) {
				w.discards = true
				w.writeTree(x.text)
			}
		}
	}
}

// revision reports whether the operand of git reset means another commit: a path is what exists, or is behind a "--".
func (w *walker) revision(x word) bool {
	return x.known && x.text != "HEAD" && x.text != "@" && !strings.Contains(x.text, ".") && !w.exists(x.text)
}

// gitOutside records what the words of a git command name outside of the run's directories.
func (w *walker) gitOutside(sub string, words []word) {
	for i, x := range words {
		name := x.text
		if _, value, ok := strings.Cut(name, "="); ok && strings.HasPrefix(name, "-") {
			name = value
		} else {
			name = strings.TrimPrefix(name, "-o")
		}
		if !x.known || !leaves(name) || w.look(name).Rel != "" {
			continue
		}
		source := sub == "clone" && i < len(words)-1 || sub == "bundle" && wordIn(words, "verify", "unbundle", "list-heads")
		e := approval.Effects(approval.Read)
		if !source && strings.Contains(gitMakes, " "+sub+" ") {
			e = approval.Write
		}
		w.path(e, name, "")
	}
}

// gitMakes are the subcommands of git that write what their words name wherever it lies.
const gitMakes = " clone init worktree bundle merge-file mailinfo mailsplit interpret-trailers pack-objects index-pack bugreport diagnose checkout-index apply fast-export fast-import read-tree cvsimport quiltimport "

// leaves reports whether a name leads out of the directory that it is relative to.
func leaves(name string) bool {
	return strings.HasPrefix(name, "/") || name == ".." || strings.HasPrefix(name, "../") || strings.Contains(name, "/../")
}

// mounts records what a container gets of this machine: -v HOST:PATH, --mount src=HOST.
func (w *walker) mounts(rest []word) {
	for _, x := range rest {
		host, end := strings.TrimPrefix(strings.TrimPrefix(x.text, "--volume="), "-v"), ":"
		for _, key := range [...]string{"source=", "src="} {
			if _, after, ok := strings.Cut(x.text, key); ok {
				host, end = after+",", ","
			}
		}
		if name, _, ok := strings.Cut(host, end); ok && x.known {
			w.outside(name)
		}
	}
}

// checkedOut are the words that name paths, with certainty only behind a "--".
func checkedOut(sub string, words []word, p *parsed) []word {
	if i := slices.IndexFunc(words, func(x word) bool { return x.known && x.text == "--" }); i >= 0 && sub == "checkout" {
		return words[i+1:]
	}
	return p.operands
}

// gitPaths are the options with values of git-checkout(1) and git-restore(1), 2.39.
var gitPaths = grammar{values: "bBs", long: "source= conflict= pathspec-from-file= orphan= directory="}
