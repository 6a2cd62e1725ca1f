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
		ll.AccessFSMakeDir | ll.AccessFSMakeReg | ll.AccessFSMakeSock | ll.AccessFSMakeFifo | ll.AccessFSMakeSym
	landlockFile = ll.AccessFSExecute | ll.AccessFSReadFile | ll.AccessFSWriteFile | ll.AccessFSTruncate
)

// landlockWhole is the version since which nothing is written but what may be: earlier ones let files be cut off.
const landlockWhole = 3

// landlockScopes is the version since which abstract sockets and processes outside are out of reach.
const landlockScopes = 6

// restrictFiles lets this process and what it starts write what l says only, reach nobody else by a signal, and use no
// network that l does not give them, as far as the kernel's version goes. Where mounts do not hide what cannot be read, it
// does that too.
func restrictFiles(l *Limits, temp string, held Mechanisms) error {
	rules, err := readRules(l, held)
	if err != nil {
		return err
	}
	rules = append(rules, landlock.PathAccess(ll.AccessFSReadDir, "/"),
		landlock.RWFiles("/dev/null", "/dev/zero", "/dev/full", "/dev/tty").WithIoctlDev().IgnoreIfMissing())
	refer := landlock.AccessFSSet(ll.AccessFSRefer)
	if landlockABI() < 2 { // which knows no such right, and allows it to nobody
		refer = 0
	}
	for _, path := range existing(slices.Concat(l.Write, []string{temp})) {
		rights := landlockWrite | refer
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			rights = landlockFile
		}
		rules = append(rules, landlock.PathAccess(rights, path).IgnoreIfMissing())
	}
	for _, path := range existing(l.Sockets) {
		rules = append(rules, landlock.PathAccess(0, path).WithResolveUnix())
	}
	return handled(l, held).BestEffort().Restrict(rules...)
}

// handled is what Landlock refuses unless a rule allows it.
func handled(l *Limits, held Mechanisms) landlock.Config {
	config := landlock.V11
	if held.Has(Processes) {
		// Nobody outside can be named anyway. Before version 8 each thread has a box of its own, out of which it could not
		// end what another thread started.
		config.Scoped &^= ll.ScopeSignal
	}
	if l.Network || held.Has(Networks) && !l.Look {
		config.HandledAccessNet = 0
	}
	return config
}

// readRules are what may be read.
func readRules(l *Limits, held Mechanisms) ([]landlock.Rule, error) {
	if held.Has(Mounts) { // and with them a /dev without the terminals of others
		return []landlock.Rule{landlock.PathAccess(landlockRead, "/"), landlock.RWDirs("/dev/pts", sharedMemory).WithIoctlDev().IgnoreIfMissing()}, nil
	}
	mounts, err := mountTable()
	if err != nil {
		return nil, err
	}
	dirs, files := around(append(everywhere(existing(l.Hide), mounts), "/dev"))
	return []landlock.Rule{
		landlock.PathAccess(landlockRead, dirs...).IgnoreIfMissing(),
		landlock.PathAccess(landlockRead&^ll.AccessFSReadDir, append(files, "/dev/random", "/dev/urandom")...).IgnoreIfMissing(),
	}, nil
}

// around lists what covers all files but some, and what is below those: everything beside them and beside the
// directories that lead to them. Links do not count, what they lead to has a name of its own.
func around(hidden []string) (dirs, files []string) {
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
			switch {
			case entry.Type()&os.ModeSymlink != 0 || leads[path] || slices.Contains(hidden, path):
			case entry.IsDir():
				dirs = append(dirs, path)
			default:
				files = append(files, path)
			}
		}
	}
	return dirs, files
}
