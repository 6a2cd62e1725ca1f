package sandbox

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// self is this program as it was started, whatever has taken its place on disk since.
func self() (string, error) { return "/proc/self/exe", nil }

// namespaces are those that hold a box.
const namespaces = Mounts | Processes | Networks

// spaceless are the errors with which a system says that it has no namespaces for this user (clone(2)); all others
// pass, and are no reason to do without.
var spaceless = [...]error{unix.EPERM, unix.EACCES, unix.EINVAL, unix.ENOSYS, unix.ENOSPC, unix.EUSERS}

// spacedAttrs are the ways to start a helper in namespaces of its own, the best first.
func spacedAttrs(spaces Mechanisms) []*syscall.SysProcAttr {
	flags := uintptr(unix.CLONE_NEWUSER)
	for space, flag := range map[Mechanisms]uintptr{
		Mounts: unix.CLONE_NEWNS, Networks: unix.CLONE_NEWNET,
		Processes: unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWNS, // with a /proc of their own
	} {
		if spaces.Has(space) {
			flags |= flag
		}
	}
	uid, gid := os.Getuid(), os.Getgid()
	one := func(id int) []syscall.SysProcIDMap {
		return []syscall.SysProcIDMap{{ContainerID: id, HostID: id, Size: 1}}
	}
	attr := func(uids, gids []syscall.SysProcIDMap, groups bool) *syscall.SysProcAttr {
		a := programAttr()
		a.Cloneflags, a.UidMappings, a.GidMappings, a.GidMappingsEnableSetgroups = flags, uids, gids, groups
		// An ordinary user has these until it starts a program, unless they are ambient. The last one is for overlays, whose own
		// directory is closed to everybody.
		a.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SYS_RESOURCE, unix.CAP_DAC_OVERRIDE}
		return a
	}
	attrs := []*syscall.SysProcAttr{attr(one(uid), one(gid), false)}
	if uid == 0 { // files of all users stay what they are for root
		attrs = append([]*syscall.SysProcAttr{attr(knownUsers(), knownGroups(), true)}, attrs...)
	}
	return attrs
}

var (
	knownUsers  = sync.OnceValue(func() []syscall.SysProcIDMap { return knownIDs("/proc/self/uid_map") })
	knownGroups = sync.OnceValue(func() []syscall.SysProcIDMap { return knownIDs("/proc/self/gid_map") })
)

// knownIDs maps all users or groups that this process knows to themselves (user_namespaces(7)). They stay the same.
func knownIDs(file string) (ids []syscall.SysProcIDMap) {
	text, _ := os.ReadFile(file)
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var inside, outside, size int
		if _, err := fmt.Sscan(lines.Text(), &inside, &outside, &size); err == nil {
			ids = append(ids, syscall.SysProcIDMap{ContainerID: inside, HostID: inside, Size: size})
		}
	}
	return ids
}

// userSpace names the user namespace of this process (namespaces(7)).
func userSpace() string {
	name, _ := os.Readlink("/proc/self/ns/user")
	return name
}

// loopback switches the network of this machine with itself on, which a network namespace begins without (netdevice(7)).
func loopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request)
}

// enclosed is how a helper is started; it closes its box itself.
func enclosed(_ *Limits, _, name string, args []string) (string, []string) { return name, args }

// waits reports whether a helper can be started before it is known what its box is.
func waits(*Limits) bool { return true }

// standing names the file at a path, another one when something takes its place; ok is false if there is none. The number
// of a file that is gone may come again, but not the time when it was made (statx(2)).
func standing(path string) (file string, ok bool) {
	var st unix.Statx_t
	switch unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_INO|unix.STATX_BTIME, &st) {
	case nil:
	case unix.ENOENT, unix.ENOTDIR:
		return "", false
	default:
		_, err := os.Lstat(path) // where there is no such call
		return "", err == nil
	}
	return fmt.Sprint(st.Dev_major, st.Dev_minor, st.Ino, st.Btime.Sec, st.Btime.Nsec), true
}
