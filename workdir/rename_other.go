//go:build unix && !linux && !darwin

package workdir

import "golang.org/x/sys/unix"

// rename moves what is at from; that nothing is at to was seen by the caller a moment ago.
func rename(from, to place) error {
	return withHandles(from.dir, to.dir, func(a, b int) error {
		return unix.Renameat(a, from.name, b, to.name)
	})
}
