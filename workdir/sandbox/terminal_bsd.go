//go:build unix && !linux

package sandbox

import "golang.org/x/sys/unix"

const (
	getTermios = unix.TIOCGETA
	maxLine    = 1023 // the longest line that a terminal takes while it edits lines for a program (MAX_CANON)
)
