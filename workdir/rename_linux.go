package workdir

import (
	"errors"

	"golang.org/x/sys/unix"
)

// rename moves what is at from, unless something is at to. File systems that cannot tell in the same step, as NFS,
// answer EINVAL (renameat2(2)); there the caller's look a moment ago has to do.
func rename(from, to place) error {
	return withHandles(from.dir, to.dir, func(a, b int) error {
		err := unix.Renameat2(a, from.name, b, to.name, unix.RENAME_NOREPLACE)
		if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP) {
			err = unix.Renameat(a, from.name, b, to.name)
		}
		return err
	})
}
