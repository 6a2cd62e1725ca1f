package workdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Mkdir makes the directory, with parents those above it too. It fails with fs.ErrExist if anything is there.
func (p Path) Mkdir(parents bool) error {
	above := p.parent
	if parents {
		above = p.makeParent
	}
	dir, name, err := above()
	if err != nil {
		return p.fault(err)
	}
	defer dir.Close()
	return p.fault(dir.Mkdir(name, 0o777))
}

// Remove removes the file, the link or the empty directory at p.
func (p Path) Remove() error {
	return p.fault(p.remove((*os.Root).Remove))
}

// RemoveAll removes p and all below it, without following links. It fails with fs.ErrNotExist if nothing is there.
func (p Path) RemoveAll() error {
	return p.fault(p.remove((*os.Root).RemoveAll))
}

func (p Path) remove(with func(dir *os.Root, name string) error) error {
	if err := p.loose(); err != nil {
		return err
	}
	dir, name, err := p.parent()
	if err != nil {
		return err
	}
	defer dir.Close()
	if _, err := dir.Lstat(name); err != nil {
		return err
	}
	return with(dir, name)
}

// loose returns an error if p is one of the directories itself or holds one.
func (p Path) loose() error {
	if p.dir == nil {
		return errNoPath
	}
	for i, r := range p.dir.roots {
		if _, ok := below(r.path, p.Abs); ok {
			what := "the work directory"
			if i > 0 {
				what = "the additional directory " + r.path
			}
			if r.path == p.Abs {
				return errors.New("is " + what)
			}
			return errors.New("holds " + what)
		}
	}
	return nil
}

// Rename moves p to a place where nothing is, also to another of the directories if they share a file system; it
// fails with fs.ErrExist if something is there, and with fs.ErrNotExist if the directory above is missing.
func (p Path) Rename(to Path) error {
	if err := p.loose(); err != nil {
		return p.fault(err)
	}
	from, name, err := p.parent()
	if err != nil {
		return p.fault(err)
	}
	defer from.Close()
	was, err := from.Lstat(name)
	if err != nil {
		return p.fault(err)
	}
	if rel, ok := below(to.Abs, p.Abs); ok && rel != "." && was.IsDir() {
		return fmt.Errorf("%s: a directory cannot be moved into itself", to.Shown())
	}
	into, last, err := to.parent()
	if err != nil {
		return to.fault(err)
	}
	defer into.Close()
	if err := absent(into, last); err != nil {
		return to.fault(err)
	}
	err = rename(place{from, name, p}, place{into, last, to})
	switch {
	case errors.Is(err, syscall.EXDEV):
		return fmt.Errorf("%s: cannot be moved to %s, which is on another file system", p.Shown(), to.Shown())
	case errors.Is(err, fs.ErrExist):
		return to.fault(err)
	}
	return p.fault(err)
}

// place is a path and its last component in the directory above, which is open.
type place struct {
	dir  *os.Root
	name string
	Path
}
