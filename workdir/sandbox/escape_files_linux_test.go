package sandbox

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// fileAttacks change a file outside.
func fileAttacks() []attack {
	proc := func(w world, pid int, name string) error {
		return overwrites(fmt.Sprintf("/proc/%d/%s", pid, name))
	}
	list := []attack{
		{name: "file written", try: func(w world) error { return overwrites(w.outside("file")) }},
		{name: "file made", try: func(w world) error { return os.WriteFile(w.outside("new"), nil, 0o600) }},
		{name: "file cut", try: func(w world) error { return os.Truncate(w.outside("file"), 0) }},
		{name: "file removed", try: func(w world) error { return os.Remove(w.outside("file")) }},
		{name: "file directory made", try: func(w world) error { return os.Mkdir(w.outside("new"), 0o700) }},
		{name: "file directory removed", try: func(w world) error { return os.Remove(w.outside("empty")) }},
		{name: "file moved out", try: func(w world) error { return os.Rename(w.dir("file"), w.outside("file")) }},
		{name: "file moved in", try: func(w world) error { return os.Rename(w.outside("file"), w.dir("in")) }},
		{name: "file exchanged", try: func(w world) error {
			return unix.Renameat2(unix.AT_FDCWD, w.outside("file"), unix.AT_FDCWD, w.dir("file"), unix.RENAME_EXCHANGE)
		}},
		{name: "file linked out", try: func(w world) error { return os.Link(w.dir("file"), w.outside("new")) }},
		{name: "file linked in", try: func(w world) error {
			return errors.Join(os.Link(w.outside("file"), w.dir("in")), overwrites(w.dir("in")))
		}},
		{name: "file link made", try: func(w world) error { return os.Symlink("/", w.outside("new")) }},
		{name: "file pipe made", try: func(w world) error { return unix.Mkfifo(w.outside("new"), 0o600) }},
		{name: "file through a link", try: func(w world) error {
			return errors.Join(os.Symlink(w.outside("file"), w.dir("in")), overwrites(w.dir("in")))
		}},
		{name: "file through ..", try: func(w world) error {
			return overwrites("../outside/" + filepath.Base(w.outside("")) + "/file")
		}},
		{name: "file through the root of its process", try: func(w world) error { return overwrites("/proc/self/root" + w.outside("file")) }},
		{name: "file through the directory of its process", try: func(w world) error {
			return overwrites("/proc/self/cwd/../outside/" + filepath.Base(w.outside("")) + "/file")
		}},
		{name: "file through the root of the parent", try: func(w world) error { return proc(w, w.Parent, "root"+w.outside("file")) }},
		{name: "file through the directory of the parent", try: func(w world) error { return proc(w, w.Parent, "cwd/"+strings.Repeat("../", 20)+w.outside("file")) }},
		{name: "file through a file of the parent", try: func(w world) error { return proc(w, w.Parent, fmt.Sprint("fd/", w.File)) }},
		{name: "file through the root of the helper", try: func(w world) error { return proc(w, w.Helper, "root"+w.outside("file")) }},
		{name: "chmod", try: func(w world) error { return os.Chmod(w.outside("file"), 0o644) }},
		{name: "chown", try: func(w world) error { return os.Chown(w.outside("file"), 12345, 12345) }},
		{name: "utime", try: func(w world) error { return unix.Utimes(w.outside("file"), make([]unix.Timeval, 2)) }},
		{name: "setxattr", try: func(w world) error { return unix.Setxattr(w.outside("file"), "user.x", []byte("x"), 0) }},
	}
	for i := range list {
		list[i].visible = world.changed
	}
	return append(list,
		attack{name: "inherited files", try: func(w world) error {
			if len(w.Files) == 0 {
				return errors.New("none but pipes")
			}
			return nil
		}},
		attack{name: "setuid by chmod", try: func(w world) error { return unix.Chmod(w.dir("file"), 0o4755) }, visible: setuid},
		attack{name: "setuid by open", try: func(w world) error {
			fd, err := unix.Open(w.dir("new"), unix.O_CREAT|unix.O_WRONLY, 0o4755)
			return closes(fd, err)
		}, visible: setuid},
		attack{name: "setuid by openat2", try: func(w world) error {
			fd, err := unix.Openat2(unix.AT_FDCWD, w.dir("new"), &unix.OpenHow{Flags: unix.O_CREAT | unix.O_WRONLY, Mode: 0o4755})
			return closes(fd, err)
		}, visible: setuid},
		attack{name: "setuid by mknod", try: func(w world) error { return unix.Mknod(w.dir("new"), unix.S_IFREG|0o4755, 0) }, visible: setuid},
	)
}

func closes(fd int, err error) error {
	if err == nil {
		unix.Close(fd)
	}
	return err
}

// setuid reports whether a file in the attack's directory runs with the rights of its owner.
func setuid(w world) bool {
	for _, name := range []string{"file", "new"} {
		if info, err := os.Stat(w.dir(name)); err == nil && info.Mode()&os.ModeSetuid != 0 {
			return true
		}
	}
	return false
}

