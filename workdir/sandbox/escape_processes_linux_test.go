package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// address is where a test's memory lies.
func address(memory *[8]byte) uint64 { return uint64(uintptr(unsafe.Pointer(memory))) }

// spaced runs a shell with all rights in namespaces of its own.
func spaced(script string, more uintptr, args ...string) error {
	cmd := exec.Command("/bin/sh", append([]string{"-c", script, "sh"}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS | more,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w %s", err, out)
	}
	return nil
}

// spaceAttacks change what programs see of the system.
func spaceAttacks() []attack {
	return []attack{
		{name: "file after a mount", apart: true, visible: world.changed, try: func(w world) error {
			return errors.Join(unix.Mount(w.outside(""), w.dir("sub"), "", unix.MS_BIND, ""), overwrites(w.dir("sub/file")))
		}},
		{name: "file after mounting it writable", apart: true, visible: world.changed, try: func(w world) error {
			return errors.Join(unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND, ""), overwrites(w.outside("file")))
		}},
		{name: "file after setting mounts writable", apart: true, visible: world.changed, try: func(w world) error {
			return errors.Join(setMounts("/", 0, unix.MOUNT_ATTR_RDONLY), overwrites(w.outside("file")))
		}},
		{name: "file in a tree", apart: true, visible: world.changed, try: func(w world) error {
			fd, err := unix.OpenTree(unix.AT_FDCWD, w.outside(""), unix.OPEN_TREE_CLONE)
			if err != nil {
				return err
			}
			err = unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY})
			return errors.Join(err, overwrites(fmt.Sprint("/proc/self/fd/", fd, "/file")))
		}},
		{name: "file in new namespaces", apart: true, visible: world.changed, try: func(w world) error {
			return spaced(`mount -o remount,bind,rw / || mount --bind "$1" "$2" && mount -o remount,bind,rw "$2"; echo changed >"$1"/file`, 0, w.outside(""), w.dir("sub"))
		}},
		{name: "file in the namespaces of the parent", apart: true, visible: world.changed, try: func(w world) error {
			runtime.LockOSThread()
			fd, err := unix.Open(fmt.Sprint("/proc/", w.Parent, "/ns/mnt"), unix.O_RDONLY, 0)
			if err != nil {
				return err
			}
			return errors.Join(unix.Unshare(unix.CLONE_FS), unix.Setns(fd, unix.CLONE_NEWNS), overwrites(w.outside("file")))
		}},
		{name: "file after a change of root", apart: true, visible: world.changed, try: func(w world) error {
			return errors.Join(unix.Chroot(w.outside("")), overwrites("/file"))
		}},
		{name: "secret after unmounting what hides it", apart: true, try: func(w world) error {
			err := errors.Join(unix.Unmount(w.Home+"/.netrc", unix.MNT_DETACH), reads(w.Home+"/.netrc"))
			if reads(w.Home+"/.netrc") == nil {
				return nil
			}
			return err
		}},
		{name: "secret in new namespaces", apart: true, try: func(w world) error {
			return spaced(`umount "$1"; mount --bind "$2" "$3"; test "$(cat "$1")" = "`+secret+`" || test "$(cat "$3/.netrc")" = "`+secret+`"`, 0,
				w.Home+"/.netrc", w.Home, w.dir("sub"))
		}},
		{name: "protected in new namespaces", apart: true, visible: world.repainted, try: func(w world) error {
			return spaced(`umount "$1"; mount -o remount,bind,rw "$1"; echo x >"$1"/config`, 0, w.dir("sub/.git"))
		}},
		{name: "system settings", try: func(world) error { return closes(unix.Open("/proc/sys/kernel/hostname", unix.O_WRONLY, 0)) }},
		{name: "system memory", try: func(world) error {
			return closes(unix.Open("/sys/kernel/mm/transparent_hugepage/enabled", unix.O_WRONLY, 0))
		}},
		{name: "system request", try: func(world) error { return closes(unix.Open("/proc/sysrq-trigger", unix.O_WRONLY, 0)) }},
		{name: "system control groups", try: func(w world) error { return groups("/sys/fs/cgroup") }},
		{name: "system control groups in new namespaces", apart: true, try: func(w world) error {
			if err := os.Mkdir(w.dir("groups"), 0o700); err != nil {
				return err
			}
			return spaced(`mount -t cgroup2 none "$1" && mkdir "$1"/tricode-escape && rmdir "$1"/tricode-escape`, unix.CLONE_NEWCGROUP, w.dir("groups"))
		}},
		{name: "system name", try: func(world) error {
			name, err := os.Hostname()
			return errors.Join(err, unix.Sethostname([]byte(name)))
		}},
		{name: "system disk", try: func(w world) error { return unix.Mknod(w.dir("disk"), unix.S_IFBLK|0o600, int(unix.Mkdev(254, 0))) }},
		{name: "system device", try: func(w world) error { return unix.Mknod(w.dir("device"), unix.S_IFCHR|0o600, int(unix.Mkdev(1, 1))) }},
		{name: "file shared in memory", visible: func(w world) bool { return os.Remove("/dev/shm/"+w.mark()) == nil }, try: func(w world) error {
			return os.WriteFile("/dev/shm/"+w.mark(), nil, 0o600)
		}},
	}
}

