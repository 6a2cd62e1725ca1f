package tools

import (
	"bytes"
	"context"
	"errors"
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
	if w.Box == nil {
		return 0
	}
	git, err := w.Box.LookPath("git")
	if err != nil {
		return 0
	}
	if at, err := w.Dir.Resolve(git); err == nil && at.Rel != "" { // whoever wrote the project wrote it too
		return 0
	}
	dir, name := path.Split(p.Abs)
	if p.Rel == "." {
		dir, name = p.Abs, "."
	}
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	list := &nameCounter{dir: w.Dir, at: dir}
	status, err := w.Box.Run(ctx, sandbox.Cmd{
		Args:   []string{git, "-C", dir, "--literal-pathspecs", "ls-files", "-z", "--", name},
		Look:   true, // the configuration belongs to whoever wrote the repository
		Stdout: list,
	})
	if err != nil || status != 0 {
		return 0
	}
	return list.files
}

// nameCounter counts the files among names that are written to it, each with a NUL after it, relative to at.
type nameCounter struct {
	dir   *workdir.Dir
	at    string
	rest  []byte // of the name that is not complete yet
	last  string // a file with a merge conflict comes once for each side
	files int
}

// maxName bounds a name that git prints, in bytes: more than any file system takes.
const maxName = 64 << 10

func (c *nameCounter) Write(b []byte) (int, error) {
	size := len(b)
	for {
		name, rest, ok := bytes.Cut(b, []byte{0})
		if len(c.rest)+len(name) > maxName {
			return 0, errors.New("name is too long")
		}
		c.rest = append(c.rest, name...)
		if !ok {
			return size, nil
		}
		c.count(string(c.rest))
		c.rest, b = c.rest[:0], rest
	}
}

func (c *nameCounter) count(name string) {
	if name == c.last {
		return
	}
	c.last = name
	at := path.Join(c.at, name)
	p, err := c.dir.Entry(at)
	if err != nil || p.Abs != at { // behind a link that stands where git knows a directory
		return
	}
	if info, err := p.Info(); err == nil && !info.IsDir() {
		c.files++
	}
}
