package shell

import (
	"path"
	"slices"
	"strings"

	"tricode/approval"
)

// gitPatch are the options with which git prints contents where it would not do so by itself; source: git-log(1), 2.39.
const gitPatch = " patch patch-with-raw patch-with-stat unified cc diff-merges remerge-diff dd binary check function-context word-diff word-diff-regex color-words color-moved inter-hunk-context "

// gitPrints reports whether a reading git command may print what is in files that it need not name.
func gitPrints(sub string, p *parsed) bool {
	switch sub {
	case "grep", "range-diff":
		return true
	case "cat-file":
		return !p.has("tse", "batch-check")
	case "status":
		return p.has("v", "verbose")
	case "diff", "show":
		return p.has("puUcLW", gitPatch) || !p.has("sq", "no-patch stat numstat shortstat dirstat summary name-only name-status raw quiet")
	case "log", "whatchanged", "reflog", "stash", "diff-tree", "diff-index", "diff-files":
		return p.has("puUcLmW", gitPatch)
	}
	return false
}

// maxSecrets bounds how many secrets a question about one git command names.
const maxSecrets = 20

// gitSecrets records what a reading command may print of the files that are secret or that rules speak of, of earlier versions
// too: what left the index is still in the history.
func (w *walker) gitSecrets(sub string, words []word, moved bool) {
	spec := gitReaders()[sub]
	p := spec.options(words)
	if !gitPrints(sub, &p) {
		return
	}
	s := w.gitScope(sub, words, &p)
	if s.named {
		return
	}
	if w.gitStray(sub, &p, s.revs) {
		w.addPath(approval.Subject{Effects: approval.Read | approval.Secret, Path: w.r.WorkDir(), Rel: ".", Why: "it may print what no branch holds"})
	}
	if sub == "grep" && p.has("", "untracked") {
		w.gitUntracked(s.paths)
	}
	single := !s.all && !moved && !slices.ContainsFunc(s.paths, w.gitMany)
	past := gitPast(sub, &p, s.revs)
	if single && !past {
		return // judged by their names
	}
	guarded, known := w.r.Guarded(past)
	if !known && !single {
		w.opaque([]string{"git", sub}, "git could not say which files it holds, so secrets may be among what it prints")
	}
	found, seen := 0, false
	for _, name := range guarded {
		covered := s.all || moved || slices.ContainsFunc(s.paths, func(x word) bool { return w.gitCovers(x, name) })
		switch {
		case !covered:
		case !approval.IsSecret(name, w.r.Home()):
			seen = true
		case found < maxSecrets:
			found++
			w.path(approval.Read, name, "git holds it and may print it")
		}
	}
	if seen { // rules speak of it, which ask about a tree that may hold such files
		w.addPath(approval.Subject{Effects: approval.Read, Path: w.r.WorkDir(), Rel: ".", Tree: true})
	}
}

// gitStray reports whether a command may print an object that nothing holds, of whose contents nothing is known: something that was
// in the index once, or in a commit that was dropped.
func (w *walker) gitStray(sub string, p *parsed, revs []word) bool {
	if sub == "cat-file" && p.has("", "batch") {
		return true // it reads which
	}
	var names []string
	for _, x := range revs {
		for rev := range strings.SplitSeq(x.text, "..") {
			if rev = gitCommit(strings.TrimLeft(rev, ".^")); !x.known {
				return true
			} else if rev != "" {
				names = append(names, rev)
			}
		}
	}
	return len(names) > 0 && (!w.afford() || !w.r.Kept(names))
}

// gitCommit is the commit that a revision stands for or that its tree is of; empty for HEAD and what comes before it.
func gitCommit(rev string) string {
	for _, kind := range [...]string{"^{tree}", "^{commit}", "^{}"} {
		rev = strings.TrimSuffix(rev, kind)
	}
	if rest, ok := strings.CutPrefix(rev, "HEAD"); ok && strings.Trim(rest, "~^0123456789") == "" {
		return ""
	}
	return rev
}

// gitUntracked records what git finds of files that it does not track.
func (w *walker) gitUntracked(paths []word) {
	for _, x := range paths {
		if name := x.text; x.known && !w.gitMany(x) {
			w.read(name)
			continue
		}
		w.tree(".", sweep{hidden: true})
		return
	}
	if len(paths) == 0 {
		w.tree(".", sweep{hidden: true})
	}
}