// mark is a name that nobody else uses.
func (w world) mark() string { return "tricode-" + filepath.Base(filepath.Dir(w.Dir)) }

// groups is an attempt to make a control group below a directory.
func groups(top string) error {
	err := os.ErrNotExist
	for _, pattern := range []string{"", "/*"} {
		dirs, _ := filepath.Glob(top + pattern)
		for _, dir := range dirs {
			if err = os.Mkdir(dir+"/tricode-escape", 0o700); err == nil {
				return os.Remove(dir + "/tricode-escape")
			}
		}
	}
	return err
}

// processAttacks reach into other processes.
func processAttacks() []attack {
	ptrace := func(pid int) error {
		runtime.LockOSThread()
		if _, _, err := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(pid), 0, 0, 0, 0); err != 0 {
			return err
		}
		return nil
	}
	write := func(pid int, address uint64) error {
		var text [8]byte
		copy(text[:], "changed")
		local := []unix.Iovec{{Base: &text[0], Len: 8}}
		_, err := unix.ProcessVMWritev(pid, local, []unix.RemoteIovec{{Base: uintptr(address), Len: 8}}, 0)
		return err
	}
	steal := func(pid, file int) error {
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			return err
		}
		_, err = unix.PidfdGetfd(fd, file, 0)
		return err
	}
	return []attack{
		{name: "trace the parent", apart: true, try: func(w world) error { return ptrace(w.Parent) }},
		{name: "trace another", apart: true, try: func(w world) error { return ptrace(w.Victim) }},
		{name: "trace the helper", apart: true, try: func(w world) error { return ptrace(w.Helper) }},
		{name: "memory of the parent", visible: func(w world) bool { return w.seen.memory[0] != 0 }, try: func(w world) error { return write(w.Parent, w.Address) }},
		{name: "memory of the parent as a file", try: func(w world) error { return closes(unix.Open(fmt.Sprint("/proc/", w.Parent, "/mem"), unix.O_RDWR, 0)) }},
		{name: "memory of the helper as a file", try: func(w world) error {
			return closes(unix.Open(fmt.Sprint("/proc/", w.Helper, "/mem"), unix.O_RDWR, 0))
		}},
		{name: "files of the parent", try: func(w world) error { return steal(w.Parent, w.File) }},
		{name: "files of the helper", try: func(w world) error { return steal(w.Helper, 3) }},
		{name: "environment of the parent", try: func(w world) error { _, err := os.ReadFile(fmt.Sprint("/proc/", w.Parent, "/environ")); return err }},
		{name: "signal to the parent", try: func(w world) error { return unix.Kill(w.Parent, unix.SIGCONT) }},
		{name: "signal to another", try: func(w world) error { return unix.Kill(w.Victim, unix.SIGCONT) }},
		{name: "limits of the parent", try: func(w world) error {
			var limit unix.Rlimit
			return unix.Prlimit(w.Parent, unix.RLIMIT_CORE, nil, &limit)
		}},
		{name: "shared memory", try: func(w world) error { _, err := unix.SysvShmAttach(w.Shared, 0, 0); return err }},
		{name: "keys", try: func(world) error { _, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_SESSION_KEYRING, false); return err }},
		{name: "io_uring", try: func(world) error {
			var params [120]byte
			fd, _, err := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&params)), 0)
			if err != 0 {
				return err
			}
			return unix.Close(int(fd))
		}},
		{name: "terminal read", try: func(w world) error { return closes(unix.Open(w.Terminal, unix.O_RDONLY|unix.O_NOCTTY, 0)) }},
		{name: "terminal typed into", apart: true, try: func(w world) error {
			fd, err := unix.Open(w.Terminal, unix.O_RDONLY, 0)
			if err != nil {
				return err
			}
			char := byte('x')
			if _, _, err := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.TIOCSTI, uintptr(unsafe.Pointer(&char))); err != 0 {
				return err
			}
			return nil
		}},
	}
}
