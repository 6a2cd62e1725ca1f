package sandbox

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
	"kernel.org/pub/linux/libs/security/libcap/psx"
)

// What root keeps in its box: rights over files, because a work directory may belong to others. Landlock holds root
// too where it opens files, but only mounts hold it where it changes whose they are.
const (
	keptOpening  = 1 << unix.CAP_DAC_OVERRIDE
	keptChanging = 1<<unix.CAP_CHOWN | 1<<unix.CAP_FOWNER | 1<<unix.CAP_FSETID
)

// dropCapabilities gives up, on all threads, every right of an administrator, and with no_new_privs the chance to gain
// any by starting a program. That is done already where Landlock was, and what is no longer inheritable is not ambient
// either (capabilities(7)): each call on all threads takes its time.
func dropCapabilities(held Mechanisms) error {
	if set, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); err != nil || set != 1 {
		if _, _, err := psx.Syscall6(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0); err != 0 {
			return err
		}
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		return err
	}
	var keep uint32
	if os.Getuid() == 0 {
		keep = keptOpening
		if held.Has(Mounts) {
			keep |= keptChanging
		}
	}
	data[0].Effective, data[1].Effective = data[0].Effective&keep, 0
	data[0].Permitted, data[1].Permitted = data[0].Permitted&keep, 0
	data[0].Inheritable, data[1].Inheritable = 0, 0
	_, _, err := psx.Syscall3(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&data[0])), 0)
	if err != 0 {
		return err
	}
	return nil
}
