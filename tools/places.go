package tools

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"tricode/approval"
	"tricode/workdir"
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
	b.when, b.cached = time.Time{}, nil
}

// protected are the places that a box keeps from being written to, as far as they are there.
func (b *Boxes) protected() []string {
	if !b.on() {
		return nil
	}
	found := b.places()
	return slices.Concat(found.kept, found.shielded)
}

// maxMade bounds how many places are named that a line made.
const maxMade = 5

// made says which protected places are there that were not before the line ran, although it was not seen to make them: no
// box can keep what does not exist from being made. Nothing of it was shown to anybody, and a .git may name programs for git
// to run.
func (c *commandLine) made(before []string) (notes []string) {
	if c.layer != "" { // nothing was made yet
		return nil
	}
	var names []string
	for _, at := range c.w.Boxes.protected() {
		if !slices.Contains(before, at) && !c.changes(at) && !(c.analysis.Manages() && isKept(path.Base(at))) {
			names = append(names, strings.TrimPrefix(at, c.w.Dir.Name()+"/"))
		}
	}
	if len(names) == 0 {
		return nil
	}
	if more := len(names) - maxMade; more > 0 {
		names = append(names[:maxMade], fmt.Sprint("and ", more, " more"))
	}
	return []string{"it made what is protected, and nobody was asked about that: " + strings.Join(names, ", ")}
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
		look := func(rel string, names []workdir.Name) workdir.Surveyed[places] { return f.boxes.look(root, rel, names) }
		f.boxes.survey.Walk(dir, look, func(in workdir.Surveyed[places], depth int) error {
			f.found.add(in.Found)
			switch f.left -= in.Names; {
			case f.left < 0:
				return fs.SkipAll
			case depth >= levels:
				return fs.SkipDir
			}
			return nil
		})
	}
}

func (p *places) add(others places) {
	p.kept = append(p.kept, others.kept...)
	p.shielded = append(p.shielded, others.shielded...)
	p.secrets = append(p.secrets, others.secrets...)
}

// look notes which places are in a directory; what lies in those does not matter then.
func (b *Boxes) look(root, rel string, names []workdir.Name) (in workdir.Surveyed[places]) {
	dir := path.Join(root, rel)
	for _, name := range names {
		below, at := name.Name, strings.TrimSuffix(dir, "/")+"/"+name.Name
		if rel != "." {
			below = rel + "/" + below
		}
		switch found := &in.Found; {
		case isKept(name.Name):
			found.kept = append(found.kept, at)
		case b.Shields != nil && b.Shields(approval.Subject{Path: at, Rel: below}):
			found.shielded = append(found.shielded, at)
		case name.Dir:
			in.Below = append(in.Below, name.Name)
		case approval.IsSecret(at, b.Home):
			found.secrets = append(found.secrets, at)
		}
	}
	return in
}
