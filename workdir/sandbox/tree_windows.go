package sandbox

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

const separators = `/\:`

// readNow has nothing to read: reading a pipe does not expire here.
func readNow(uintptr, []byte) int { return 0 }

// programAttr keeps a program from getting the Ctrl-C that is meant for tricode.
func programAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

func adopt() {}

func closeInherited() {}

// tree is a program with what it starts: a job, which the system ends when its last handle is closed, so also when
// tricode ends. Where there is none, only the program itself can be ended.
type tree struct {
	program *os.Process
	job     windows.Handle
}

func newTree(p *os.Process) tree {
	t := tree{program: p}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return t
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		if e := p.WithHandle(func(h uintptr) { err = windows.AssignProcessToJobObject(job, windows.Handle(h)) }); e != nil {
			err = e
		}
	}
	if err != nil {
		windows.CloseHandle(job)
		return t
	}
	t.job = job
	return t
}

func (t tree) terminate() { t.kill() } // there is no signal that asks

func (t tree) kill() {
	if t.job != 0 {
		windows.TerminateJobObject(t.job, 1)
		return
	}
	t.program.Kill()
}

// await waits for the program to end.
func (p *process) await() *os.ProcessState {
	state, _ := p.os.Wait()
	return state
}

// sweep lets go of the job, which is empty.
func (p *process) sweep() {
	if p.tree.job != 0 {
		windows.CloseHandle(p.tree.job)
	}
}

func exitStatus(state *os.ProcessState) int {
	if state == nil {
		return 1
	}
	return state.ExitCode()
}
