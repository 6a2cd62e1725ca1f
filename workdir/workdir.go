// Package workdir confines file access to one directory, by handle: what a path means is found out by following
// links step by step, and what is done with it is done below an open directory, so that a link that appears
// between the look and the act leads nowhere.
//
// Names and paths have slashes between their components, on Windows too.
package workdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Errors that callers act on, beside fs.ErrNotExist, fs.ErrExist and fs.ErrPermission.
var (
	ErrChanged    = errors.New("changed since it was looked at") // nothing was written
	ErrNotRegular = errors.New("not a regular file")             // but a directory, FIFO, socket or device
	ErrTooLarge   = errors.New("too large")                      // a file for the caller's limit, a directory for ours
)

// OutsideError is the error of a name that leads outside.
type OutsideError struct {
	Name string // as given
	Path string // absolute, links followed as far as they can be read
	Dir  string // the work directory
}

func (e *OutsideError) Error() string {
	return fmt.Sprintf("%s is outside the work directory %s", e.Name, e.Dir)
}

// Dir is the work directory and the additional directories beside it. It is safe for concurrent use.
type Dir struct {
	roots     []*root // the work directory first
	unlimited bool    // every path can be reached
}

// root is one directory that paths may lie in.
type root struct {
	handle *os.Root
	info   fs.FileInfo
	path   string // absolute, links followed
	via    string // absolute, as it was given
}

// Open opens the work directory at path, which must exist, and the additional directories extra. An extra of "/"
// lifts the limit: then every path can be reached, and Path.Rel is still empty outside of the others.
func Open(path string, extra ...string) (*Dir, error) {
	work, err := openRoot(path)
	if err != nil {
		return nil, fmt.Errorf("work directory %s: %w", path, reason(err))
	}
	d := &Dir{roots: []*root{work}}
	for _, path := range extra {
		if path == "/" {
			d.unlimited = true
			continue
		}
		r, err := openRoot(path)
		if err != nil {
			d.Close()
			return nil, fmt.Errorf("additional directory %s: %w", path, reason(err))
		}
		d.roots = append(d.roots, r)
	}
	return d, nil
}

func openRoot(name string) (*root, error) {
	via, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(via)
	if err != nil {
		return nil, err
	}
	handle, err := os.OpenRoot(real + "/.") // the dot keeps it from waiting for the writer of a FIFO
	if err != nil {
		return nil, err
	}
	info, err := handle.Stat(".")
	if err != nil {
		handle.Close()
		return nil, err
	}
	return &root{handle: handle, info: info, path: filepath.ToSlash(real), via: filepath.ToSlash(via)}, nil
}

// Close lets go of the directories. What is done with the Dir and its paths afterwards fails.
func (d *Dir) Close() error {
	var errs []error
	for _, r := range d.roots {
		errs = append(errs, r.handle.Close())
	}
	return errors.Join(errs...)
}

// Name is the absolute path of the work directory, with links followed.
func (d *Dir) Name() string { return d.roots[0].path }

// Roots are the absolute paths of the work directory and of the additional ones, with links followed.
func (d *Dir) Roots() []string {
	paths := make([]string, len(d.roots))
	for i, r := range d.roots {
		paths[i] = r.path
	}
	return paths
}

// Unlimited reports whether every path can be reached.
func (d *Dir) Unlimited() bool { return d.unlimited }

// rootOf returns the first directory that holds the absolute path p, and p relative to it; nil if none does.
func (d *Dir) rootOf(p string) (*root, string) {
	for _, r := range d.roots {
		if rel, ok := below(p, r.path); ok {
			return r, rel
		}
	}
	return nil, ""
}

// below returns the path p relative to dir if it is dir, "." then, or lies in it. Both are absolute and clean.
func below(p, dir string) (string, bool) {
	if p == dir {
		return ".", true
	}
	if !strings.HasSuffix(dir, "/") {
		dir += "/"
	}
	return strings.CutPrefix(p, dir)
}

// split parts an absolute path into its volume, which is empty but on Windows, and the rest, which begins with a
// slash.
func split(p string) (volume, rest string) {
	volume = p[:len(filepath.VolumeName(p))]
	return volume, path.Clean("/" + p[len(volume):])
}
