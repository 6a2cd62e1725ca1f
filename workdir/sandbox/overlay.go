package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Overlay is a directory that takes what the programs of a box would write to the Box's directory, see Limits. When they have
// ended, what is different then stands in Changed: what is new or was changed, as it is now, and for what is gone a
// mark (Gone). A directory holds what it held before too, unless it was made anew (Anew).
type Overlay struct {
	Changed string    // a directory, absolute
	Began   time.Time // when it was made, by the clock of the file system
}

// ErrNoOverlay says that the system cannot let programs write to an overlay.
var ErrNoOverlay = errors.New("the system does not let programs write to a layer over the directory")

// NewOverlay makes an overlay of the directory at a path, and removes what was there before.
func NewOverlay(at string) (*Overlay, error) {
	if err := RemoveOverlay(at); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(at, 0o700); err != nil {
		return nil, err
	}
	info, err := os.Stat(at)
	if err != nil {
		return nil, err
	}
	return &Overlay{Changed: filepath.Join(at, upperDir), Began: info.ModTime()}, nil
}

// At is the directory for Limits.Overlay.
func (o *Overlay) At() string { return filepath.Dir(o.Changed) }

// Close removes the overlay.
func (o *Overlay) Close() error { return RemoveOverlay(o.At()) }

// RemoveOverlay removes the overlay at a path, if there is one, with directories that programs closed to everybody.
func RemoveOverlay(at string) error {
	err := os.RemoveAll(at)
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	filepath.WalkDir(at, func(path string, e fs.DirEntry, err error) error { // what stays closed fails below
		if err == nil && e.IsDir() {
			os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(at)
}

// The directories of an overlay: what was changed, and what the kernel needs for itself.
const (
	upperDir = "upper"
	innerDir = "work"
)
