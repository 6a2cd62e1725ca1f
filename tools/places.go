package tools

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"tricode/approval"
	"tricode/workdir/sandbox"
)

// places are what a box treats otherwise than what lies around it.
type places struct {
	kept     []string // what programs like git keep for themselves
	shielded []string // what nothing may write to
	secrets  []string // what may hold a secret
	beside   []string // where git keeps what belongs to worktrees and submodules, outside of them
}

// The bounds of looking for places, in directory entries and in levels, and how long what was found counts.
const (
	maxPlaced = 20_000
	maxLevels = 8
	placesAge = 2 * time.Second
)

// places looks for what boxes treat otherwise, but not again right after it did, unless a command changed something since.
func (b *Boxes) places() places {
	b.mu.Lock()
	defer b.mu.Unlock()
	if time.Since(b.when) > placesAge {
		b.seen, b.when = b.find(maxPlaced), time.Now()
	}
	return b.seen
}

// changed says that what was found may be no more all there is.
func (b *Boxes) changed() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.when = time.Time{}
}

// keeping are the directories that programs like git keep for themselves, by their names.
var keeping = []string{".git", ".husky", "node_modules"}

func isKept(name string) bool { return slices.Contains(keeping, strings.ToLower(name)) }

// find looks through the directories of the run, at so many entries and for as many levels as the bounds let it. If that does not
// reach everything it begins again at the top, one level further each time: what one directory is full of must not hide
// what lies at the top of the others. What it does not find is held by the analysis alone.
func (b *Boxes) find(entries int) places {
	f := finder{boxes: b, left: entries}
	for _, root := range b.Dir.Roots() {
		if at := sandbox.GitDir(root); at != "" {
			f.found.beside = append(f.found.beside, at)
		}
	}
	if f.walk(maxLevels); f.left < 0 {
		f.left = entries / 4
		for levels := 0; levels < maxLevels && f.left >= 0; levels++ {
			f.walk(levels)
		}
	}
	for _, list := range [...]*[]string{&f.found.kept, &f.found.shielded, &f.found.secrets} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return f.found
}

// finder looks for places.
type finder struct {
	boxes *Boxes
	found places
	left  int // entries; less than 0 if that was not enough
}

// walk goes so many levels into each directory of the run.
func (f *finder) walk(levels int) {
	for _, root := range f.boxes.Dir.Roots() {
		dir, err := f.boxes.Dir.Resolve(root)
		if err != nil {
			continue
		}
		dir.Walk(func(rel string, e fs.DirEntry, err error) error {
			switch f.left--; {
			case f.left < 0:
				return fs.SkipAll
			case err == nil && (f.take(path.Join(root, rel), rel, e) || strings.Count(rel, "/") >= levels) && e.IsDir():
				return fs.SkipDir
			}
			return nil
		})
	}
}

// take notes what stands at a path if it is a place; what lies in that does not matter then.
func (f *finder) take(at, rel string, e fs.DirEntry) bool {
	b := f.boxes
	switch {
	case isKept(e.Name()):
		f.found.kept = append(f.found.kept, at)
	case b.Shields != nil && b.Shields(approval.Subject{Path: at, Rel: rel}):
		f.found.shielded = append(f.found.shielded, at)
	case !e.IsDir() && approval.IsSecret(at, b.Home):
		f.found.secrets = append(f.found.secrets, at)
	default:
		return false
	}
	return true
}
