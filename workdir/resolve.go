package workdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// Bounds of the work that following a name may cost.
const (
	maxLinks = 40   // links on the way, as path_resolution(7)
	maxSteps = 4096 // components on the way, those of links included
	maxDepth = 255  // directories below each other
)

var (
	errLinks = errors.New("too many levels of symbolic links")
	errDeep  = errors.New("too many directories below each other")
)

// Resolve finds what a name means, relative names from the work directory, "~/" from the home directory. Links are
// followed, the last component included, as the kernel would; components that do not exist are cleaned
// lexically. It returns an *OutsideError for what lies outside every directory, and an error for names with NUL,
// names that are too long and endless links.
func (d *Dir) Resolve(name string) (Path, error) { return d.resolve(name, true) }

// Entry is Resolve without following the last component: the link itself, to remove or to rename it. A slash
// after the name of a link changes nothing.
func (d *Dir) Entry(name string) (Path, error) { return d.resolve(name, false) }

func (d *Dir) resolve(name string, follow bool) (Path, error) {
	if err := checkName(name); err != nil {
		return Path{}, fmt.Errorf("%s: %w", brief(name), err)
	}
	written, err := d.absolute(filepath.ToSlash(name))
	if err != nil {
		return Path{}, fmt.Errorf("%s: %w", brief(name), err)
	}
	w := walk{dir: d, follow: follow}
	w.start(strings.TrimRight(written, "/"))
	if err := w.run(); err != nil {
		if r, _ := d.rootOf(w.path()); r == nil && !d.unlimited {
			return Path{}, &OutsideError{Name: name, Path: path.Join(w.path(), w.rest), Dir: d.Name()}
		}
		return Path{}, fmt.Errorf("%s: %w", brief(name), reason(err))
	}
	p := Path{Abs: w.path(), dir: d}
	p.root, p.Rel = d.rootOf(p.Abs)
	if p.root == nil && !d.unlimited {
		return Path{}, &OutsideError{Name: name, Path: p.Abs, Dir: d.Name()}
	}
	if via := d.spelled(written); via != p.Abs {
		p.Via = via
	}
	return p, nil
}

// walk follows a path component by component, as path_resolution(7) says the kernel does.
type walk struct {
	dir    *Dir
	follow bool // the last component too

	volume string
	at     string // where it is: absolute in volume, clean, and no link but for those made since
	rest   string // where it goes from there
	links  int
	steps  int

	checked  *root // was looked for at its path
	standing bool  // and is there
}

func (w *walk) path() string { return w.volume + w.at }

// start begins anew at an absolute path. What is known to be free of links is not looked at again.
func (w *walk) start(p string) {
	for _, r := range w.dir.roots {
		if rest, ok := below(p, r.path); ok {
			w.volume, w.at = split(r.path)
			w.rest = rest
			return
		}
	}
	w.volume = p[:len(filepath.VolumeName(p))]
	w.at, w.rest = "/", p[len(w.volume):]
}

func (w *walk) run() error {
	for w.rest != "" {
		var part string
		part, w.rest, _ = strings.Cut(w.rest, "/")
		switch part {
		case "", ".":
		case "..":
			w.at = path.Dir(w.at)
		default:
			if err := w.step(part); err != nil {
				w.rest = part + "/" + w.rest
				return err
			}
		}
	}
	if len(w.path()) > maxName {
		return errLong
	}
	return nil
}

func (w *walk) step(part string) error {
	if w.steps++; w.steps > maxSteps {
		return errLinks
	}
	next := path.Join(w.at, part)
	if w.rest == "" && !w.follow {
		w.at = next
		return nil
	}
	if strings.Count(next, "/") > maxDepth {
		return errDeep
	}
	info, target, err := w.look(w.volume + next)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		w.at = next
		return nil
	case err != nil:
		return moved(err)
	case info.Mode().Type() == fs.ModeSymlink:
		return w.link(target)
	}
	w.at = next
	if r := w.dir.respelled(w.path(), info); r != nil {
		w.volume, w.at = split(r.path)
	}
	return nil
}

// link goes on where a link leads.
func (w *walk) link(target string) error {
	if w.links++; w.links > maxLinks {
		return errLinks
	}
	rest := w.rest
	if target = filepath.ToSlash(target); filepath.IsAbs(target) {
		w.start(target)
	} else {
		w.rest = target
		if strings.HasPrefix(target, "/") { // on Windows: of the same drive
			w.at = "/"
		}
	}
	w.rest += "/" + rest
	return nil
}

// look says what is at an absolute path that has no links before its last component, and where it leads if it is a
// link.
func (w *walk) look(p string) (info fs.FileInfo, target string, err error) {
	lstat, readlink, name := os.Lstat, os.Readlink, p
	if r, rel := w.dir.rootOf(p); r != nil && !w.stands(r, rel) {
		lstat, readlink, name = r.handle.Lstat, r.handle.Readlink, rel
	}
	if info, err = lstat(name); err == nil && info.Mode().Type() == fs.ModeSymlink {
		target, err = readlink(name)
	}
	return info, target, err
}

// stands reports whether the path of a root still leads to it. Then deep below it looking by path gives the same
// answer as looking by handle, for which os.Root opens each directory on the way: four times faster at a depth of
// seven. Nothing hangs on the answer but which links are followed; the act is by handle and follows none.
func (w *walk) stands(r *root, rel string) bool {
	if !strings.Contains(rel, "/") {
		return false
	}
	if w.checked != r {
		info, err := os.Lstat(r.path)
		w.checked, w.standing = r, err == nil && os.SameFile(info, r.info)
	}
	return w.standing
}

// respelled returns the root that p, a directory by info, is in another letter case, on a file system that ignores it.
func (d *Dir) respelled(p string, info fs.FileInfo) *root {
	for _, r := range d.roots {
		if (strings.EqualFold(p, r.path) || strings.EqualFold(p, r.via)) && os.SameFile(info, r.info) {
			return r
		}
	}
	return nil
}
