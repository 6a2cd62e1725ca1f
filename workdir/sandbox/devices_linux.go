package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// devices are what programs find in /dev, beside terminals of their own.
var devices = [...]string{"null", "zero", "full", "random", "urandom", "tty"}

// deviceLinks are the links that programs look for there.
var deviceLinks = [...][2]string{
	{"ptmx", "pts/ptmx"}, {"fd", "/proc/self/fd"}, {"stdin", "/proc/self/fd/0"}, {"stdout", "/proc/self/fd/1"}, {"stderr", "/proc/self/fd/2"},
}

// What is mounted over files and directories that cannot be read: empty ones of /dev.
const (
	noFile = "/dev/.nothing"
	noDir  = "/dev/.none"
)

// staging is any directory in which a new /dev can be set up.
const staging = "/proc"

// isolateDevices mounts a /dev with nothing but what every program may use: no disks, no terminals of others. If it
// fails, the old one stays.
func isolateDevices() error {
	if err := unix.Mount("tmpfs", staging, "tmpfs", unix.MS_NOSUID|unix.MS_NOEXEC, "mode=755,size=64k"); err != nil {
		return err
	}
	if err := makeDevices(); err != nil {
		unix.Unmount(staging, unix.MNT_DETACH)
		return err
	}
	// Programs that need no terminal and no shared memory do without.
	_ = unix.Mount("devpts", "/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620")
	_ = mountShared()
	return nil
}

// sharedMemory is where programs share memory, each box its own. That of the machine stays mounted below it.
const sharedMemory = "/dev/shm"

func mountShared() error {
	return unix.Mount("tmpfs", sharedMemory, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777,size=64m")
}

// showShared shows what lies in the shared memory of the machine, as a work directory may that is to be fast, in that of the box
// too.
func showShared(paths []string) error {
	paths = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(paths))), func(path string) bool {
		_, ok := within(path, sharedMemory)
		return !ok
	})
	if len(paths) == 0 {
		return nil
	}
	if err := unix.Unmount(sharedMemory, unix.MNT_DETACH); err != nil {
		return err
	}
	trees := make([]int, len(paths))
	for i, path := range paths {
		var err error
		if trees[i], err = unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE); err != nil {
			return err
		}
		defer unix.Close(trees[i])
	}
	if err := mountShared(); err != nil {
		return err
	}
	for i, path := range paths {
		if err := makePoint(path, trees[i]); err != nil {
			return err
		}
		if err := unix.MoveMount(trees[i], "", unix.AT_FDCWD, path, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
			return err
		}
	}
	return nil
}

func makeDevices() error {
	if err := os.WriteFile(staging+noFile[len("/dev"):], nil, 0); err != nil {
		return err
	}
	for _, name := range devices {
		at := staging + "/" + name
		if err := os.WriteFile(at, nil, 0o600); err != nil {
			return err
		}
		if err := unix.Mount("/dev/"+name, at, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, dir := range [...]string{"/pts", "/shm", noDir[len("/dev"):]} {
		if err := os.Mkdir(staging+dir, 0o755); err != nil {
			return err
		}
	}
	_ = unix.Mount(sharedMemory, staging+"/shm", "", unix.MS_BIND, "")
	for _, link := range deviceLinks {
		if err := os.Symlink(link[1], staging+"/"+link[0]); err != nil {
			return err
		}
	}
	return unix.Mount(staging, "/dev", "", unix.MS_MOVE, "")
}

// makePoint makes a file or a directory for a tree to be mounted at.
func makePoint(path string, tree int) error {
	var st unix.Stat_t
	if err := unix.Fstat(tree, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		return os.MkdirAll(path, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, nil, 0o600)
}
