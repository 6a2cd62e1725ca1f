package sandbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// socketPlaces are where services put their sockets.
var socketPlaces = [...]string{"/run", "/var/run", "/tmp"}

// The bounds of looking for sockets there, in levels and entries.
const (
	socketLevels  = 4
	socketEntries = 5_000
)

// otherSockets lists the unix sockets of this machine but those that are given: what listens (in /proc/net/unix of
// proc_net(5)), and what lies where services of other network namespaces put theirs.
func otherSockets(given []string) (others []string) {
	text, _ := os.ReadFile("/proc/net/unix")
	for line := range strings.Lines(string(text)) {
		if at := strings.Index(line, " /"); at > 0 {
			others = append(others, strings.TrimSuffix(line[at+1:], "\n"))
		}
	}
	left := socketEntries
	for _, place := range append(socketPlaces[:], os.Getenv("XDG_RUNTIME_DIR")) {
		others = append(others, socketsBelow(place, &left)...)
	}
	for i, path := range others {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			others[i] = real
		}
	}
	slices.Sort(others)
	return slices.DeleteFunc(slices.Compact(others), func(path string) bool {
		info, err := os.Lstat(path)
		return err != nil || info.Mode()&fs.ModeSocket == 0 || slices.ContainsFunc(given, func(g string) bool { return sameFile(g, path) })
	})
}

func socketsBelow(top string, left *int) (found []string) {
	top, err := filepath.EvalSymlinks(top)
	if err != nil {
		return nil
	}
	filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if *left--; *left < 0 {
			return fs.SkipAll
		}
		switch {
		case err != nil:
		case d.Type()&fs.ModeSocket != 0:
			found = append(found, path)
		case d.IsDir() && strings.Count(path, "/")-strings.Count(top, "/") >= socketLevels:
			return fs.SkipDir
		}
		return nil
	})
	return found
}
