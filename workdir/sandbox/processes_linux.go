package sandbox

import (
	"fmt"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// maxProcesses is how many processes and threads may run in a box at a time: more than builds need, and few enough for the
// machine to end a program that starts itself without end.
func maxProcesses() int { return 4096 + 64*runtime.NumCPU() }

// limitProcesses bounds what runs in namespaces of its own. The limit of a user counts in a user namespace what runs in that
// (since Linux 5.14; earlier, all that the user runs), but does not hold root; for root, numbers of processes are bounded.
func limitProcesses(spaces Mechanisms) {
	limit := unix.Rlimit{}
	most := uint64(maxProcesses())
	if unix.Getrlimit(unix.RLIMIT_NPROC, &limit) == nil && limit.Max > most {
		_ = unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: min(limit.Cur, most), Max: most})
	}
	if spaces.Has(Processes) && ownNumbers() {
		_ = os.WriteFile("/proc/sys/kernel/pid_max", []byte(strconv.Itoa(maxProcesses())), 0)
	}
}

// ownNumbers reports whether the kernel bounds the numbers of processes in each namespace (since Linux 6.14). Before, root
// would bound them for the whole machine.
func ownNumbers() bool {
	var name unix.Utsname
	if unix.Uname(&name) != nil {
		return false
	}
	var major, minor int
	_, err := fmt.Sscanf(unix.ByteSliceToString(name.Release[:]), "%d.%d", &major, &minor)
	return err == nil && (major > 6 || major == 6 && minor >= 14)
}
