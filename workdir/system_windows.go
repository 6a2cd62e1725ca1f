package workdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// nonblock is not needed here: there are no FIFOs in the file system.
const nonblock = 0

// checkSystem refuses names that Windows reads in ways of its own: C:x, streams (x:y), devices (NUL, COM1), and
// components that end in a dot or a blank, which it drops.
func checkSystem(name string) error {
	name = filepath.ToSlash(name)
	volume := filepath.VolumeName(name)
	if volume != "" && !filepath.IsAbs(name) {
		return errors.New("name is relative to a drive")
	}
	for part := range strings.SplitSeq(name[len(volume):], "/") {
		switch {
		case part == "" || part == "." || part == "..":
		case strings.ContainsRune(part, ':') || strings.TrimRight(part, " .") != part || !filepath.IsLocal(part):
			return errors.New("name has a meaning of its own on Windows")
		}
	}
	return nil
}

// links is not known without opening the file.
func links(fs.FileInfo) int { return 0 }

// keepOwner returns perm; the access list of a file comes from its directory.
func keepOwner(_ *os.File, _ fs.FileInfo, perm fs.FileMode) fs.FileMode { return perm }

// rename moves what is at from; that nothing is at to was seen by the caller a moment ago.
func rename(from, to place) error {
	if from.root != nil && from.root == to.root {
		return from.root.handle.Rename(from.Rel, to.Rel)
	}
	return os.Rename(from.Abs, to.Abs)
}

// directory has no counterpart: what is no directory cannot be listed.
const directory = 0
