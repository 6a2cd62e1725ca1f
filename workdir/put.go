package workdir

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Put gives p the contents that from has, and the permissions perm, if what is at p is still what Info found when it returned
// was; nil if nothing was there. Otherwise it returns ErrChanged. Only a file or a link is replaced. A reader sees what was
// there or what is, never a mixture. The directory above must exist.
func (p Path) Put(was fs.FileInfo, from io.Reader, perm fs.FileMode) error {
	return p.fault(p.place(was, func(dir *os.Root) (string, error) {
		return writeTemp(dir, 0o600, func(f *os.File) error {
			if _, err := io.Copy(f, from); err != nil {
				return err
			}
			if was == nil || !was.Mode().IsRegular() {
				return f.Chmod(perm.Perm())
			}
			return f.Chmod(keepOwner(f, was, perm.Perm()))
		})
	}))
}

// PutLink is Put for a link that leads to target.
func (p Path) PutLink(was fs.FileInfo, target string) error {
	return p.fault(p.place(was, func(dir *os.Root) (string, error) {
		name := tempName()
		return name, dir.Symlink(target, name)
	}))
}

// place gives what build made in the directory above p the name of p.
func (p Path) place(was fs.FileInfo, build func(dir *os.Root) (name string, err error)) error {
	dir, name, err := p.parent()
	if err != nil {
		return gone(err)
	}
	defer dir.Close()
	if err := unchanged(dir, name, was); err != nil {
		return err
	}
	temp, err := build(dir)
	if err != nil {
		return err
	}
	if was == nil {
		if err = publish(dir, temp, name); errors.Is(err, fs.ErrExist) {
			err = ErrChanged
		}
		return err
	}
	if err = unchanged(dir, name, was); err == nil { // once more: making it took its time
		err = dir.Rename(temp, name)
	}
	if err != nil {
		dir.Remove(temp)
	}
	return err
}

// unchanged returns nil if what has the name is still what was found before, and no directory.
func unchanged(dir *os.Root, name string, was fs.FileInfo) error {
	is, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && was == nil:
		return nil
	case err != nil:
		return gone(err)
	case was == nil || !Same(was, is):
		return ErrChanged
	case is.IsDir():
		return syscall.EISDIR
	}
	return nil
}

// Same reports whether two looks at a path found the same there: nothing was written or changed in between.
func Same(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Mode() == b.Mode() && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// Chmod gives the directory at p other permissions, and the bits that decide whose is what is made in it and who may remove it (inode(7)).
func (p Path) Chmod(mode fs.FileMode) error {
	dir, err := p.self()
	if err != nil {
		return p.fault(err)
	}
	defer dir.Close()
	f, err := dir.Open(".")
	if err != nil {
		return p.fault(err)
	}
	defer f.Close()
	return p.fault(f.Chmod(mode & (fs.ModePerm | fs.ModeSetgid | fs.ModeSticky)))
}

// Target is where the link at p leads, as it is written.
func (p Path) Target() (string, error) {
	dir, name, err := p.parent()
	if err != nil {
		return "", p.fault(err)
	}
	defer dir.Close()
	target, err := dir.Readlink(name)
	return target, p.fault(err)
}

// tempName is a name that nothing has.
func tempName() string { return ".tricode-" + rand.Text() + ".tmp" }
