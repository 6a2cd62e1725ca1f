package workdir

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

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
	return openToRead(dir, name)
}

// openToRead tries again while somebody replaces the file, as editors do when they save it.
func openToRead(dir *os.Root, name string) (f *os.File, err error) {
	for range 8 {
		if f, err = openRegular(dir, name, os.O_RDONLY); !errors.Is(err, ErrChanged) {
			break
		}
	}
	return f, err
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
	data := make([]byte, 0, info.Size())
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == nil && len(data) == cap(data) {
			data, err = more(f, data, limit)
		}
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// more makes room for what stands behind data, or returns io.EOF if that is all.
func more(f *os.File, data []byte, limit int64) ([]byte, error) {
	var next [1]byte
	if n, err := f.Read(next[:]); n == 0 {
		return data, err
	}
	size := int64(len(data))
	if size >= limit {
		return nil, ErrTooLarge
	}
	room := make([]byte, size, min(max(2*size, 512), limit))
	copy(room, data)
	return append(room, next[0]), nil
}
