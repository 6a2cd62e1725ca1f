package tools

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"time"

	"tricode/workdir"
	"tricode/workdir/sandbox"
)

// gitTimeout bounds how long git may think; what it has not said by then does not count.
const gitTimeout = 10 * time.Second

// tracked counts the files at p that git tracks and that are there. It is 0 if there is no git, no repository, or
// anything else wrong with them: a file that nobody tracks is the one to be careful with.
func tracked(ctx context.Context, w World, p workdir.Path) int {
	dir, name := path.Split(p.Abs)
	if p.Rel == "." {
		dir, name = p.Abs, "."
	}
	files, last := 0, ""
	listed := lsFiles(ctx, w, dir, "--literal-pathspecs", name, func(name string) {
		if name != last && isFile(w.Dir, path.Join(dir, name)) { // one with a merge conflict comes once for each side
			files++
		}
		last = name
	})
	if !listed {
		return 0
	}
	return files
}

// isFile reports whether there is anything but a directory, and not behind a link that stands where git knows a directory.
func isFile(dir *workdir.Dir, at string) bool {
	p, err := dir.Entry(at)
	if err != nil || p.Abs != at {
		return false
	}
	info, err := p.Info()
	return err == nil && !info.IsDir()
}

// trackedNames are the files that git tracks right in a directory, by the directory: a command line may name many of one,
// and git is not asked about each of them.
type trackedNames map[string]map[string]bool

// has reports whether git tracks the file at p.
func (t trackedNames) has(ctx context.Context, w World, p workdir.Path) bool {
	dir, name := path.Split(p.Abs)
	names, known := t[dir]
	if !known {
		names = map[string]bool{}
		t[dir] = names
		listed := lsFiles(ctx, w, dir, "--glob-pathspecs", "*", func(name string) {
			if len(names) < maxCounted {
				names[name] = true
			}
		})
		if !listed {
			clear(names)
		}
	}
	return names[name]
}

// lsFiles has git list what it tracks below dir, as far as a pathspec matches, and calls each with the names, relative to dir. It
// reports whether git said all there is.
func lsFiles(ctx context.Context, w World, dir, kind, pathspec string, each func(name string)) bool {
	return askGit(ctx, w, gitTimeout, &nameReader{each: each}, "-C", dir, kind, "ls-files", "-z", "--", pathspec)
}

// askGit has git print something into out and reports whether it said all there is.
func askGit(ctx context.Context, w World, timeout time.Duration, out io.Writer, args ...string) bool {
	if w.Box == nil {
		return false
	}
	git, err := w.Box.LookPath("git")
	if err != nil {
		return false
	}
	if at, err := w.Dir.Resolve(git); err == nil && at.Rel != "" { // whoever wrote the project wrote it too
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	status, err := w.Box.Run(ctx, sandbox.Cmd{
		Args:   append([]string{git}, args...),
		Limits: w.Boxes.glance(),
		Look:   true, // the configuration belongs to whoever wrote the repository
		Stdout: out,
	})
	return err == nil && status == 0
}

// nameReader takes names apart that are written to it, each with a NUL after it.
type nameReader struct {
	each func(name string)
	rest []byte // of the name that is not complete yet
}

// maxName bounds a name that git prints, in bytes: more than any file system takes.
const maxName = 64 << 10

func (r *nameReader) Write(b []byte) (int, error) {
	size := len(b)
	for {
		name, rest, ok := bytes.Cut(b, []byte{0})
		if len(r.rest)+len(name) > maxName {
			return 0, errors.New("name is too long")
		}
		r.rest = append(r.rest, name...)
		if !ok {
			return size, nil
		}
		r.each(string(r.rest))
		r.rest, b = r.rest[:0], rest
	}
}
