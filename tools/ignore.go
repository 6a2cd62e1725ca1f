package tools

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"strings"

	"tricode/workdir"
)

// walker walks a directory and leaves out what git would: what the .gitignore files from the top of the work directory
// down and its .git/info/exclude name, and .git itself. Files that a person's own git configuration names, those
// above the work directory, and the .ignore files of other programs do not count. What is asked for by its own
// path is not ignored: below it only the .gitignore files from there on hold.
type walker struct {
	dir *workdir.Dir
	source
	hidden bool                  // names that begin with a dot too
	secret func(rel string) bool // files to leave out whatever the rules say; may be nil

	ignored    int // entries left out, directories as one
	dotted     int // hidden ones left out
	secrets    int
	unreadable int
	stopped    bool // after mostVisited entries

	top     string // the directory that at lies in, absolute
	prefix  string // of at below top, "" or with a slash at its end
	rules   ignores
	entered bool // the next entry is the first of its directory, if it is not empty
	visited int
}

// Bounds of a walk: entries that are looked at, and bytes of one file of rules.
const (
	mostVisited = 200_000
	mostRules   = 256 << 10
)

// walk calls fn for everything that is not left out, in the order of names, with the path relative to where it
// began. fn may return fs.SkipAll.
func (w *walker) walk(ctx context.Context, fn func(rel string, e fs.DirEntry) error) error {
	w.begin()
	return w.Walk(func(rel string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			w.unreadable++
			return nil
		}
		if w.visited++; w.visited > mostVisited {
			w.stopped = true
			return fs.SkipAll
		}
		w.first(rel, e)
		if w.leaveOut(rel, e) {
			return skip(e)
		}
		if err := fn(rel, e); err != nil || e.Name() == ".git" {
			return cmp.Or(err, skip(e))
		}
		w.entered = e.IsDir()
		return nil
	})
}

// skip goes on behind an entry: fs.SkipDir for a file would leave out the rest of its directory.
func skip(e fs.DirEntry) error {
	if e.IsDir() {
		return fs.SkipDir
	}
	return nil
}

func (w *walker) leaveOut(rel string, e fs.DirEntry) bool {
	switch {
	case w.secret != nil && e.Type().IsRegular() && w.secret(rel):
		w.secrets++
		return true
	case !w.hidden && e.Name()[0] == '.':
		w.dotted++
		return true
	case e.Name() != ".git" && w.rules.match(w.prefix+rel, e.IsDir()):
		w.ignored++
		return true
	}
	return false
}

// begin loads the rules of the directories above and of the one where the walk begins.
func (w *walker) begin() {
	w.top = w.Abs
	if w.Rel != "." && w.Rel != "" {
		w.top = strings.TrimSuffix(w.Abs, "/"+w.Rel)
		w.prefix = w.Rel + "/"
	}
	w.load("", ".git/info/exclude")
	for i, c := range w.prefix {
		if c != '/' {
			continue
		}
		w.load(w.prefix[:strings.LastIndexByte(w.prefix[:i], '/')+1], ".gitignore")
		if w.rules.match(w.prefix[:i], true) {
			w.rules = nil
			break
		}
	}
	w.entered = true
}

// first loads the rules of a directory when its first entry comes: entries come in the order of their names, so that
// one behind .gitignore says that there is none, and most directories need no look of their own.
func (w *walker) first(rel string, e fs.DirEntry) {
	if w.entered && e.Name() <= ".gitignore" {
		w.load(w.prefix+strings.TrimSuffix(rel, e.Name()), ".gitignore")
	}
	w.entered = false
}

// load adds the rules of a file, if there is one, for what lies in dir. git does not follow a link there either.
func (w *walker) load(dir, name string) {
	p, err := w.dir.Entry(w.top + "/" + dir + name)
	if err != nil {
		return
	}
	data, err := p.Read(mostRules)
	if errors.Is(err, workdir.ErrTooLarge) {
		w.unreadable++
	}
	w.rules.add(dir, string(data))
}

// ignores are the rules that hold at one place of a walk, those of the deepest directory last.
type ignores []level

// level are the rules of one file, for what lies in dir, which is empty or ends in a slash.
type level struct {
	dir   string
	rules []rule
}

// rule is one line of a .gitignore file.
type rule struct {
	glob    glob
	negated bool
	dirs    bool // holds for directories only
	name    bool // holds for the last component, otherwise for the path from the level's directory
}

func (g *ignores) add(dir, text string) {
	l := level{dir: dir}
	for line := range strings.Lines(strings.TrimPrefix(text, mark)) {
		if r, ok := parseRule(line); ok {
			l.rules = append(l.rules, r)
		}
	}
	if l.rules != nil {
		*g = append(*g, l)
	}
}

// parseRule reads a line as gitignore(5) says. What cannot match is no rule.
func parseRule(line string) (r rule, ok bool) {
	line, ended := strings.CutSuffix(line, "\n")
	if ended {
		line = strings.TrimSuffix(line, "\r")
	}
	if strings.HasPrefix(line, "#") {
		return r, false
	}
	line, r.negated = strings.CutPrefix(trimSpaces(line), "!")
	line, r.dirs = strings.CutSuffix(line, "/")
	r.name = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return r, false
	}
	var err error
	r.glob, err = parseGlob(line)
	return r, err == nil
}

// trimSpaces removes blanks at the end that no backslash stands before.
func trimSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = min(i+1, len(line))
	}
	return line[:end]
}

// match reports whether what lies at the path is ignored; the directories above it are not. The last rule that
// matches decides, deeper files before higher ones.
func (g *ignores) match(path string, dir bool) bool {
	for i := len(*g) - 1; i >= 0; i-- {
		l := &(*g)[i]
		rel, ok := strings.CutPrefix(path, l.dir)
		if !ok { // the walk has left that directory
			*g = (*g)[:i]
			continue
		}
		name := rel[strings.LastIndexByte(rel, '/')+1:]
		for j := len(l.rules) - 1; j >= 0; j-- {
			r := &l.rules[j]
			subject := rel
			if r.name {
				subject = name
			}
			if (dir || !r.dirs) && r.glob.match(subject) {
				return !r.negated
			}
		}
	}
	return false
}
