package sandbox

import (
	"os"
	"syscall"
)

// seatbelt closes the box before it starts what runs in it.
const seatbelt = "/usr/bin/sandbox-exec"

func self() (string, error) { return os.Executable() }

// There are no namespaces.
const namespaces = Mechanisms(0)

var spaceless []error

func spacedAttrs(Mechanisms) []*syscall.SysProcAttr { return nil }

// enclosed is how a helper is started that cannot close its box itself.
func enclosed(l *Limits, temp, name string, args []string) (string, []string) {
	if l == nil {
		return name, args
	}
	if _, err := os.Stat(seatbelt); err != nil {
		return name, args
	}
	return seatbelt, append([]string{"sandbox-exec", "-p", profile(l, temp), name, seatbeltArg}, args...)
}

// waits reports whether a helper can be started before it is known what its box is.
func waits(l *Limits) bool { return l == nil }

// otherSockets is nothing to hide: the profile names the sockets that may be used.
func otherSockets([]string) []string { return nil }

func prepare(Mechanisms) Mechanisms {
	if len(os.Args) > 1 && os.Args[1] == seatbeltArg {
		return Seatbelt
	}
	return 0
}

func confine(_ *Limits, dir, _ string, held Mechanisms) (Mechanisms, error) {
	return held, os.Chdir(dir)
}

// standing would name the file at a path; no box that waits depends on that here. ok is false if there is none.
func standing(path string) (file string, ok bool) {
	_, err := os.Lstat(path)
	return "", err == nil
}

// slim only rehearses: nothing is known to help beside that here.
func slim(rehearse func()) { rehearse() }

// reclaim: no memory is shared with a process that was started.
func reclaim() {}

func userSpace() string { return "" }
