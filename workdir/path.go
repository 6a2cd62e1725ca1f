package workdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// Path is a place in a Dir, found by Resolve or Entry. It may not exist yet. What is done with it happens at that
// place or not at all: what has become a link since leads nowhere, but to ErrChanged. Errors name it as Shown does.
// The zero Path is no place.
type Path struct {
	Abs string // absolute, links followed as far as they exist
	Rel string // relative to the directory it lies in, "." for that itself; "" outside (only where the limit is lifted)
	Via string // absolute and cleaned as written, where a link makes it differ from Abs; otherwise empty

	dir  *Dir
	root *root // nil where only the lifted limit lets it be reached
}

// Shown is the path as a person wants to read it: relative to the work directory if it lies there, else absolute.
func (p Path) Shown() string {
	if p.dir != nil && p.root == p.dir.roots[0] {
		return p.Rel
	}
	return p.Abs
}

// In is the entry of that name in the directory that is to be at p, whatever is there now.
func (p Path) In(name string) Path {
	p.Abs, p.Rel, p.Via = path.Join(p.Abs, name), path.Join(p.Rel, name), ""
	return p
}

// Info says what is at p now, without following a link that stands there.
func (p Path) Info() (fs.FileInfo, error) {
	dir, name, err := p.parent()
	if err != nil {
		return nil, p.fault(err)
	}
	defer dir.Close()
	info, err := dir.Lstat(name)
	return info, p.fault(err)
}

// Links is how many names the regular file at p has, 0 where the system does not say or there is no such file.
func (p Path) Links() int {
	info, err := p.Info()
	if err != nil {
		return 0
	}
	return Links(info)
}

// Links is how many names the file that info describes has, 0 where the system does not say or it is no regular file.
func Links(info fs.FileInfo) int {
	if !info.Mode().IsRegular() {
		return 0
	}
	return links(info)
}

// SameFile reports whether two looks were at one file, perhaps by two names.
func SameFile(a, b fs.FileInfo) bool { return os.SameFile(a, b) }

// fault puts the path before an error, and leaves out what the system was asked to do.
func (p Path) fault(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", p.Shown(), reason(err))
}

// reason is an error without the operation and the name that package os puts before it.
func reason(err error) error {
	var op *fs.PathError
	var link *os.LinkError
	var call *os.SyscallError
	switch {
	case errors.As(err, &op):
		return reason(op.Err)
	case errors.As(err, &link):
		return reason(link.Err)
	case errors.As(err, &call):
		return call.Err
	}
	return err
}
