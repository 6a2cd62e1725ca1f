package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// devices are what programs find in /dev, beside terminals of their own.
var devices = [...]string{"null", "zero", "full", "random", "urandom", "tty"}

// isolateMounts takes the mounts of this process out of everybody else's sight and gives it a /dev and a /proc of its
// own. It needs a mount namespace.
func isolateMounts() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	if err := isolateDevices(); err != nil {
		return fmt.Errorf("/dev: %w", err)
	}
	// Inside a container that hides parts of /proc the kernel allows no new one. The old one shows other processes then,
	// but not what is theirs, which the user namespace keeps away.
	_ = unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, "")
	return nil
}

// isolateDevices mounts a /dev with nothing but what every program may use: no disks, no terminals of others.
func isolateDevices() error {
	open := make([]int, len(devices))
	for i, name := range devices {
		fd, err := unix.OpenTree(unix.AT_FDCWD, "/dev/"+name, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		open[i] = fd
	}
	if err := unix.Mount("tmpfs", "/dev", "tmpfs", unix.MS_NOSUID|unix.MS_NOEXEC, "mode=755,size=64k"); err != nil {
		return err
	}
	for i, name := range devices {
		if err := os.WriteFile("/dev/"+name, nil, 0o600); err != nil {
			return err
		}
		if err := unix.MoveMount(open[i], "", unix.AT_FDCWD, "/dev/"+name, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
			return err
		}
	}
	for _, dir := range [...]string{"pts", "shm", nothing} {
		if err := os.Mkdir("/dev/"+dir, 0o755); err != nil {
			return err
		}
	}
	for name, target := range map[string]string{
		"ptmx": "pts/ptmx", "fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2",
	} {
		if err := os.Symlink(target, "/dev/"+name); err != nil {
			return err
		}
	}
	if err := os.WriteFile("/dev/"+nothing+"/file", nil, 0); err != nil {
		return err
	}
	// Programs that need no terminal and no shared memory do without.
	_ = unix.Mount("devpts", "/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620")
	_ = unix.Mount("tmpfs", "/dev/shm", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777,size=64m")
	return nil
}

// nothing is what is mounted over what cannot be read: a directory of /dev with an empty file.
const nothing = ".nothing"

// closeMounts makes everything read-only but what l says and the temporary directory, and hides what l hides.
func closeMounts(l *Limits, dir, temp string) error {
	writable := existing(slices.Concat(l.Write, []string{temp}))
	if l.Overlay != "" {
		if err := mountOverlay(dir, l.Overlay); err != nil {
			return err
		}
	}
	for _, path := range writable {
		if err := unix.Mount(path, path, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := setMounts("/", unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID, 0); err != nil {
		return err
	}
	for _, path := range append(writable, "/dev/shm") {
		if err := unlockMount(path); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	for _, path := range existing(l.Protect) {
		if err := unix.Mount(path, path, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := setMounts(path, unix.MOUNT_ATTR_RDONLY, 0); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	for _, path := range existing(l.Hide) {
		if err := hide(path); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// existing returns the paths that exist, those that contain others first.
func existing(paths []string) []string {
	found := slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		var st unix.Stat_t
		return unix.Lstat(path, &st) != nil || st.Mode&unix.S_IFMT == unix.S_IFLNK
	})
	slices.SortFunc(found, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	return slices.Compact(found)
}

// setMounts sets and clears attributes of the mount at a path and of all below it.
func setMounts(path string, set, clear uint64) error {
	return unix.MountSetattr(unix.AT_FDCWD, path, unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: set, Attr_clr: clear})
}

// unlockMount lets a directory be written again. What was mounted read-only below it before stays so, which the kernel
// sees to.
func unlockMount(path string) error {
	err := setMounts(path, 0, unix.MOUNT_ATTR_RDONLY)
	if errors.Is(err, unix.EPERM) {
		err = unix.MountSetattr(unix.AT_FDCWD, path, 0, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY})
	}
	return err
}

// hide puts nothing over a file or a directory.
func hide(path string) error {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return err
	}
	over := "/dev/" + nothing
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		over += "/file"
	}
	return unix.Mount(over, path, "", unix.MS_BIND, "")
}

// mountOverlay lets what is written to dir go to another directory instead.
func mountOverlay(dir, to string) error {
	upper, work := filepath.Join(to, "upper"), filepath.Join(to, "work")
	for _, path := range [...]string{upper, work} {
		if err := os.Mkdir(path, 0o700); err != nil {
			return err
		}
	}
	fs, err := unix.Fsopen("overlay", unix.FSOPEN_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(fs)
	for _, option := range [...][2]string{{"lowerdir", dir}, {"upperdir", upper}, {"workdir", work}} { // no need to quote them here
		if err := unix.FsconfigSetString(fs, option[0], option[1]); err != nil {
			return fmt.Errorf("overlay: %w", err)
		}
	}
	if err := unix.FsconfigSetFlag(fs, "userxattr"); err != nil {
		return fmt.Errorf("overlay: %w", err)
	}
	if err := unix.FsconfigCreate(fs); err != nil {
		return fmt.Errorf("overlay: %w", err)
	}
	mount, err := unix.Fsmount(fs, unix.FSMOUNT_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("overlay: %w", err)
	}
	defer unix.Close(mount)
	return unix.MoveMount(mount, "", unix.AT_FDCWD, dir, unix.MOVE_MOUNT_F_EMPTY_PATH)
}
