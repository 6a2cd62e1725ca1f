package sandbox

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// prepare is the part of closing the box that does not depend on what is run in it, in a process that was started with
// the given namespaces. It returns what the box can be held by.
func prepare(spaces Mechanisms) Mechanisms {
	// Where memory runs out, the system ends what holds much of it in the box before anything else (proc_pid_oom_score_adj(5)).
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("500"), 0)
	// Other processes of this user may not look into this one, nor take its files (ptrace(2)).
	if unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) != nil {
		return 0
	}
	held := spaces | Capabilities
	if spaces != 0 {
		// In namespaces of their own programs would be administrators again; not all systems let this be said.
		_ = os.WriteFile("/proc/sys/user/max_user_namespaces", []byte("0"), 0)
		limitProcesses(spaces)
	}
	if spaces.Has(Networks) {
		_ = loopback() // programs may still talk to themselves
	}
	held &^= isolateMounts(spaces)
	if landlockABI() >= landlockWhole {
		held |= Landlock
	}
	if filters() {
		held |= Seccomp
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
	if l.Without&Landlock == 0 && landlockABI() > 0 {
		if err := restrictFiles(l, temp, held); err != nil {
			return 0, fmt.Errorf("landlock: %w", err)
		}
	}
	if held.Has(Capabilities) {
		if err := dropCapabilities(held); err != nil {
			return 0, fmt.Errorf("capabilities: %w", err)
		}
	}
	if held.Has(Seccomp) {
		if err := filterCalls(l, held); err != nil {
			return 0, fmt.Errorf("seccomp: %w", err)
		}
	}
	return held, nil
}
