package tools

import (
	"context"
	"crypto/sha256"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"tricode/approval"
)

// History remembers the names of all files that the repository of the work directory ever tracked, because git takes long to
// say them. The zero value remembers nothing yet.
type History struct {
	mu    sync.Mutex
	at    [sha256.Size]byte // the revisions for which the rest holds
	names []string          // absolute
	known bool              // these are all
}

// historyTimeout bounds how long git may look for names in a long history; then what prints from it is asked about.
const historyTimeout = 3 * time.Second

// guarded are the files that git tracks, or with past ever tracked, in the repository of the work directory and that are secret by
// their names or that rules about reading speak of, absolute. known reports whether git said all there are.
func guarded(ctx context.Context, w World, past bool) (names []string, known bool) {
	pick := func(at string) {
		if len(names) < maxCounted && (approval.IsSecret(at, w.Home) || w.Guards != nil && w.Guards(at)) {
			names = append(names, at)
		}
	}
	dir := w.Dir.Name()
	known = lsFiles(ctx, w, dir, "--glob-pathspecs", ":/", func(name string) { pick(path.Join(dir, name)) })
	if !past || !known {
		return names, known
	}
	h := w.History
	if h == nil {
		h = &History{}
	}
	all, known := h.all(ctx, w)
	for _, at := range all {
		pick(at)
	}
	return names, known
}

// branchName reports whether a revision can only be what a branch, a tag or the like is called: no name of an object, abbreviated or as
// git-describe(1) gives it, and none that git itself gives, as in gitrevisions(7).
func branchName(rev string) bool {
	const digits = "0123456789abcdef"
	at := strings.LastIndex(rev, "-g")
	described := at >= 0 && strings.Trim(rev[at+2:], digits) == ""
	return !described && strings.Trim(rev, digits) != "" && strings.Trim(rev, digits+"ghijklmnopqrstuvwxyz._/-") == "" && path.Base(rev) != "stash"
}

// kept reports whether all revisions are commits within reach. Git prints nothing of a branch that is not there.
func kept(ctx context.Context, w World, revisions []string) bool {
	args := []string{"-C", w.Dir.Name(), "rev-list", "--max-count=1", "--not", "--all", "--reflog", "--not"}
	if !slices.ContainsFunc(revisions, func(rev string) bool { return !branchName(rev) }) {
		args = append(args, "--ignore-missing")
	}
	args = append(args, "--end-of-options")
	for _, rev := range revisions {
		args = append(args, rev+"^{commit}")
	}
	var stray strings.Builder
	return askGit(ctx, w, gitTimeout, &stray, args...) && stray.Len() == 0
}

// all are the names of all files that any revision within reach added.
func (h *History) all(ctx context.Context, w World) (names []string, known bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	dir := w.Dir.Name()
	revs, up := sha256.New(), &strings.Builder{}
	if !askGit(ctx, w, gitTimeout, revs, "-C", dir, "rev-list", "--no-walk=unsorted", "--all", "--reflog") {
		return nil, false
	}
	at := [sha256.Size]byte(revs.Sum(nil))
	if at == h.at {
		return h.names, h.known
	}
	if !askGit(ctx, w, gitTimeout, up, "-C", dir, "rev-parse", "--show-cdup") {
		return nil, false
	}
	seen := map[string]bool{}
	h.at, h.names = at, nil
	h.known = askGit(ctx, w, historyTimeout, &nameReader{each: func(name string) {
		name = path.Join(dir, strings.TrimSpace(up.String()), strings.TrimLeft(name, "\n"))
		if !seen[name] && len(seen) < maxCounted {
			seen[name] = true
			h.names = append(h.names, name)
		}
	}}, "-C", dir, "log", "--all", "--reflog", "--root", "-m", "--no-renames", "--no-relative", "--no-ext-diff", "--no-show-signature", "--no-notes", "--no-color",
		"--diff-filter=A", "--format=", "--name-only", "-z")
	if h.known = h.known && len(seen) < maxCounted; ctx.Err() != nil {
		h.at = [sha256.Size]byte{} // it was not git that ended it
	}
	return h.names, h.known
}
