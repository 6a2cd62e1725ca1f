package sandbox

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// programAttr gives a program a session of its own and lets it die with tricode. The system takes the end of the
// thread that started it for that, so no thread may end: whoever locks a goroutine to one must unlock it again.
func programAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// adopt makes this process the parent of all orphans of what it starts, so that they can be found (prctl(2)).
func adopt() { unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// closeInherited sees to it that programs get none of the files that this process was started with (close_range(2), since
// Linux 5.11 for this use).
func closeInherited() {
	if unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) == nil {
		return
	}
	entries, _ := os.ReadDir("/proc/self/fd")
	for _, entry := range entries {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}

// await waits for the program to end and leaves its id taken.
func (p *process) await() *os.ProcessState {
	for unix.Waitid(unix.P_PID, p.pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	return nil
}

const (
	sweepTime  = 5 * time.Second // how long a sweep may take: more than ending takes on a machine that is very busy
	sweepPause = time.Millisecond
)

// sweep ends what left the process group of a program that has ended. Such processes are orphans by now, so they
// are children of this process, and what they leave behind will be.
func (p *process) sweep() {
	for deadline := time.Now().Add(sweepTime); ; time.Sleep(sweepPause) {
		err := unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
		// What was killed in the group may not be gone yet, and its own children not ours.
		if err == unix.ECHILD || !p.killStrays() && unix.Kill(-p.pid, 0) != nil || time.Now().After(deadline) {
			return
		}
	}
}

// killStrays kills what it takes for p's, and reports whether there was any.
func (p *process) killStrays() (found bool) {
	family.Lock()
	defer family.Unlock()
	for _, pid := range children() {
		if family.live[pid] != nil {
			continue
		}
		session, dead, ok := stat(pid)
		switch {
		case !ok, session == ownSession(): // started by somebody else, programs have other sessions
			continue
		case dead, session == p.pid:
		default:
			strayed, unclear := p.strayed(pid, session)
			if found = found || unclear; !strayed {
				continue
			}
		}
		if !dead {
			unix.Kill(pid, unix.SIGKILL) // still a child, so the id is still its own
		}
		unix.Wait4(pid, nil, unix.WNOHANG, nil)
		found = true
	}
	return found
}

// strayed reports whether an orphan that made a session of its own comes from p: for sure if it still has p's mark
// in its environment, and if nothing else runs that it could come from. It is unclear while the orphan has no environment
// for a moment: it becomes another program, or ends.
func (p *process) strayed(pid, session int) (yes, unclear bool) {
	if family.live[session] != nil {
		return false, false
	}
	if !slices.ContainsFunc(slices.Collect(maps.Values(family.live)), func(p *process) bool { return p.begun.Load() }) {
		return true, false // helpers that wait have started nothing
	}
	env, err := readSome("/proc/" + strconv.Itoa(pid) + "/environ")
	if len(env) == 0 && (err == nil || errors.Is(err, unix.ESRCH)) {
		const begin, end = 50, 51 // where its environment lies
		fields := statOf(pid)
		return false, len(fields) > end-3 && (string(fields[end-3]) == "0" || !bytes.Equal(fields[begin-3], fields[end-3]))
	}
	return bytes.Contains(env, []byte(p.mark+"\x00")), false
}

// children are the children of the main thread, to which the system gives all orphans (proc_pid_children(5)).
func children() []int {
	pid := strconv.Itoa(os.Getpid())
	list, _ := readSome("/proc/" + pid + "/task/" + pid + "/children")
	var pids []int
	for field := range bytes.FieldsSeq(list) {
		if pid, err := strconv.Atoi(string(field)); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// stat returns the session of a process and whether it is a zombie.
func stat(pid int) (session int, dead, ok bool) {
	fields := statOf(pid)
	if len(fields) < 4 {
		return 0, false, false
	}
	session, err := strconv.Atoi(string(fields[3]))
	return session, fields[0][0] == 'Z', err == nil
}

// statOf are the fields of a process (proc_pid_stat(5)), from the third one on: state, parent, process group, session …
func statOf(pid int) [][]byte {
	line, err := readSome("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return nil
	}
	return bytes.Fields(line[bytes.LastIndexByte(line, ')')+1:]) // the name stands in parentheses and may hold anything
}

func ownSession() int {
	sid, _ := unix.Getsid(0)
	return sid
}

// readSome reads a file of /proc, of which a program can make some as long as it likes.
func readSome(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 1<<20))
}
