package config

import "syscall"

// nonblock is nothing on Windows, where opening a pipe does not wait.
const nonblock = 0

// notDirectory is the error of a path that leads through a file.
const notDirectory = syscall.ENOTDIR
