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

// gitSecrets records the secrets that git tracks as read if a reading command may print them.
func (w *walker) gitSecrets(sub string, words []word, moved bool) {
	spec := gitReaders[sub]
	p := spec.options(words)
	if !gitPrints(sub, &p) {
		return
	}
	covers := func(string) bool { return true }
	if paths, all := w.gitPathspecs(sub, words, &p); !all && !moved {
		covers = func(secret string) bool {
			return slices.ContainsFunc(paths, func(x word) bool { return w.gitCovers(x, secret) })
		}
		if !slices.ContainsFunc(paths, w.gitMany) {
			return // it names single files, which are judged by their names
		}
	}
	secrets, known := w.r.TrackedSecrets()
	if !known {
		w.opaque([]string{"git", sub}, "git could not say which files it tracks, so secrets may be among what it prints")
	}
	found := 0
	for _, secret := range secrets {
		if found < maxSecrets && covers(secret) {
			w.path(approval.Read, secret, "git tracks it and may print it")
			found++
		}
	}
}

// gitPathspecs are the operands that say which files are printed; all means that nothing narrows that down.
func (w *walker) gitPathspecs(sub string, words []word, p *parsed) (paths []word, all bool) {
	if p.has("L", "") && sub != "grep" {
		return nil, true
	}
	if i := slices.IndexFunc(words, func(x word) bool { return x.known && x.text == "--" }); i >= 0 {
		return words[i+1:], i+1 == len(words)
	}
	operands := p.operands
	if sub == "grep" && !p.has("e", "") && len(operands) > 0 {
		operands = operands[1:]
	}
	blobs := 0
	for _, x := range operands {
		rev, _, blob := strings.Cut(x.text, ":")
		switch {
		case blob && rev != "" && x.known && !strings.Contains(x.text, "{") && (sub == "show" || sub == "cat-file"):
			blobs++ // REVISION:FILE
		case !x.known || x.one && strings.ContainsAny(x.text, "*?[") || w.exists(x.text): // git takes no word for both a revision and a file
			paths = append(paths, x)
		}
	}
	return paths, len(paths) == 0 && (blobs == 0 || blobs < len(operands))
}

// exists reports whether there is a file or a directory of that name.
func (w *walker) exists(name string) bool {
	return slices.ContainsFunc(w.from(name), func(full string) bool { kind := w.r.Resolve(full).Kind; return kind == File || kind == Dir })
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
