package ask

import "golang.org/x/sys/unix"

// flush drops what was typed and not read.
func flush(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }

const (
	getTermios = unix.TCGETS
	setTermios = unix.TCSETS
)
