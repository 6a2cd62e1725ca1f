package workdir

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Create makes the file with the given contents, and the directories above it that are missing. It fails with
// fs.ErrExist if anything is there. The file is there as a whole or not at all.
func (p Path) Create(data []byte) error { return p.fault(p.create(data)) }

func (p Path) create(data []byte) error {
	dir, name, err := p.makeParent()
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := absent(dir, name); err != nil {
		return err
	}
	temp, err := writeTemp(dir, 0o666, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	return publish(dir, temp, name)
}

// absent returns fs.ErrExist if there is anything of that name.
func absent(dir *os.Root, name string) error {
	_, err := dir.Lstat(name)
	switch {
	case err == nil:
		return syscall.EEXIST
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return err
}

// publish gives the finished file temp its name, unless something has that name already.
func publish(dir *os.Root, temp, name string) error {
	err := dir.Link(temp, name)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return claim(dir, temp, name)
	}
	dir.Remove(temp)
	return err
}

// claim is publish for file systems without hard links: an empty file takes the name and is replaced then.
func claim(dir *os.Root, temp, name string) error {
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		f.Close()
		if err = dir.Rename(temp, name); err == nil {
			return nil
		}
		dir.Remove(name)
	}
	dir.Remove(temp)
	return err
}

// Replace gives the file new contents if it still has the old ones, otherwise it returns ErrChanged; old is nil, not
// empty, if there is no file, and then missing directories are made. The permissions stay, and the owner where the
// system lets it; a file that may not be written is not replaced. A reader sees the old contents or the new, never a
// mixture; a second hard link keeps the old ones.
func (p Path) Replace(old, data []byte) error {
	if old == nil {
		err := p.create(data)
		if errors.Is(err, fs.ErrExist) {
			err = ErrChanged
		}
		return p.fault(err)
	}
	return p.fault(p.replace(old, data))
}

func (p Path) replace(old, data []byte) error {
	dir, name, err := p.parent()
	if err != nil {
		return gone(err)
	}
	defer dir.Close()
	was, err := dir.Lstat(name)
	if err != nil {
		return gone(err)
	}
	if err := regular(was); err != nil {
		return err
	}
	if was.Size() != int64(len(old)) {
		return ErrChanged
	}
	temp, err := writeTemp(dir, 0o600, func(f *os.File) error {
		if _, err := f.Write(data); err != nil {
			return err
		}
		return f.Chmod(keepOwner(f, was, was.Mode().Perm())) // without the set-user-ID bit, which any write takes away
	})
	if err != nil {
		return err
	}
	if err = holds(dir, name, was, old); err == nil {
		err = dir.Rename(temp, name)
	}
	if err != nil {
		dir.Remove(temp)
	}
	return err
}

// gone turns fs.ErrNotExist into ErrChanged.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return ErrChanged
	}
	return err
}

// holds returns nil if the file is still the one that it was, with the given contents. It asks for the right to
// write as well: what may not be written is not replaced either.
func holds(dir *os.Root, name string, was fs.FileInfo, data []byte) error {
	f, err := openRegular(dir, name, os.O_RDWR)
	if err != nil {
		return gone(err)
	}
	defer f.Close()
	chunk := make([]byte, min(len(data)+1, 64<<10))
	for {
		n, err := f.Read(chunk)
		if n > len(data) || !bytes.Equal(chunk[:n], data[:n]) {
			return ErrChanged
		}
		data = data[n:]
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	is, err := dir.Lstat(name) // once more: the beginning may have changed while the end was read
	if err != nil {
		return gone(err)
	}
	if len(data) > 0 || !os.SameFile(was, is) || is.Size() != was.Size() || !is.ModTime().Equal(was.ModTime()) {
		return ErrChanged
	}
	return nil
}

// writeTemp makes a new file in dir, with the permissions perm less the umask, lets write fill it and returns its name.
// Nothing stays of it after an error.
func writeTemp(dir *os.Root, perm fs.FileMode, write func(*os.File) error) (string, error) {
	name := tempName()
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return "", err
	}
	err = write(f)
	if err == nil {
		err = f.Sync() // else the name could reach the disk before the contents
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		dir.Remove(name)
		return "", err
	}
	return name, nil
}

// Writer makes the file at p, which must not exist, for output of unknown length, and the directories above it that
// are missing. Only its owner may read it.
func (p Path) Writer() (io.WriteCloser, error) {
	dir, name, err := p.makeParent()
	if err != nil {
		return nil, p.fault(err)
	}
	defer dir.Close()
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, p.fault(err)
	}
	return f, nil
}
