package tools

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"tricode/approval"
	"tricode/workdir"
	"tricode/workdir/sandbox"
)

// change is one place that a command left different than it is.
type change struct {
	path workdir.Path
	was  fs.FileInfo  // what is there; nil for nothing
	now  fs.FileInfo  // what is to be there; nil for nothing
	from workdir.Path // that, in the layer
	same bool         // but for its permissions, it is what it was
	new  bool         // nothing can be there: the directory around it is new, or what was there goes first
	gone tree         // what goes with a directory
	lost int          // files that go and that git does not track
}

// changes are all that a command left different in the work directory.
type changes struct {
	ctx   context.Context // of finding them
	w     World
	layer *workdir.Dir
	began time.Time
	list  []change
	bytes int64     // of files that are to be there
	sum   hash.Hash // of all that is to be there
	lost  func(p workdir.Path, info fs.FileInfo) int
	shown []approval.Section
}

// What a preview can keep: places that are different, and bytes in files.
const (
	maxChanges = 10_000
	maxKept    = 1 << 30
)

// changed finds what the line left different, in the order in which it can be made so.
func (c *commandLine) changed(ctx context.Context, layer *sandbox.Overlay) (*changes, error) {
	dir, err := workdir.Open(layer.Changed)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	f := &changes{ctx: ctx, w: c.w, layer: dir, began: layer.Began, sum: sha256.New(), lost: newResolver(ctx, c.w).untracked}
	top, err := c.w.Dir.Resolve(".")
	if err != nil {
		return nil, err
	}
	if err := f.directory(top, ".", true); err != nil {
		return nil, err
	}
	f.shown = f.sections()
	return f, nil
}

// directory looks at what a directory of the layer holds, which is to be at a path; below says that what the work directory
// has there shows through.
func (f *changes) directory(at workdir.Path, rel string, below bool) error {
	if err := context.Cause(f.ctx); err != nil {
		return err
	}
	p, err := f.layer.Entry(rel)
	if err != nil {
		return err
	}
	entries, err := p.ReadDir()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := f.entry(at, path.Join(rel, e.Name()), below); err != nil {
			return err
		}
	}
	return nil
}

// entry looks at one entry of the layer, which is to be in a directory.
func (f *changes) entry(in workdir.Path, rel string, below bool) (err error) {
	c := change{new: !below}
	if c.from, err = f.layer.Entry(rel); err != nil {
		return err
	}
	if c.now, err = c.from.Info(); err != nil {
		return err
	}
	if !below { // something else may be there yet, such as a link
		c.path = in.In(path.Base(rel))
	} else if err := f.locate(&c, rel); err != nil {
		return err
	}
	kind := c.now.Mode().Type()
	switch {
	case sandbox.Gone(c.now):
		if c.was == nil {
			return nil
		}
		return f.remove(c.path, c.was)
	case kind&^(fs.ModeDir|fs.ModeSymlink) != 0:
		return fmt.Errorf("%s is a special file", rel)
	case c.was != nil && c.was.IsDir() != c.now.IsDir():
		if err := f.remove(c.path, c.was); err != nil {
			return err
		}
		c.was, c.new = nil, true
	}
	if c.now.IsDir() {
		return f.inDirectory(c, rel)
	}
	return f.file(c)
}

// locate finds where an entry belongs and what is there.
func (f *changes) locate(c *change, rel string) (err error) {
	if c.path, err = f.w.Dir.Entry(rel); err != nil {
		return err
	}
	if c.path.Abs != path.Join(f.w.Dir.Name(), rel) {
		return meanwhile(rel)
	}
	c.was, err = c.path.Info()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !c.was.IsDir() && c.was.ModTime().After(f.began):
		return meanwhile(rel)
	}
	return err
}

func meanwhile(rel string) error { return fmt.Errorf("%s was changed meanwhile by somebody else", rel) }

// file is entry for a file or a link that is not what it was.
func (f *changes) file(c change) error {
	now, err := f.contents(c.from, c.now)
	if err != nil {
		return err
	}
	if c.was != nil && c.was.Mode().Type() == c.now.Mode().Type() && c.was.Size() == c.now.Size() {
		was, err := f.contents(c.path, c.was)
		if err != nil {
			return err
		}
		if c.same = was == now; c.same && c.was.Mode() == c.now.Mode() {
			return nil
		}
	}
	return f.add(c, now)
}

// contents is where a link leads, or a sum of what a file holds.
func (f *changes) contents(p workdir.Path, info fs.FileInfo) (string, error) {
	if info.Mode().Type() == fs.ModeSymlink {
		return p.Target()
	}
	file, err := p.Open()
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, watched{f.ctx, io.LimitReader(file, maxKept+1)})
	return string(sum.Sum(nil)), err
}

// add takes a change into the list.
func (f *changes) add(c change, contents string) error {
	if c.now != nil && c.now.Mode().IsRegular() {
		f.bytes += c.now.Size()
	}
	switch {
	case len(f.list) == maxChanges:
		return fmt.Errorf("it changed more than %d files", maxChanges)
	case f.bytes > maxKept:
		return fmt.Errorf("it wrote more than %s", byteCount(maxKept))
	}
	mode := fs.FileMode(0)
	if c.now != nil {
		mode = c.now.Mode()
	}
	fmt.Fprintf(f.sum, "%q %v %q\n", c.path.Rel, mode, contents)
	f.list = append(f.list, c)
	return nil
}

// subjects are what the policy judges.
func (c change) subjects() []approval.Subject {
	if c.now == nil {
		s := subjectAt(c.path, approval.Delete)
		s.Untracked = c.lost
		return append([]approval.Subject{s}, c.gone.forbidden(c.path)...)
	}
	s := subjectAt(c.path, approval.Write)
	if c.was != nil && workdir.Links(c.was) > 1 {
		s.Effects |= approval.HardLink
	}
	return []approval.Subject{s}
}

// keeps reports whether a path lies in what programs like git keep for themselves, and in nothing else that is protected.
func keeps(rel string) bool {
	kept := false
	for name := range strings.SplitSeq(rel, "/") {
		switch {
		case isKept(name):
			kept = true
		case approval.ProtectedName(name):
			return false
		}
	}
	return kept
}
