package sandbox

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"
)

// refused are the system calls that no program in a box needs: those that change what it sees of the system, those
// that go round the other checks, and those that are only for administrators.
var refused = [...]uint32{
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT,
	unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_OPEN_TREE_ATTR, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT,
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, // makes calls that no filter sees
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_REBOOT,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SYSLOG, unix.SYS_VHANGUP,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
}

// lookingIn are the system calls by which a program reaches into others of the same user; debuggers need them.
var lookingIn = [...]uint32{
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP,
}

// lastCall is the newest system call that was looked at; those that come after it are refused.
const lastCall = unix.SYS_RSEQ_SLICE_YIELD

// newSpaces are the flags of clone(2) that make namespaces.
const newSpaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER |
	unix.CLONE_NEWPID | unix.CLONE_NEWNET

// The offsets in what a filter looks at (struct seccomp_data of linux/seccomp.h); of arguments, their lower halves.
const (
	callNumber  = 0
	callMachine = 4
	callArgs    = 16
)

// program is a filter in the language of the kernel (seccomp(2)).
type program []unix.SockFilter

// load takes a word of what the filter looks at.
func (p *program) load(offset uint32) { p.add(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, offset) }

func (p *program) add(code uint16, k uint32) { *p = append(*p, unix.SockFilter{Code: code, K: k}) }

// answer ends the filter.
func (p *program) answer(what uint32) { p.add(unix.BPF_RET|unix.BPF_K, what) }

// when answers if the word compares so to k; otherwise the filter goes on.
func (p *program) when(compare uint16, k, what uint32) {
	*p = append(*p, unix.SockFilter{Code: unix.BPF_JMP | compare | unix.BPF_K, K: k, Jf: 1})
	p.answer(what)
}

// call says what comes of a system call whose number is in the word: then answers, or falls through to allow. The word
// is lost for what is in then, not for what follows.
func (p *program) call(number uint32, then func(*program)) {
	var body program
	then(&body)
	body.answer(unix.SECCOMP_RET_ALLOW)
	*p = append(*p, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: number, Jf: uint8(len(body))})
	*p = append(*p, body...)
}

func refuse(err unix.Errno) uint32 { return unix.SECCOMP_RET_ERRNO | uint32(err) }

// newFilter makes the filter of a box that the others hold already.
func newFilter(l *Limits, held Mechanisms) program {
	var p program
	deny := refuse(unix.EPERM)
	p.load(callMachine)
	p = append(p, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: machine, Jt: 1})
	p.answer(deny) // calls in the manner of another machine
	p.load(callNumber)
	p.when(unix.BPF_JGT, lastCall, refuse(unix.ENOSYS)) // also the calls of x32, which libraries do without
	filterModes(&p)
	p.call(unix.SYS_SOCKET, func(p *program) { filterSockets(p, l, held) })
	p.call(unix.SYS_SOCKETPAIR, func(p *program) { filterPairs(p, l, held) })
	p.call(unix.SYS_CLONE, func(p *program) {
		p.load(callArgs)
		p.when(unix.BPF_JSET, newSpaces, deny)
	})
	// What these are to do cannot be seen; libraries use clone and openat instead.
	p.when(unix.BPF_JEQ, unix.SYS_CLONE3, refuse(unix.ENOSYS))
	p.when(unix.BPF_JEQ, unix.SYS_OPENAT2, refuse(unix.ENOSYS))
	p.call(unix.SYS_IOCTL, func(p *program) {
		p.load(callArgs + 8)
		p.when(unix.BPF_JEQ, unix.TIOCSTI, deny) // types into a terminal
		p.when(unix.BPF_JEQ, tiocLinux, deny)
	})
	for _, number := range refused {
		p.when(unix.BPF_JEQ, number, deny)
	}
	filterProcesses(&p, held)
	p.answer(unix.SECCOMP_RET_ALLOW)
	return p
}

// filterModes lets nobody make a program that others would run with these rights (S_ISUID of inode(7)).
func filterModes(p *program) {
	deny := refuse(unix.EPERM)
	for number, flags := range openCalls {
		p.call(number, func(p *program) {
			p.load(callArgs + 8*flags)
			*p = append(*p, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: makesFile, Jt: 1})
			p.answer(unix.SECCOMP_RET_ALLOW)
			p.load(callArgs + 8*(flags+1))
			p.when(unix.BPF_JSET, unix.S_ISUID, deny)
		})
	}
	for number, mode := range modeCalls {
		p.call(number, func(p *program) {
			p.load(callArgs + 8*mode)
			p.when(unix.BPF_JSET, unix.S_ISUID, deny)
		})
	}
}

// filterProcesses keeps programs from others of the same user, as far as nothing else does.
func filterProcesses(p *program, held Mechanisms) {
	if held&(Processes|Landlock) == 0 {
		for _, number := range lookingIn {
			p.when(unix.BPF_JEQ, number, refuse(unix.EPERM))
		}
	}
	if !held.Has(Processes) {
		p.call(unix.SYS_PRLIMIT64, func(p *program) {
			p.load(callArgs)
			p.only(0) // the limits of the program itself
		})
	}
}

// only refuses everything but some values of the word.
func (p *program) only(values ...uint32) {
	for _, value := range values {
		p.when(unix.BPF_JEQ, value, unix.SECCOMP_RET_ALLOW)
	}
	p.answer(refuse(unix.EPERM))
}

// tiocLinux is TIOCLINUX of linux/tty.h, which pastes into a console.
const tiocLinux = 0x541c

// makesFile are the flags with which open(2) takes a mode: O_CREAT, and O_TMPFILE without O_DIRECTORY.
const makesFile = unix.O_CREAT | unix.O_TMPFILE&^unix.O_DIRECTORY

// filters reports whether the kernel takes filters (since Linux 4.14), and there is one for this machine.
func filters() bool {
	action := uint32(unix.SECCOMP_RET_ERRNO)
	_, _, err := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	return machine != 0 && err == 0
}

// filterCalls installs the filter on all threads of this process.
func filterCalls(l *Limits, held Mechanisms) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	filter := newFilter(l, held)
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	thread, _, err := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog)))
	switch {
	case err != 0:
		return err
	case thread != 0:
		return errors.New("a thread could not be held")
	}
	return nil
}
