package sandbox

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// isolateMounts takes the mounts of this process out of everybody else's sight and gives it a /dev and a /proc of its
// own. It returns which of the namespaces do not hold: that of processes is no use without a /proc, which the kernel
// allows nobody in a container that hides parts of it.
func isolateMounts(spaces Mechanisms) (lost Mechanisms) {
	if spaces&(Mounts|Processes) == 0 {
		return 0
	}
	if unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "") != nil {
		return spaces & (Mounts | Processes)
	}
	if spaces.Has(Mounts) && isolateDevices() != nil {
		lost |= Mounts
	}
	if spaces.Has(Processes) && unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, "") != nil {
		lost |= Processes
	}
	return lost
}

// closeMounts makes everything read-only but what l says and the temporary directory, and hides what l hides.
func closeMounts(l *Limits, dir, temp string) error {
	mounts, err := mountTable()
	if err != nil {
		return err
	}
	if err := showShared(slices.Concat(l.Write, []string{temp, dir})); err != nil {
		return fmt.Errorf("%s: %w", sharedMemory, err)
	}
	writable, protected, hidden := existing(slices.Concat(l.Write, []string{temp})), existing(l.Protect), existing(l.Hide)
	protected = append(protected, led(l.Protect, writable)...)
	protected, hidden = everywhere(protected, mounts), everywhere(hidden, mounts)
	if l.Overlay != "" {
		if err := mountOverlay(dir, l.Overlay); err != nil {
			return err
		}
	}
	for _, path := range writable {
		if err := bind(path, path); err != nil {
			return err
		}
	}
	if err := setMounts("/", unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID, 0); err != nil {
		return err
	}
	for _, path := range append(writable, sharedMemory) {
		if err := unlockMounts(path, mounts); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return coverMounts(protected, hidden, writable)
}

// coverMounts makes what is protected read-only again, and hides what is hidden.
func coverMounts(protected, hidden, writable []string) error {
	for _, path := range existing(slices.Concat(protected, between(slices.Concat(protected, hidden, writable), writable))) {
		if err := bind(path, path); err != nil {
			return err
		}
	}
	for _, path := range existing(protected) {
		if err := setMounts(path, unix.MOUNT_ATTR_RDONLY, 0); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	for _, path := range outermost(existing(hidden)) {
		if err := hide(path); err != nil {
			return err
		}
	}
	return nil
}

// bind mounts what is at one path at another.
func bind(from, to string) error {
	if err := unix.Mount(from, to, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("%s: %w", to, err)
	}
	return nil
}

// between lists the directories that lead from those that may be written to other places in them. Mounted over themselves
// they cannot be moved away and made anew.
func between(places, writable []string) (dirs []string) {
	for _, path := range places {
		for dir := filepath.Dir(path); slices.ContainsFunc(writable, func(w string) bool {
			_, ok := within(dir, w)
			return ok && dir != w
		}); dir = filepath.Dir(dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
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

// outermost leaves out of sorted paths what lies in others: it cannot be seen any more once those are hidden.
func outermost(paths []string) (outer []string) {
	for _, path := range paths {
		if !slices.ContainsFunc(outer, func(dir string) bool { _, ok := within(path, dir); return ok }) {
			outer = append(outer, path)
		}
	}
	return outer
}

// led lists where those of some paths lead that are links, as far as it can be written there. Nothing can be mounted on a
// link itself.
func led(paths, writable []string) (targets []string) {
	for _, path := range paths {
		if _, err := os.Readlink(path); err != nil {
			continue
		}
		target, err := filepath.EvalSymlinks(path)
		if err == nil && slices.ContainsFunc(writable, func(w string) bool {
			_, ok := within(target, w)
			return ok && target != w
		}) {
			targets = append(targets, target)
		}
	}
	return targets
}

// unlockMounts lets a directory be written again, and what is mounted below it, unless that was read-only before.
func unlockMounts(path string, before []mount) error {
	unlocked := &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
	switch err := unix.MountSetattr(unix.AT_FDCWD, path, 0, unlocked); err {
	case nil:
	case unix.ENOSYS:
		return setMounts(path, 0, unix.MOUNT_ATTR_RDONLY)
	default:
		return err
	}
	top := map[string]mount{}
	for _, m := range before {
		top[m.point] = m
	}
	for point, m := range top {
		if _, below := within(point, path); below && point != path && m.flags&unix.MS_RDONLY == 0 {
			_ = unix.MountSetattr(unix.AT_FDCWD, point, 0, unlocked) // what cannot be reached stays as it is
		}
	}
	return nil
}

// hide puts nothing over a file or a directory.
func hide(path string) error {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return err
	}
	over := noFile
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		over = noDir
	}
	return bind(over, path)
}

// mountOverlay lets what is written to dir go to another directory instead.
func mountOverlay(dir, to string) error {
	upper, work := filepath.Join(to, upperDir), filepath.Join(to, innerDir)
	for _, path := range [...]string{upper, work} {
		if err := os.Mkdir(path, 0o700); err != nil {
			return err
		}
	}
	info, err := os.Stat(dir)
	if err == nil {
		err = os.Chmod(upper, info.Mode().Perm()) // which is what programs see of the directory itself
	}
	if err != nil {
		return err
	}
	fs, err := unix.Fsopen("overlay", unix.FSOPEN_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(fs)
	quote := strings.NewReplacer(`\`, `\\`, ":", `\:`) // a colon would begin another layer
	for _, option := range [...][2]string{{"lowerdir", quote.Replace(dir)}, {"upperdir", quote.Replace(upper)}, {"workdir", quote.Replace(work)}} {
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