// inherited lists the files that were open when this process was started and through which it could change something:
// pipes are not among them.
func inherited() (found []string) {
	for fd := range 100 {
		var st unix.Stat_t
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err != nil || flags&unix.FD_CLOEXEC != 0 || unix.Fstat(fd, &st) != nil || st.Mode&unix.S_IFMT == unix.S_IFIFO {
			continue
		}
		if fd > 2 || unix.Fchmod(fd, st.Mode&0o7777) == nil {
			name, _ := os.Readlink(fmt.Sprint("/proc/self/fd/", fd))
			found = append(found, fmt.Sprint(fd, " ", name))
		}
	}
	return found
}

// secretAttacks read what is hidden.
func secretAttacks() []attack {
	return []attack{
		{name: "secret read", try: func(w world) error { return reads(w.Home + "/.netrc") }},
		{name: "secret in a directory", try: func(w world) error { return reads(w.Home + "/.ssh/key") }},
		{name: "secret names", try: func(w world) error {
			if entries, err := os.ReadDir(w.Home + "/.ssh"); err != nil || len(entries) == 0 {
				return fmt.Errorf("nothing in it, %v", err)
			}
			return nil
		}},
		{name: "secret in the work directory", try: func(w world) error { return reads(w.Dir + "/.env") }},
		{name: "secret by a link", try: func(w world) error {
			return errors.Join(os.Symlink(w.Home+"/.netrc", w.dir("in")), reads(w.dir("in")))
		}},
		{name: "secret by a hard link", try: func(w world) error {
			return errors.Join(os.Link(w.Home+"/.netrc", w.dir("in")), reads(w.dir("in")))
		}},
		{name: "secret through the root of its process", try: func(w world) error { return reads("/proc/self/root" + w.Home + "/.netrc") }},
		{name: "secret through the root of the parent", try: func(w world) error { return reads(fmt.Sprint("/proc/", w.Parent, "/root", w.Home, "/.netrc")) }},
		{name: "secret through the root of the helper", try: func(w world) error { return reads(fmt.Sprint("/proc/", w.Helper, "/root", w.Home, "/.netrc")) }},
		{name: "secret through another mount", try: func(w world) error {
			if w.Mirror == "" {
				return errImpossible
			}
			return reads(w.Mirror + "/.ssh/key")
		}},
		{name: "secret after a move", try: func(w world) error {
			moved := w.Home + "-moved"
			err := errors.Join(os.Rename(w.Home, moved), reads(moved+"/.netrc"))
			os.Rename(moved, w.Home)
			return err
		}},
		{name: "secret by its handle", try: func(w world) error {
			kind, text, _ := strings.Cut(w.Handle, " ")
			number, err := strconv.Atoi(kind)
			bytes, _ := hex.DecodeString(text)
			if err != nil {
				return errImpossible
			}
			at, err := unix.Open(w.Top, unix.O_RDONLY|unix.O_DIRECTORY, 0)
			if err != nil {
				return err
			}
			fd, err := unix.OpenByHandleAt(at, unix.NewFileHandle(int32(number), bytes), unix.O_RDONLY)
			if err != nil {
				return err
			}
			return reads(fmt.Sprint("/proc/self/fd/", fd))
		}},
	}
}

// protectedAttacks change what is protected in the work directory.
func protectedAttacks() []attack {
	list := []attack{
		{name: "protected file written", try: func(w world) error { return overwrites(w.dir(".git/config")) }},
		{name: "protected file made", try: func(w world) error { return os.WriteFile(w.dir("sub/.git/new"), nil, 0o700) }},
		{name: "protected file replaced", try: func(w world) error { return os.Rename(w.dir("file"), w.dir(".git/config")) }},
		{name: "protected file linked", try: func(w world) error {
			return errors.Join(os.Link(w.dir(".git/config"), w.dir("in")), overwrites(w.dir("in")))
		}},
		{name: "protected file through a link", try: func(w world) error {
			return errors.Join(os.Symlink(".git", w.dir("in")), overwrites(w.dir("in/config")))
		}},
		{name: "protected mode", try: func(w world) error { return os.Chmod(w.dir(".git"), 0o777) }},
		{name: "protected removed", try: func(w world) error { return os.RemoveAll(w.dir(".git")) }},
		{name: "protected moved away", try: func(w world) error {
			return errors.Join(os.Rename(w.dir(".git"), w.dir("in")), os.Mkdir(w.dir(".git"), 0o700))
		}},
		{name: "protected replaced by a link", try: func(w world) error {
			return errors.Join(os.Rename(w.dir(".git"), w.dir("in")), os.Symlink("in", w.dir(".git")))
		}},
		{name: "protected moved away with its parent", try: func(w world) error {
			err := errors.Join(os.Rename(w.dir("sub"), w.dir("in")), os.MkdirAll(w.dir("sub/.git"), 0o700))
			return errors.Join(err, os.WriteFile(w.dir("sub/.git/config"), []byte("changed"), 0o600))
		}},
		{name: "protected moved away with all", try: func(w world) error {
			err := errors.Join(os.Rename(w.dir(""), w.Dir+"/away"), os.MkdirAll(w.dir(".git"), 0o700))
			return errors.Join(err, os.WriteFile(w.dir(".git/config"), []byte("changed"), 0o600))
		}},
		{name: "protected exchanged", try: func(w world) error {
			os.Mkdir(w.dir("in"), 0o700)
			return unix.Renameat2(unix.AT_FDCWD, w.dir("sub"), unix.AT_FDCWD, w.dir("in"), unix.RENAME_EXCHANGE)
		}},
	}
	for i := range list {
		list[i].visible = world.repainted
	}
	return list
}
