package sandbox

import (
	"errors"
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// Gone reports whether a file of an overlay says that what stood there is gone: the device 0/0 (the kernel's overlayfs.rst,
// "whiteouts and opaque directories"). Programs cannot make one.
func Gone(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode().Type() == fs.ModeDevice|fs.ModeCharDevice && st.Rdev == 0
}

// Anew reports whether the directory of an overlay at a path stands in the place of the one below it, of which nothing
// shows through (overlayfs.rst, likewise).
func Anew(dir string) (bool, error) {
	var value [2]byte
	n, err := unix.Lgetxattr(dir, "user.overlay.opaque", value[:])
	if errors.Is(err, unix.ENODATA) {
		return false, nil
	}
	return err == nil && string(value[:n]) == "y", err
}
