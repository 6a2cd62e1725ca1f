package workdir

import (
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// maxEntries bounds the memory that listing one directory takes, to some 30 MB.
const maxEntries = 100_000

// ReadDir lists the directory at p, sorted by name. Of a directory with more than 100,000 entries it returns so
// many, and ErrTooLarge.
func (p Path) ReadDir() ([]fs.DirEntry, error) {
	dir, err := p.self()
	if err != nil {
		return nil, p.fault(err)
	}
	defer dir.Close()
	entries, err := list(dir, maxEntries)
	return entries, p.fault(err)
}

// list returns at most so many entries, with ErrTooLarge if there are more.
func list(dir *os.Root, most int) ([]fs.DirEntry, error) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(most + 1)
	if err == io.EOF {
		err = nil
	}
	if len(entries) > most {
		entries, err = entries[:most], ErrTooLarge
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// Entry is what Walk comes across. While fn looks at it, it can be read without looking for it anew, which in large
// trees makes the difference.
type Entry struct {
	fs.DirEntry
	dir *os.Root
}

// Read is Path.Read; its errors do not name the file.
func (e Entry) Read(limit int64) ([]byte, error) {
	f, err := openToRead(e.dir, e.Name())
	if err != nil {
		return nil, reason(err)
	}
	defer f.Close()
	data, err := read(f, limit)
	return data, reason(err)
}

// WalkFunc is told of everything that Walk comes across; e is an Entry, but for the directory that is walked through.
type WalkFunc = func(rel string, e fs.DirEntry, err error) error

// Walk calls fn for everything below the directory p, in the order of names and directories before what they hold,
// with the path relative to p; it follows no link. If fn returns fs.SkipDir the directory e, or for anything else the
// rest of the directory it is in, is left out; with fs.SkipAll the walk is over. Any other error ends it too and is
// returned. A directory that cannot be read in full is passed once more, with err, p itself as "."; its error does
// not name it. Directories below the 255th are not entered, and of those with more than 100,000 entries so many
// are seen.
func (p Path) Walk(fn WalkFunc) error {
	dir, err := p.self()
	if err != nil {
		return p.fault(err)
	}
	info, err := dir.Stat(".")
	if err != nil {
		dir.Close()
		return p.fault(err)
	}
	w := walker{fn: fn}
	err = w.walk(dir, ".", fs.FileInfoToDirEntry(info))
	if err == fs.SkipDir || err == fs.SkipAll {
		return nil
	}
	return err
}

type walker struct {
	fn    WalkFunc
	depth int // of the directory that is walked through
}

// walk goes through the open directory dir, which it closes. It returns fs.SkipDir if the rest of that is left out.
func (w *walker) walk(dir *os.Root, rel string, self fs.DirEntry) error {
	defer dir.Close()
	entries, err := list(dir, maxEntries)
	if err != nil {
		if err := w.fn(rel, self, reason(err)); err != nil {
			return err
		}
	}
	for _, e := range entries {
		below := e.Name()
		if rel != "." {
			below = rel + "/" + below
		}
		err := w.visit(dir, below, Entry{e, dir})
		if err != nil && (err != fs.SkipDir || !e.IsDir()) {
			return err
		}
	}
	return nil
}

// visit passes what dir holds to fn, and goes through it if it is a directory.
func (w *walker) visit(dir *os.Root, rel string, e fs.DirEntry) error {
	if err := w.fn(rel, e, nil); err != nil || !e.IsDir() {
		return err
	}
	next, err := w.enter(dir, e)
	if err != nil {
		return w.fn(rel, e, reason(err))
	}
	w.depth++
	defer func() { w.depth-- }()
	return w.walk(next, rel, e)
}

func (w *walker) enter(dir *os.Root, e fs.DirEntry) (*os.Root, error) {
	if w.depth >= maxDepth {
		return nil, errDeep
	}
	was, err := e.Info()
	if err != nil {
		return nil, err
	}
	return enterSame(dir, was, e.Name())
}
