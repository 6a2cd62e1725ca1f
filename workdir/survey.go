package workdir

import (
	"cmp"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// Survey looks at the names that directories hold, and remembers what was found in each of them: one that stays as it is
// need not be looked at again. The zero Survey remembers nothing. It is not safe for concurrent use.
type Survey[T any] struct {
	known map[spot]surveyed[T]
	rests time.Duration // instead of the constant, for tests
}

// spot is a directory below another, absolute, by its name from there.
type spot struct{ top, rel string }

// surveyed is what was found in a directory when it was as its stamp says.
type surveyed[T any] struct {
	at stamp
	Surveyed[T]
}

// Surveyed is what was found in a directory.
type Surveyed[T any] struct {
	Found T
	Names int      // that it holds
	Below []string // the directories in it that are to be looked at too
}

// Name is what one directory holds.
type Name struct {
	Name string
	Dir  bool // it is a directory, and no link to one
}

const (
	maxSurveyed = 100_000         // directories that are remembered
	settles     = 2 * time.Second // more than lies between two changes that a file system gives the same time
)

// Walk looks at the directory p and at those below it. look is told where one is, relative to p and "." for p itself, and
// what it holds, sorted; it may depend on nothing else. fn gets what look found, now or earlier, and how far below p: if it
// returns fs.SkipDir nothing below is looked at, any other error ends the walk. No link is followed, unless one takes the
// place of a directory right then: nothing but names is told. What cannot be listed is passed over, and so is what lies
// below the 255th directory.
func (s *Survey[T]) Walk(p Path, look func(rel string, names []Name) Surveyed[T], fn func(found Surveyed[T], depth int) error) {
	if s.known == nil || len(s.known) > maxSurveyed {
		s.known = map[spot]surveyed[T]{}
	}
	w := surveyor[T]{survey: s, top: p.Abs, look: look, fn: fn}
	_ = w.walk(".", 0)
}

type surveyor[T any] struct {
	survey *Survey[T]
	top    string
	look   func(string, []Name) Surveyed[T]
	fn     func(Surveyed[T], int) error
}

func (w *surveyor[T]) walk(rel string, depth int) error {
	found, ok := w.in(rel)
	if !ok || depth > maxDepth {
		return nil
	}
	if err := w.fn(found, depth); err == fs.SkipDir {
		return nil
	} else if err != nil {
		return err
	}
	for _, name := range found.Below {
		if err := w.walk(strings.TrimPrefix(rel+"/"+name, "./"), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// in is what is found in a directory; ok is false if it cannot be listed.
func (w *surveyor[T]) in(rel string) (found Surveyed[T], ok bool) {
	at := spot{w.top, rel}
	was, ok := w.survey.known[at]
	abs := strings.TrimSuffix(w.top, "/") + "/" + rel
	if ok {
		if info, err := os.Lstat(abs); err == nil && stampOf(info) == was.at {
			return was.Surveyed, true
		}
		delete(w.survey.known, at)
	}
	dir, err := os.OpenFile(abs, os.O_RDONLY|directory, 0)
	if err != nil {
		return found, false
	}
	defer dir.Close()
	info, err := dir.Stat()
	if err != nil {
		return found, false
	}
	names, err := namesIn(dir)
	if err != nil {
		return found, false
	}
	found = w.look(rel, names)
	found.Names = len(names)
	if is := stampOf(info); is != (stamp{}) && time.Since(is.changed) > cmp.Or(w.survey.rests, settles) {
		w.survey.known[at] = surveyed[T]{is, found}
	}
	return found, true
}

// namesIn lists a directory. Unlike those of os.Root its entries are not looked at one by one.
func namesIn(dir *os.File) ([]Name, error) {
	entries, err := dir.ReadDir(maxEntries)
	if err != nil && err != io.EOF {
		return nil, err
	}
	names := make([]Name, len(entries))
	for i, e := range entries {
		names[i] = Name{e.Name(), e.IsDir()}
	}
	slices.SortFunc(names, func(a, b Name) int { return strings.Compare(a.Name, b.Name) })
	return names, nil
}