// gitPast reports whether a command that prints contents may print those of earlier versions.
func gitPast(sub string, p *parsed, revs []word) bool {
	switch sub {
	case "diff-files":
		return false
	case "diff", "grep":
		return len(revs) > 0 || p.has("", "cached staged merge-base")
	}
	return true
}

// gitScope is what the operands of a command that prints contents stand for.
type gitScope struct {
	revs, paths []word
	all         bool // the paths do not narrow down what is printed
	named       bool // it is single files of a revision, REVISION:FILE
}

// gitScope tells revisions from paths: git takes no word for both, and without a "--" a path is what exists.
func (w *walker) gitScope(sub string, words []word, p *parsed) (s gitScope) {
	operands := p.operands
	if i := slices.IndexFunc(words, func(x word) bool { return x.known && x.text == "--" }); i >= 0 {
		s.paths = words[i+1:]
		operands = operands[:max(0, len(operands)-len(s.paths))]
	}
	if len(operands) > 0 && gitFirst(sub, p, operands[0]) {
		operands = operands[1:]
	}
	files := 0
	for _, x := range operands {
		rev, _, file := strings.Cut(x.text, ":")
		switch {
		case file && rev != "" && x.known && !strings.Contains(x.text, "{") && (sub == "show" || sub == "cat-file"):
			files++
		case !p.ended && (!x.known || x.one && strings.ContainsAny(x.text, "*?[") || w.exists(x.text)):
			s.paths = append(s.paths, x)
		default:
			s.revs = append(s.revs, x)
		}
	}
	s.named = files > 0 && len(s.revs)+len(s.paths) == 0
	s.all = len(s.paths) == 0 || p.has("", "follow") || p.has("L", "") && sub != "grep"
	switch sub {
	case "show", "diff", "grep", "cat-file":
		s.all = s.all || slices.ContainsFunc(s.revs, mayBeBlob)
	}
	return s
}

// gitFirst reports whether the first operand of a command is something else than what it prints.
func gitFirst(sub string, p *parsed, x word) bool {
	switch sub {
	case "grep":
		return !p.has("e", "")
	case "cat-file":
		return listed("blob tree commit tag", x.text)
	}
	return gitReaders()[sub].first != "" // stash show, reflog show
}

// mayBeBlob reports whether a revision may be the contents of a file, to which no path applies: an object by its name, unless
// it stands for an ancestor.
func mayBeBlob(x word) bool {
	for rev := range strings.SplitSeq(x.text, "..") {
		rev = strings.TrimPrefix(rev, ".")
		bare := strings.TrimLeft(rev, "0123456789abcdefABCDEF")
		if rev != "" && bare == "" || strings.Contains(rev, ":") || strings.Contains(rev, "^{") {
			return true
		}
	}
	return !x.known
}

// exists reports whether there is a file or a directory of that name.
func (w *walker) exists(name string) bool {
	return slices.ContainsFunc(w.from(name), func(full string) bool { kind := w.r.Resolve(full).Kind; return kind == File || kind == Dir })
}

// directory reports whether there is a directory of that name.
func (w *walker) directory(name string) bool {
	return slices.ContainsFunc(w.from(name), func(full string) bool { return w.r.Resolve(full).Kind == Dir })
}

// gitMany reports whether a pathspec may stand for more than a file that exists.
func (w *walker) gitMany(x word) bool {
	return !x.known || strings.ContainsAny(x.text, ":*?[\\") || slices.ContainsFunc(w.from(x.text), func(full string) bool { return w.r.Resolve(full).Kind != File })
}

// gitCovers reports whether a pathspec may match a file. An asterisk of git crosses directories, so that only what follows the
// last one says something for certain.
func (w *walker) gitCovers(x word, secret string) bool {
	if !x.known || strings.HasPrefix(x.text, ":") {
		return true
	}
	if i := strings.LastIndexAny(x.text, "*?[]\\"); i >= 0 {
		return strings.HasSuffix(strings.ToLower(secret), strings.ToLower(x.text[i+1:]))
	}
	return slices.ContainsFunc(w.from(x.text), func(full string) bool {
		at := path.Clean(full)
		return at == secret || strings.HasPrefix(secret, strings.TrimSuffix(at, "/")+"/")
	})
}
