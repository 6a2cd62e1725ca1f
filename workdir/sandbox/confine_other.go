//go:build unix && !linux && !darwin

package sandbox

import (
	"os"
	"syscall"
)

func self() (string, error) { return os.Executable() }

// There is no box here, and Limits.Gaps says so.

const namespaces = Mechanisms(0)

var spaceless []error

func spacedAttrs(Mechanisms) []*syscall.SysProcAttr { return nil }

func enclosed(_ *Limits, _, name string, args []string) (string, []string) { return name, args }

func waits(*Limits) bool { return true }

func otherSockets([]string) []string { return nil }

func prepare(Mechanisms) Mechanisms { return 0 }

func confine(_ *Limits, dir, _ string, _ Mechanisms) (Mechanisms, error) { return 0, os.Chdir(dir) }

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
