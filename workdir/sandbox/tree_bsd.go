//go:build unix && !linux

package sandbox

import (
	"os"
	"syscall"
)

// programAttr gives a program a session of its own.
func programAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func adopt() {}

// closeInherited sees to it that programs get none of the files that this process was started with.
func closeInherited() {
	for fd := 3; fd < 256; fd++ {
		syscall.CloseOnExec(fd)
	}
}

// await waits for the program to end.
func (p *process) await() *os.ProcessState {
	state, _ := p.os.Wait()
	return state
}

// sweep does nothing: what left the session cannot be found again here.
func (p *process) sweep() {}
