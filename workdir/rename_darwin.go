package workdir

import (
	"errors"

	"golang.org/x/sys/unix"
)

// rename moves what is at from, unless something is at to. Where the file system cannot tell in the same step
// (ENOTSUP, renameatx_np(2)) the caller's look a moment ago has to do.
func rename(from, to place) error {
	return withHandles(from.dir, to.dir, func(a, b int) error {
		err := unix.RenameatxNp(a, from.name, b, to.name, unix.RENAME_EXCL)
		if errors.Is(err, unix.ENOTSUP) {
			err = unix.Renameat(a, from.name, b, to.name)
		}
		return err
	})
}
