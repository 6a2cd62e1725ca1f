package sandbox

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

const separators = `/\:`

// programAttr keeps a program from getting the Ctrl-C that is meant for tricode.
func programAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

func adopt() {}

// tree is the job that a program is in with all that it starts; the system ends them when the last handle of
// the job is closed, so also when tricode ends.
type tree struct{ job windows.Handle }

// grow puts the program into a job. Where that fails, only the program itself can be ended.
func (p *process) grow() {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		_ = p.os.WithHandle(func(handle uintptr) { err = windows.AssignProcessToJobObject(job, windows.Handle(handle)) })
	}
	if err != nil {
		windows.CloseHandle(job)
		return
	}
	p.tree.job = job
}

func (p *process) terminate() { p.kill() } // there is no signal that asks

func (p *process) kill() {
	if p.tree.job != 0 {
		windows.TerminateJobObject(p.tree.job, 1)
		return
	}
	p.os.Kill()
}

// await waits for the program to end.
func (p *process) await() *os.ProcessState {
	state, _ := p.os.Wait()
	return state
}

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
