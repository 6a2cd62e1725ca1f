package tools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"tricode/workdir"
	"tricode/workdir/sandbox"
)

// keep makes the work directory what the command left. If anything there is no longer what was shown, nothing is changed.
func (f *changes) keep(ctx context.Context, layer *sandbox.Overlay) error {
	for _, c := range f.list {
		if err := c.still(ctx); err != nil {
			return fmt.Errorf("%w; nothing of what the command changed was kept", err)
		}
	}
	from, err := workdir.Open(layer.Changed)
	if err != nil {
		return err
	}
	defer from.Close()
	for i, c := range f.list {
		if c.from, err = from.Entry(c.path.Rel); err == nil {
			err = c.keep(f.w.Dir)
		}
		if err != nil {
			return fmt.Errorf("%w; %d of %d changes were kept", err, i, len(f.list))
		}
	}
	for _, c := range slices.Backward(f.list) { // at last, because they may close a directory
		if c.now == nil || !c.now.IsDir() {
			continue
		}
		if err := c.path.Chmod(c.now.Mode()); err != nil {
			return err
		}
	}
	return nil
}

// still returns an error unless what is there is what was shown.
func (c change) still(ctx context.Context) error {
	if c.new {
		return nil
	}
	info, err := c.path.Info()
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.was == nil:
		return nil
	case err == nil && c.was == nil:
		err = workdir.ErrChanged
	case err != nil:
	case c.was.IsDir() && c.now != nil:
		if !info.IsDir() || info.Mode() != c.was.Mode() {
			err = workdir.ErrChanged
		}
	case c.was.IsDir():
		return unchanged(ctx, c.path, c.gone)
	case !workdir.Same(c.was, info):
		err = workdir.ErrChanged
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.path.Shown(), err)
	}
	return nil
}

// keep makes one change, but for the permissions of a directory.
func (c change) keep(dir *workdir.Dir) error {
	switch {
	case c.now == nil:
		return remove(dir, c.path, c.was)
	case c.now.IsDir():
		if c.was != nil {
			return nil
		}
		return c.path.Mkdir(false)
	case c.now.Mode().Type() == fs.ModeSymlink:
		target, err := c.from.Target()
		if err != nil {
			return err
		}
		return c.path.PutLink(c.was, target)
	}
	file, err := c.from.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	return c.path.Put(c.was, file, c.now.Mode())
}
