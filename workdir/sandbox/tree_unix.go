//go:build unix

package sandbox

import (
	"os"
	"syscall"
)

const separators = "/"

// exitStatus is the status as shells give it.
func exitStatus(state *os.ProcessState) int {
	if state == nil {
		return 1
	}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return state.ExitCode()
}

// tree needs nothing: a program and what it starts are one process group, which has the program's id.
type tree struct{}

func (p *process) grow() {}

func (p *process) terminate() {
	syscall.Kill(-p.pid, syscall.SIGTERM)
	syscall.Kill(-p.pid, syscall.SIGCONT) // what is stopped cannot end
}

func (p *process) kill() { syscall.Kill(-p.pid, syscall.SIGKILL) }
