package sandbox

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// prepare is the part of closing the box that does not depend on what is run in it. It returns what holds.
func prepare(spaced, network bool) Mechanisms {
	var held Mechanisms
	if spaced {
		held |= Processes
		if !network {
			held |= Networks
			_ = loopback() // programs may still talk to themselves
		}
		if isolateMounts() == nil {
			held |= Mounts
		}
	}
	if landlockABI() > 0 {
		held |= Landlock
	}
	return held
}

// confine closes the box around this process, in which nothing else may run yet. It returns what holds it. A
// mechanism that the system has and that fails is an error.
func confine(l *Limits, dir, temp string, held Mechanisms) (Mechanisms, error) {
	held &^= l.Without
	if held.Has(Mounts) {
		if err := closeMounts(l, dir, temp); err != nil {
			return 0, fmt.Errorf("mounts: %w", err)
		}
	}
	if err := os.Chdir(dir); err != nil {
		return 0, err
	}
	if held.Has(Landlock) {
		if err := restrictFiles(l, temp, !held.Has(Mounts)); err != nil {
			return 0, fmt.Errorf("landlock: %w", err)
		}
	}
	// Other processes of this user may not look into this one, nor take its files (ptrace(2)).
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return 0, fmt.Errorf("prctl: %w", err)
	}
	if l.Without&Capabilities == 0 {
		if err := dropCapabilities(); err != nil {
			return 0, fmt.Errorf("capabilities: %w", err)
		}
		held |= Capabilities
	}
	if l.Without&Seccomp == 0 {
		switch err := filterCalls(l, held&(Processes|Landlock) != 0); err {
		case nil:
			held |= Seccomp
		case unix.ENOSYS, unix.EINVAL, errNoFilter: // the kernel has none, or not this one
		default:
			return 0, fmt.Errorf("seccomp: %w", err)
		}
	}
	return held, nil
}
