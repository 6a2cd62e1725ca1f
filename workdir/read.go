package workdir

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
)

// maxEntries bounds the memory that listing one directory takes, to some 30 MB.
const maxEntries = 100_000

// Open opens a regular file for reading. It returns ErrNotRegular for anything else, never waits for a FIFO, and
// follows no link that was not there when p was resolved.
func (p Path) Open() (io.ReadSeekCloser, error) {
	f, err := p.open()
	if err != nil {
		return nil, p.fault(err)
	}
	return f, nil
}

func (p Path) open() (*os.File, error) {
	dir, name, err := p.parent()
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return openRegular(dir, name, os.O_RDONLY)
}

// openRegular opens the regular file name in dir, which may turn into anything meanwhile.
func openRegular(dir *os.Root, name string, flag int) (*os.File, error) {
	was, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	if err := regular(was); err != nil {
		return nil, err
	}
	f, err := dir.OpenFile(name, flag|nonblock, 0)
	if err != nil {
		return nil, moved(err)
	}
	if is, err := f.Stat(); err != nil || !os.SameFile(was, is) {
		f.Close()
		return nil, ErrChanged
	}
	return f, nil
}

func regular(info fs.FileInfo) error {
	switch {
	case info.Mode().Type() == fs.ModeSymlink: // p was resolved, so it was none
		return ErrChanged
	case !info.Mode().IsRegular():
		return ErrNotRegular
	}
	return nil
}

// Read returns the whole regular file, not nil if it is empty, or ErrTooLarge if it has more than limit bytes.
func (p Path) Read(limit int64) ([]byte, error) {
	f, err := p.open()
	if err != nil {
		return nil, p.fault(err)
	}
	defer f.Close()
	data, err := read(f, limit)
	return data, p.fault(err)
}

// read never has more than limit bytes in memory, also where a file holds more than its size says, as in /proc.
func read(f *os.File, limit int64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, ErrTooLarge
	}
	data := make([]byte, 0, min(max(info.Size(), 512), limit))
	for {
		if int64(len(data)) == limit {
			return data, atEnd(f)
		}
		if len(data) == cap(data) {
			data = slices.Grow(data, int(min(int64(len(data)), limit-int64(len(data)))))
		}
		n, err := f.Read(data[len(data):min(int64(cap(data)), limit)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func atEnd(f *os.File) error {
	n, err := f.Read(make([]byte, 1))
	if n > 0 {
		return ErrTooLarge
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// ReadDir lists the directory at p, sorted by name. Of a directory with more than 100,000 entries it returns so
// many, and ErrTooLarge.
func (p Path) ReadDir() ([]fs.DirEntry, error) {
	dir, err := p.self()
	if err != nil {
		return nil, p.fault(err)
	}
	defer dir.Close()
	entries, err := list(dir)
	return entries, p.fault(err)
}

func list(dir *os.Root) ([]fs.DirEntry, error) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(maxEntries + 1)
	if err == io.EOF {
		err = nil
	}
	if len(entries) > maxEntries {
		entries, err = entries[:maxEntries], ErrTooLarge
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, err
}

// Walk calls fn for everything below p in the order of names, directories before what they hold, with the path
// relative to p, following no link. fn may return fs.SkipDir or fs.SkipAll; any other error ends the walk and is
// returned. What cannot be read is passed once more with err, and is skipped if fn returns nil then; if that is
// p itself, rel is "." and e is nil.
func (p Path) Walk(fn func(rel string, e fs.DirEntry, err error) error) error {
	dir, err := p.self()
	if err != nil {
		err = fn(".", nil, p.fault(err))
	} else {
		err = walkDir(dir, ".", nil, 0, fn)
	}
	if err == fs.SkipDir || err == fs.SkipAll {
		return nil
	}
	return err
}

type walkFunc = func(rel string, e fs.DirEntry, err error) error

// walkDir walks through the open directory dir, which it closes.
func walkDir(dir *os.Root, rel string, self fs.DirEntry, depth int, fn walkFunc) error {
	defer dir.Close()
	entries, err := list(dir)
	if err != nil {
		if err := fn(rel, self, reason(err)); err != nil {
			return skipped(err)
		}
	}
	for _, e := range entries {
		below := e.Name()
		if rel != "." {
			below = rel + "/" + below
		}
		switch err := visit(dir, below, e, depth, fn); {
		case err == fs.SkipDir && !e.IsDir(): // the rest of this directory
			return nil
		case err != nil && err != fs.SkipDir:
			return err
		}
	}
	return nil
}

func skipped(err error) error {
	if err == fs.SkipDir {
		return nil
	}
	return err
}

func visit(dir *os.Root, rel string, e fs.DirEntry, depth int, fn walkFunc) error {
	if err := fn(rel, e, nil); err != nil || !e.IsDir() {
		return err
	}
	if depth >= maxDepth {
		return fn(rel, e, errDeep)
	}
	was, err := e.Info()
	if err != nil {
		return fn(rel, e, reason(err))
	}
	next, err := enterSame(dir, was, e.Name())
	switch {
	case errors.Is(err, ErrChanged):
		return nil
	case err != nil:
		return fn(rel, e, reason(err))
	}
	return walkDir(next, rel, e, depth+1, fn)
}
