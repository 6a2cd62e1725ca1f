package workdir

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
)

var (
	errNotDir = errors.New("not a directory")
	errNoPath = errors.New("not a path of a directory that is open")
)

// top opens the directory that p lies in, and says where.
func (p Path) top() (*os.Root, string, error) {
	switch {
	case p.dir == nil:
		return nil, "", errNoPath
	case p.root != nil:
		dir, err := p.root.handle.OpenRoot(".")
		return dir, p.Rel, err
	}
	volume, rest := split(p.Abs)
	dir, err := os.OpenRoot(volume + "/")
	if rest = rest[1:]; rest == "" {
		rest = "."
	}
	return dir, rest, err
}

// parent opens the directory above p and returns the last component of p, which is "." for the top. It follows no link.
func (p Path) parent() (*os.Root, string, error) { return p.descend(enter) }

// makeParent is parent, making directories that are missing.
func (p Path) makeParent() (*os.Root, string, error) { return p.descend(makeEnter) }

func (p Path) descend(step func(dir *os.Root, name string) (*os.Root, error)) (*os.Root, string, error) {
	dir, rel, err := p.top()
	if err != nil {
		return nil, "", err
	}
	above, last := path.Split(rel)
	for name := range strings.SplitSeq(strings.Trim(above, "/"), "/") {
		if name == "" { // p lies directly below
			break
		}
		next, err := step(dir, name)
		dir.Close()
		if err != nil {
			return nil, "", err
		}
		dir = next
	}
	return dir, last, nil
}

// self opens the directory at p itself.
func (p Path) self() (*os.Root, error) {
	dir, name, err := p.parent()
	if err != nil || name == "." {
		return dir, err
	}
	defer dir.Close()
	return enter(dir, name)
}

// enter opens the directory name in dir. os.Root follows links that stay inside, so what it opened is compared with
// what stood there before, which was no link.
func enter(dir *os.Root, name string) (*os.Root, error) {
	info, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	return enterSame(dir, info, name)
}

func enterSame(dir *os.Root, was fs.FileInfo, name string) (*os.Root, error) {
	switch {
	case was.Mode().Type() == fs.ModeSymlink:
		return nil, ErrChanged
	case !was.IsDir():
		return nil, errNotDir
	}
	next, err := dir.OpenRoot(name + "/.") // the dot keeps it from waiting for the writer of a FIFO
	if err != nil {
		return nil, moved(err)
	}
	if is, err := next.Stat("."); err != nil || !os.SameFile(was, is) {
		next.Close()
		return nil, ErrChanged
	}
	return next, nil
}

// moved turns the errors of opening something that was seen a moment ago into ErrChanged if they say that it is
// something else by now: gone, or a link, also one that leads out, for which os.Root has an error of its own.
func moved(err error) error {
	var code syscall.Errno
	if !errors.As(err, &code) || errors.Is(err, fs.ErrNotExist) || code == syscall.ENOTDIR || code == syscall.ELOOP {
		return ErrChanged
	}
	return err
}

func makeEnter(dir *os.Root, name string) (*os.Root, error) {
	if next, err := enter(dir, name); !errors.Is(err, fs.ErrNotExist) {
		return next, err
	}
	if err := dir.Mkdir(name, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return enter(dir, name)
}
