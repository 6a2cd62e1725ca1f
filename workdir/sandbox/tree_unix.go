//go:build unix

package sandbox

import (
	"os"
	"syscall"
)

const separators = "/"

// readNow reads what is there, without waiting for more; what is not positive is nothing.
func readNow(fd uintptr, buffer []byte) int {
	n, _ := syscall.Read(int(fd), buffer)
	return n
}

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

// tree is a program with what it starts: one process group, which has the program's id.
type tree struct{ group int }

func newTree(p *os.Process) tree { return tree{p.Pid} }

// terminate asks the tree to end.
func (t tree) terminate() {
	syscall.Kill(-t.group, syscall.SIGTERM)
	syscall.Kill(-t.group, syscall.SIGCONT) // what is stopped cannot end
}

func (t tree) kill() { syscall.Kill(-t.group, syscall.SIGKILL) }
