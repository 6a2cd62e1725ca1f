package sandbox

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// landlockABI is the version of Landlock that the kernel has, 0 if it has none.
func landlockABI() int {
	version, err := ll.LandlockGetABIVersion()
	if err != nil {
		return 0
	}
	return version
}

// What may be done below a directory that may be read, and below one that may be written: all but making devices.
const (
	landlockRead  = ll.AccessFSExecute | ll.AccessFSReadFile | ll.AccessFSReadDir
	landlockWrite = landlockRead | ll.AccessFSWriteFile | ll.AccessFSTruncate | ll.AccessFSRemoveDir | ll.AccessFSRemoveFile |
		ll.AccessFSMakeDir | ll.AccessFSMakeReg | ll.AccessFSMakeSock | ll.AccessFSMakeFifo | ll.AccessFSMakeSym | ll.AccessFSRefer
	landlockFile = ll.AccessFSExecute | ll.AccessFSReadFile | ll.AccessFSWriteFile | ll.AccessFSTruncate
)

// restrictFiles lets this process and what it starts write what l says only, send signals to nobody else, and use no
// network that l does not give them. If nothing else hides what cannot be read, it does that too.
func restrictFiles(l *Limits, temp string, hides bool) error {
	config := landlock.V11
	if l.Network {
		config.HandledAccessNet = 0
	}
	readable := []string{"/"}
	if hides {
		readable = around(l.Hide)
	}
	rules := []landlock.Rule{
		landlock.PathAccess(ll.AccessFSReadDir, "/"),
		landlock.PathAccess(landlockRead, readable...).IgnoreIfMissing(),
		landlock.RWFiles("/dev/null", "/dev/zero", "/dev/full", "/dev/tty").WithIoctlDev().IgnoreIfMissing(),
	}
	if !hides { // a /dev of its own
		rules = append(rules, landlock.RWDirs("/dev/pts", "/dev/shm").WithIoctlDev().IgnoreIfMissing())
	}
	for _, path := range existing(slices.Concat(l.Write, []string{temp})) {
		rights := landlock.AccessFSSet(landlockWrite)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			rights = landlockFile
		}
		rules = append(rules, landlock.PathAccess(rights, path).IgnoreIfMissing())
	}
	for _, path := range existing(l.Sockets) {
		rules = append(rules, landlock.PathAccess(0, path).WithResolveUnix())
	}
	return config.BestEffort().Restrict(rules...)
}

// around lists what covers all files but some, and what is below those: everything beside them and beside the
// directories that lead to them. Links do not count, what they lead to has a name of its own.
func around(hidden []string) (open []string) {
	leads := map[string]bool{"/": true}
	for _, path := range hidden {
		for dir := filepath.Dir(path); !leads[dir]; dir = filepath.Dir(dir) {
			leads[dir] = true
		}
	}
	for dir := range leads {
		entries, _ := os.ReadDir(dir) // what cannot be listed stays closed
		for _, entry := range entries {
			path := filepath.Join(dir, entry.Name())
			if entry.Type()&os.ModeSymlink == 0 && !leads[path] && !slices.Contains(hidden, path) {
				open = append(open, path)
			}
		}
	}
	return open
}
