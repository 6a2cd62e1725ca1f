package sandbox

import "golang.org/x/sys/unix"

// machine is how the kernel names this machine's system calls.
const machine = unix.AUDIT_ARCH_X86_64

// modeCalls are the system calls that set the mode of a file, with the argument that is the mode.
var modeCalls = map[uint32]uint32{
	unix.SYS_CHMOD: 1, unix.SYS_FCHMOD: 1, unix.SYS_FCHMODAT: 2, unix.SYS_FCHMODAT2: 2,
	unix.SYS_CREAT: 1, unix.SYS_MKNOD: 1, unix.SYS_MKNODAT: 2,
}

// openCalls are those that may make a file, with the argument that is the flags; the next one is the mode.
var openCalls = map[uint32]uint32{unix.SYS_OPENAT: 2, unix.SYS_OPEN: 1}
