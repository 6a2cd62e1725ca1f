package sandbox

import "golang.org/x/sys/unix"

// machine is how the kernel names this machine's system calls, and foreignCalls where those of x32 begin.
const (
	machine      = unix.AUDIT_ARCH_X86_64
	foreignCalls = 0x40000000
)

// modeCalls are the system calls that set the mode of a file, with the argument that is the mode.
var modeCalls = map[uint32]uint32{unix.SYS_CHMOD: 1, unix.SYS_FCHMOD: 1, unix.SYS_FCHMODAT: 2, unix.SYS_FCHMODAT2: 2}
