package sandbox

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// mount is a line of mountinfo (proc_pid_mountinfo(5)).
type mount struct {
	device string // of the file system
	root   string // what of the file system it shows
	point  string // where
	flags  uintptr
}

// mountFlags are the options of mountinfo that mount(2) must be given again.
var mountFlags = map[string]uintptr{
	"ro": unix.MS_RDONLY, "nosuid": unix.MS_NOSUID, "nodev": unix.MS_NODEV, "noexec": unix.MS_NOEXEC,
	"noatime": unix.MS_NOATIME, "nodiratime": unix.MS_NODIRATIME, "relatime": unix.MS_RELATIME, "nosymfollow": unix.MS_NOSYMFOLLOW,
}

// mountTable lists what is mounted, what lies on top of others last.
func mountTable() ([]mount, error) {
	text, err := os.ReadFile("/proc/self/mountinfo")
	return parseMounts(text), err
}

func parseMounts(text []byte) (mounts []mount) {
	for line := range bytes.Lines(text) {
		fields := strings.Fields(string(line))
		if len(fields) < 6 {
			continue
		}
		m := mount{device: fields[2], root: unescapeMount(fields[3]), point: unescapeMount(fields[4])}
		for option := range strings.SplitSeq(fields[5], ",") {
			m.flags |= mountFlags[option]
		}
		mounts = append(mounts, m)
	}
	return mounts
}

// unescapeMount undoes the octal escapes of mountinfo.
func unescapeMount(s string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, `\`)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		code, err := strconv.ParseUint(after[:min(3, len(after))], 8, 8)
		if err != nil || len(after) < 3 {
			b.WriteByte('\\')
			s = after
			continue
		}
		b.WriteByte(byte(code))
		s = after[3:]
	}
}

// within reports whether a path is a directory or lies in it, and where.
func within(path, dir string) (rest string, ok bool) {
	if dir == "/" {
		return path, true
	}
	rest, ok = strings.CutPrefix(path, dir)
	return rest, ok && (rest == "" || rest[0] == '/')
}

// everywhere adds to paths where else the same files can be seen: below other mounts of their file systems.
func everywhere(paths []string, mounts []mount) []string {
	for _, path := range slices.Clone(paths) {
		own := holding(path, mounts)
		rest, _ := within(path, own.point)
		inside := filepath.Join(own.root, rest)
		for _, other := range mounts {
			if other.device != own.device || other.point == own.point {
				continue
			}
			if rest, ok := within(inside, other.root); ok {
				if alias := filepath.Join(other.point, rest); alias != path && sameFile(alias, path) {
					paths = append(paths, alias)
				}
			} else if _, ok := within(other.root, inside); ok { // only a part of it
				paths = append(paths, other.point)
			}
		}
	}
	return paths
}

// holding is the mount that a path lies in.
func holding(path string, mounts []mount) (m mount) {
	for _, other := range mounts {
		if _, ok := within(path, other.point); ok && len(other.point) >= len(m.point) {
			m = other
		}
	}
	return m
}

// setMounts sets and clears attributes of the mount at a path and of all below it.
func setMounts(path string, set, clear uint64) error {
	err := unix.MountSetattr(unix.AT_FDCWD, path, unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: set, Attr_clr: clear})
	if errors.Is(err, unix.ENOSYS) {
		err = remount(path, uintptr(set), uintptr(clear))
	}
	return err
}

// remount does what setMounts does before Linux 5.12. The flags of both calls have the same values as far as they are
// used here. What this process cannot reach, programs in its box cannot either.
func remount(path string, set, clear uintptr) error {
	mounts, err := mountTable()
	if err != nil {
		return err
	}
	for _, m := range mounts {
		if _, ok := within(m.point, path); !ok {
			continue
		}
		flags := unix.MS_REMOUNT | unix.MS_BIND | m.flags&^clear | set
		switch err := unix.Mount("", m.point, "", flags, ""); err {
		case nil, unix.ENOENT, unix.EACCES, unix.ENOTDIR:
		case unix.EPERM:
			if m.point == path || clear == 0 { // what is mounted below stays as it is
				return err
			}
		default:
			return err
		}
	}
	return nil
}
