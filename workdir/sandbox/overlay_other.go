//go:build !linux

package sandbox

import "io/fs"

// Gone reports whether a file of an overlay says that what stood there is gone. There are no overlays here.
func Gone(fs.FileInfo) bool { return false }

// Anew reports whether the directory of an overlay at a path stands in the place of the one below it.
func Anew(string) (bool, error) { return false, nil }
