package tools

import (
	"fmt"
	"io/fs"
	"path"

	"tricode/workdir"
	"tricode/workdir/sandbox"
)

// inDirectory is entry for a directory: it may be new, be made anew, have other permissions, or hold something else.
func (f *changes) inDirectory(c change, rel string) error {
	if c.was == nil || c.was.Mode() != c.now.Mode() {
		if err := f.add(c, ""); err != nil {
			return err
		}
	}
	if c.was == nil {
		return f.directory(c.path, rel, false)
	}
	anew, err := sandbox.Anew(c.from.Abs)
	if err != nil {
		return fmt.Errorf("%s: %w", rel, err)
	}
	if anew {
		if err := f.removeRest(c, rel); err != nil {
			return err
		}
	}
	return f.directory(c.path, rel, true)
}

// removeRest removes what a directory that was made anew holds no more.
func (f *changes) removeRest(c change, rel string) error {
	entries, err := c.path.ReadDir()
	if err != nil {
		return err
	}
	for _, e := range entries {
		over, err := f.layer.Entry(path.Join(rel, e.Name()))
		if err == nil {
			_, err = over.Info()
		}
		if err == nil { // it is looked at with the others
			continue
		}
		below, err := f.w.Dir.Entry(path.Join(rel, e.Name()))
		if err != nil {
			return err
		}
		info, err := below.Info()
		if err != nil {
			return err
		}
		if err := f.remove(below, info); err != nil {
			return err
		}
	}
	return nil
}

// remove adds that what is at p goes.
func (f *changes) remove(p workdir.Path, was fs.FileInfo) error {
	gone, err := look(f.ctx, p, was)
	if err != nil {
		return err
	}
	return f.add(change{path: p, was: was, gone: gone, lost: f.lost(p, was)}, "")
}
