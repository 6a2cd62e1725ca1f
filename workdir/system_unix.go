//go:build unix

package workdir

import (
	"io/fs"
	"os"
	"syscall"
)

// nonblock keeps open from waiting for the other end of a FIFO.
const nonblock = syscall.O_NONBLOCK

// checkSystem has nothing to add here: any bytes but NUL and the slash make a name.
func checkSystem(string) error { return nil }

func links(info fs.FileInfo) int {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Nlink)
	}
	return 0
}

// keepOwner gives f the owner and group of the file that it replaces, as far as the system lets this user, and returns
// what of perm fits: if the group is another one, it gets no more than everybody.
func keepOwner(f *os.File, old fs.FileInfo, perm fs.FileMode) fs.FileMode {
	want, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return perm
	}
	if info, err := f.Stat(); err == nil {
		have, ok := info.Sys().(*syscall.Stat_t)
		if ok && have.Uid == want.Uid && have.Gid == want.Gid {
			return perm
		}
	}
	if f.Chown(int(want.Uid), int(want.Gid)) == nil || f.Chown(-1, int(want.Gid)) == nil {
		return perm
	}
	return perm&^0o070 | perm&0o007<<3&perm
}

// withHandles calls fn with descriptors of two directories.
func withHandles(a, b *os.Root, fn func(a, b int) error) error {
	f, err := a.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	g, err := b.Open(".")
	if err != nil {
		return err
	}
	defer g.Close()
	return fn(int(f.Fd()), int(g.Fd()))
}

// directory lets open take nothing but a directory, and no link to one.
const directory = syscall.O_DIRECTORY | syscall.O_NOFOLLOW
