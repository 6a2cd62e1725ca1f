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

// keepOwner gives f the owner and group of another file, as far as the system lets this user.
func keepOwner(f *os.File, like fs.FileInfo) {
	is, err := f.Stat()
	if err != nil {
		return
	}
	want, ok := like.Sys().(*syscall.Stat_t)
	have, ok2 := is.Sys().(*syscall.Stat_t)
	if !ok || !ok2 || want.Uid == have.Uid && want.Gid == have.Gid {
		return
	}
	if f.Chown(int(want.Uid), int(want.Gid)) != nil {
		f.Chown(-1, int(want.Gid)) // a member of the group may still do this
	}
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
