//go:build unix

package runner

import (
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// group gives a program a process group of its own, which is asked to end with the program's context and then
// ended.
func group(cmd *exec.Cmd, t *thread) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		pid := cmd.Process.Pid
		t.do(func() {
			syscall.Kill(-pid, syscall.SIGTERM)
			syscall.Kill(-pid, syscall.SIGCONT) // what is stopped cannot end
		})
		time.AfterFunc(grace, func() { t.do(func() { cmd.Process.Kill() }) })
		return nil
	}
}

// kill ends what is left of the process group of a program.
func kill(group int) { syscall.Kill(-group, syscall.SIGKILL) }

// signal sends a signal to a process, or to a process group if pid is negative.
func signal(pid, number int) error { return syscall.Kill(pid, syscall.Signal(number)) }

// exitCode is the status as shells give it.
func exitCode(state *os.ProcessState) int {
	if state == nil {
		return 1
	}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return state.ExitCode()
}

const nonblocking = syscall.O_NONBLOCK

const sigUser1, sigUser2 = int(syscall.SIGUSR1), int(syscall.SIGUSR2)

// systemSignals are the signals whose numbers differ between systems.
var systemSignals = map[string]int{
	"USR1": sigUser1, "USR2": sigUser2, "STOP": int(syscall.SIGSTOP), "CONT": int(syscall.SIGCONT), "CHLD": int(syscall.SIGCHLD),
	"PIPE": int(syscall.SIGPIPE), "TSTP": int(syscall.SIGTSTP), "WINCH": int(syscall.SIGWINCH),
}

// duplicate is the same file again; closing one leaves the other open.
func duplicate(f *os.File) (*os.File, error) {
	conn, err := f.SyscallConn() // not Fd, which would end its deadlines
	if err != nil {
		return nil, err
	}
	var copied int
	var failed error
	if err := conn.Control(func(fd uintptr) { copied, failed = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0) }); err != nil {
		return nil, err
	}
	if failed != nil {
		return nil, failed
	}
	return os.NewFile(uintptr(copied), f.Name()), nil
}

// blocking makes reading and writing a file wait, as programs expect: what Go opened for itself may not.
func blocking(f *os.File) {
	if conn, err := f.SyscallConn(); err == nil {
		conn.Control(func(fd uintptr) { syscall.SetNonblock(int(fd), false) })
	}
}
