//go:build unix

package config

import "syscall"

// nonblock keeps the opening of a FIFO from waiting for a writer.
const nonblock = syscall.O_NONBLOCK

// notDirectory is the error of a path that leads through a file.
const notDirectory = syscall.ENOTDIR
