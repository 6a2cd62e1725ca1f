package sandbox

import (
	"fmt"
	"os"

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
	_ = unix.Mount("tmpfs", "/dev/shm", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777,size=64m")
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
	for _, link := range deviceLinks {
		if err := os.Symlink(link[1], staging+"/"+link[0]); err != nil {
			return err
		}
	}
	return unix.Mount(staging, "/dev", "", unix.MS_MOVE, "")
}
