package sandbox

import "golang.org/x/sys/unix"

const (
	getTermios = unix.TCGETS
	maxLine    = 4095 // the longest line that a terminal takes while it edits lines for a program (termios(3))
)
