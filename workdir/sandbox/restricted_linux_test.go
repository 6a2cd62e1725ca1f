package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// restrictions are systems that lack something, made by filters: the calls that fail, and what then holds a box, if this
// system has it; nothing if there must be no box.
var restrictions = []struct {
	name   string
	filter func(p *program)
	held   Mechanisms
}{
	{"nothing", func(*program) {}, Mounts | Processes | Networks | Landlock | Seccomp | Capabilities},
	{"namespaces are for administrators", fails(unix.SYS_CLONE, unix.CLONE_NEWUSER, unix.EPERM), Landlock | Seccomp | Capabilities},
	{"no namespaces are left", fails(unix.SYS_CLONE, unix.CLONE_NEWUSER, unix.ENOSPC), Landlock | Seccomp | Capabilities},
	{"no process for the moment", fails(unix.SYS_CLONE, unix.CLONE_NEWUSER, unix.EAGAIN), 0},
	{"mounts are for administrators", fails(unix.SYS_MOUNT, 0, unix.EACCES), Networks | Landlock | Seccomp | Capabilities},
	{"before Linux 5.12", fails(unix.SYS_MOUNT_SETATTR, 0, unix.ENOSYS), Mounts | Processes | Networks | Landlock | Seccomp | Capabilities},
	{"no Landlock", fails(unix.SYS_LANDLOCK_CREATE_RULESET, 0, unix.ENOSYS), Mounts | Processes | Networks | Seccomp | Capabilities},
	{"no filters", fails(unix.SYS_SECCOMP, 0, unix.EPERM), Mounts | Processes | Networks | Landlock | Capabilities},
	{"no system call that sets attributes works", fails(unix.SYS_MOUNT_SETATTR, 0, unix.EPERM), 0},
}

// fails lets a system call with one of the given bits in its first argument fail, or always if there are none.
func fails(number, bits uint32, err unix.Errno) func(p *program) {
	return func(p *program) {
		if bits == 0 {
			p.when(unix.BPF_JEQ, number, refuse(err))
			return
		}
		p.call(number, func(p *program) {
			p.load(callArgs)
			p.when(unix.BPF_JSET, bits, refuse(err))
		})
	}
}

// A box holds what the system lets it hold, says so, and is never weaker for a failure that may pass.
func TestRestrictedSystems(t *testing.T) {
	if name := os.Getenv("RESTRICTED"); name != "" {
		restricted(t, name)
		return
	}
	for _, r := range restrictions {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run=^TestRestrictedSystems$", "-test.v")
			cmd.Env = append(os.Environ(), "RESTRICTED="+r.name)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// restricted runs a command in a box on such a system.
func restricted(t *testing.T, name string) {
	dir, other := t.TempDir(), t.TempDir()
	write(t, other+"/secret", secret, 0o644)
	full, err := box(t, dir).Holds(t.Context(), &Limits{})
	if err != nil {
		t.Fatal(err)
	}
	b := box(t, dir)
	for _, r := range restrictions {
		if r.name != name {
			continue
		}
		restrict(t, r.filter)
		l := &Limits{Write: []string{dir}, Hide: []string{other + "/secret"}}
		held, err := b.Holds(t.Context(), l)
		if want := r.held & full; err == nil && r.held != 0 && held != want {
			t.Errorf("the box is held by %v, want %v", held, want)
		}
		var out strings.Builder
		text := fmt.Sprintf("exec 2>&1; echo in >f; cat f; echo x >%s/f; cat %[1]s/secret; echo to >/dev/null; echo $?", other)
		_, err = b.Run(t.Context(), Cmd{Text: text, Limits: l, Stdout: &out})
		switch got := out.String(); {
		case r.held == 0:
			if err == nil {
				t.Errorf("it ran: %q", got)
			}
			t.Log(err)
		case err != nil:
			t.Error(err)
		case !strings.HasPrefix(got, "in\n") || !strings.HasSuffix(got, "0\n") || strings.Contains(got, secret):
			t.Errorf("%q", got)
		}
		if _, err := os.Stat(other + "/f"); err == nil {
			t.Error("it wrote outside")
		}
	}
}

// restrict puts this process and what it starts behind a filter.
func restrict(t *testing.T, filter func(*program)) {
	var p program
	p.load(callNumber)
	p.when(unix.BPF_JEQ, unix.SYS_CLONE3, refuse(unix.ENOSYS))
	filter(&p)
	p.answer(unix.SECCOMP_RET_ALLOW)
	prog := unix.SockFprog{Len: uint16(len(p)), Filter: &p[0]}
	if os.Getuid() != 0 {
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog))); err != 0 {
		t.Fatal(err)
	}
}
