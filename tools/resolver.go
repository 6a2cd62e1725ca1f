package tools

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"
	"sync"

	"tricode/approval/shell"
	"tricode/workdir"
)

// resolver tells the analysis of a command line about the world.
type resolver struct {
	w World
	// untracked counts the files at a path that git does not track.
	untracked func(p workdir.Path, info fs.FileInfo) int
	// guarded is what Guarded returns, asked for once.
	guarded func(past bool) ([]string, bool)
	// kept is Kept.
	kept func(revisions []string) bool
}

// analyse tells what a command line would do; an empty one does nothing.
func analyse(ctx context.Context, w World, text string) shell.Analysis {
	if text == "" {
		return shell.Analysis{}
	}
	return shell.Analyze(text, newResolver(ctx, w))
}

func newResolver(ctx context.Context, w World) *resolver {
	names := trackedNames{}
	held := func(revisions []string) bool { return kept(ctx, w, revisions) }
	return &resolver{w: w, guarded: guardedOnce(ctx, w), kept: held, untracked: func(p workdir.Path, info fs.FileInfo) int {
		if !info.IsDir() {
			if names.has(ctx, w, p) {
				return 0
			}
			return 1
		}
		files := countFiles(ctx, p)
		if files == 0 || files >= maxCounted {
			return files
		}
		return max(0, files-tracked(ctx, w, p))
	}}
}

// guardedOnce asks git at most once for what it tracks and once for what it ever tracked.
func guardedOnce(ctx context.Context, w World) func(past bool) ([]string, bool) {
	now := sync.OnceValues(func() ([]string, bool) { return guarded(ctx, w, false) })
	ever := sync.OnceValues(func() ([]string, bool) { return guarded(ctx, w, true) })
	return func(past bool) ([]string, bool) {
		if past {
			return ever()
		}
		return now()
	}
}

// Guarded names what git tracks, or ever tracked, that is secret or that rules speak of, if git says.
func (r *resolver) Guarded(past bool) ([]string, bool) { return r.guarded(past) }

// Kept reports whether git holds all of these revisions as commits.
func (r *resolver) Kept(revisions []string) bool { return r.kept(revisions) }

func (r *resolver) WorkDir() string { return r.w.Dir.Name() }
func (r *resolver) Home() string    { return r.w.Home }

// Resolve finds what a name means, every link followed.
func (r *resolver) Resolve(name string) shell.Place { return r.placed(r.w.Dir.Resolve(name)) }

// Entry finds what a name means, the last component not followed.
func (r *resolver) Entry(name string) shell.Place { return r.placed(r.w.Dir.Entry(name)) }

func (r *resolver) placed(p workdir.Path, err error) shell.Place {
	var outside *workdir.OutsideError
	switch {
	case errors.As(err, &outside):
		s := shell.Place{Path: outside.Path}
		if clean := path.Clean(outside.Name); clean != s.Path {
			s.Via = clean
		}
		return s
	case err != nil: // no name that the system takes
		return shell.Place{}
	}
	s := shell.Place{Path: p.Abs, Rel: p.Rel, Via: p.Via, Kind: shell.Other}
	info, err := p.Info()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.Kind = shell.Missing
	case err != nil:
		s.Kind = shell.Unknown
	case info.IsDir():
		s.Kind = shell.Dir
	case info.Mode().IsRegular():
		s.Kind, s.Linked = shell.File, workdir.Links(info) > 1
		if second := r.w.Boxes.secretOf(info); second != "" && second != s.Path {
			s.Via = second
		}
	}
	return s
}

// List names what a directory holds.
func (r *resolver) List(dir string) []fs.DirEntry {
	p, err := r.w.Dir.Resolve(dir)
	if err != nil {
		return nil
	}
	entries, err := p.ReadDir()
	if err != nil {
		return nil
	}
	return entries
}

// Program finds what a name starts. What lies in the work directory or an additional one is ours.
func (r *resolver) Program(name string) (at string, ours bool) {
	at, err := r.w.Box.LookPath(name)
	if err != nil {
		return "", false
	}
	return at, writable(r.w.Dir, at)
}

// writable reports whether the file at an absolute path, or a link to it, lies where the run may write.
func writable(dir *workdir.Dir, at string) bool {
	for _, look := range [...]func(string) (workdir.Path, error){dir.Resolve, dir.Entry} {
		if p, err := look(at); err == nil && p.Rel != "" {
			return true
		}
	}
	return false
}

// maxCounted bounds how many files are counted below a path.
const maxCounted = 100_000

// Untracked counts the files at a path that git does not track; from maxCounted on it counts no further and takes all
// for untracked.
func (r *resolver) Untracked(name string) int {
	p, err := r.w.Dir.Entry(name)
	if err != nil {
		return 0
	}
	info, err := p.Info()
	if err != nil {
		return 0
	}
	return r.untracked(p, info)
}

// countFiles counts all but directories below p. What may not be read does not count: it cannot be removed either. What
// cannot be looked through for another reason, such as its depth, can, so there are as many as can be.
func countFiles(ctx context.Context, p workdir.Path) int {
	files := 0
	p.Walk(func(_ string, e fs.DirEntry, err error) error {
		switch {
		case err == nil && !e.IsDir():
			files++
		case err != nil && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrNotExist):
			files = maxCounted
		}
		if files >= maxCounted || ctx.Err() != nil {
			return fs.SkipAll
		}
		return nil
	})
	return files
}

// quoted is an argument list as a person can read it.
func quoted(args []string) string {
	var b strings.Builder
	for i, arg := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		if arg == "" || strings.ContainsAny(arg, " \t\n\"'`$&|;<>()*?[]{}#!\\") {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		b.WriteString(arg)
	}
	return b.String()
}
