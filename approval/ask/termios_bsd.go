//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package ask

import "golang.org/x/sys/unix"

// fread is FREAD of sys/fcntl.h: the side that is read.
const fread = 1

// flush drops what was typed and not read.
func flush(fd int) error { return unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, fread) }

const (
	getTermios = unix.TIOCGETA
	setTermios = unix.TIOCSETA
)
