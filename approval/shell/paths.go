package shell

import (
	"io/fs"
	"path"
	"strings"

	"tricode/approval"
)

// path records what happens to a name, from every directory the shell may be in. A reason for a write speaks of a
// file that is already there, and makes it dangerous.
func (w *walker) path(e approval.Effects, name, why string) {
	for _, full := range w.from(name) {
		if !w.afford() {
			return
		}
		if approval.HarmlessDevice(path.Clean(full)) {
			continue
		}
		place := w.place(e, full)
		if place.Path == "" {
			w.opaque([]string{name}, "it is not known what a name means")
			continue
		}
		s := approval.Subject{Effects: e, Path: place.Path, Rel: place.Rel, Via: place.Via}
		if why != "" && place.Kind != Missing && place.Kind != Dir {
			s.Effects, s.Why = e|approval.Dangerous, why
		}
		if place.Linked && e.Has(approval.Write) {
			s.Effects |= approval.HardLink
		}
		if e.Has(approval.Delete) {
			s.Untracked = w.r.Untracked(place.Path)
		}
		w.addPath(s)
	}
}

// afford counts a look at the world and reports whether there may be one more.
func (w *walker) afford() bool {
	if w.looks++; w.looks > w.most.looks {
		w.blind = true
		w.stop()
		return false
	}
	return true
}

// addPath records a path, once.
func (w *walker) addPath(s approval.Subject) {
	for i, old := range w.out.Subjects {
		if i == 64 {
			break
		}
		if old.Args == nil && old.Effects == s.Effects && old.Path == s.Path && old.Via == s.Via {
			w.files = append(w.files, i)
			return
		}
	}
	w.files = append(w.files, len(w.out.Subjects))
	w.add(s)
}

// place finds a name; what is removed or renamed is the link, not what it leads to.
func (w *walker) place(e approval.Effects, full string) Place {
	if e.Has(approval.Delete) && !strings.HasSuffix(full, "/") && !strings.HasSuffix(full, "/.") {
		return w.r.Entry(full)
	}
	return w.r.Resolve(full)
}

// from makes a name absolute, in every way it may be meant. The path stays uncleaned: behind a link ".." is another
// place than the text says.
func (w *walker) from(name string) []string {
	if name == "" {
		return nil
	}
	if path.IsAbs(name) {
		return []string{name}
	}
	dirs := w.state.dirs
	if dirs == nil { // a guess, so that what is forbidden there is refused
		w.opaque([]string{name}, "the directory that it works in is not known")
		dirs = []string{w.r.WorkDir()}
	}
	all := make([]string, 0, 1)
	for _, dir := range dirs {
		all = append(all, strings.TrimSuffix(dir, "/")+"/"+name)
	}
	return all
}

// look finds a name where the shell surely is.
func (w *walker) look(name string) Place {
	if name == "" || !w.afford() || !path.IsAbs(name) && len(w.state.dirs) != 1 {
		return Place{}
	}
	return w.r.Resolve(w.from(name)[0])
}

// list names what a directory holds; the empty name is where the shell is.
func (w *walker) list(dir string) []fs.DirEntry {
	if dir == "" {
		dir = "."
	}
	if !path.IsAbs(dir) && len(w.state.dirs) != 1 || !w.afford() {
		return nil
	}
	full := w.from(dir)
	if w.entries > maxEntries {
		w.opaque([]string{dir}, "it has too many files to be analysed")
		return nil
	}
	entries := w.r.List(full[0])
	w.entries += len(entries)
	return entries
}

// read records a file whose contents are read.
func (w *walker) read(name string) {
	if name != "-" {
		w.path(approval.Read, name, "")
	}
}

// stat records a file that is only looked at from outside: the name of a secret is none.
func (w *walker) stat(name string) {
	for _, full := range w.from(name) {
		if !w.afford() {
			return
		}
		place := w.r.Resolve(full)
		if place.Rel != "" && place.Rel != "." && approval.IsSecret(place.Path, w.r.Home()) {
			place.Path, place.Rel, place.Via = path.Dir(place.Path), path.Dir(place.Rel), ""
		}
		if place.Via != "" && approval.IsSecret(place.Via, w.r.Home()) {
			place.Via = ""
		}
		if !approval.HarmlessDevice(path.Clean(full)) {
			w.addPath(approval.Subject{Effects: approval.Read, Path: place.Path, Rel: place.Rel, Via: place.Via})
		}
	}
}

// tree records everything below a directory whose contents are read: itself, and what in it is secret or leads out
// of it.
func (w *walker) tree(name string, in sweep) {
	for _, i := range w.opened(func() { w.read(name) }) {
		if i < len(w.out.Subjects) {
			w.out.Subjects[i].Tree = true
		}
	}
	for _, full := range w.from(name) {
		place := w.r.Resolve(full)
		if place.Kind == Dir && place.Rel != "" {
			in.root = place.Path
			w.below(place.Path, in, 0)
		}
	}
}

// maxLevels is how deep a tree is searched for secrets.
const maxLevels = 32

// sweep says what a search for secrets looks at.
type sweep struct {
	hidden bool   // names that begin with a dot too
	links  bool   // where links lead too
	name   string // only files whose name this pattern matches; empty for all
	root   string // where it began
}

func (w *walker) below(dir string, in sweep, level int) {
	if w.entries > maxEntries || level > maxLevels {
		w.addPath(approval.Subject{Effects: approval.Read | approval.Secret, Path: dir, Rel: ".", Why: "reads more files than can be searched for secrets"})
		return
	}
	entries := w.r.List(dir)
	w.entries += len(entries)
	for _, entry := range entries {
		name := entry.Name()
		full := strings.TrimSuffix(dir, "/") + "/" + name
		switch {
		case name[0] == '.' && !in.hidden:
		case in.name != "" && !entry.IsDir() && !matches(in.name, name):
		case approval.IsSecret(full, w.r.Home()):
			w.path(approval.Read, full, "")
		case entry.Type()&fs.ModeSymlink != 0:
			w.linked(full, in, level)
		case entry.IsDir() && name != ".git" && name != "node_modules": // what they hold came from elsewhere
			w.below(full, in, level+1)
		}
	}
}

// linked records where a link leads that a search has found, and what is secret there.
func (w *walker) linked(link string, in sweep, level int) {
	if !in.links {
		return
	}
	w.path(approval.Read, link, "")
	if place := w.r.Resolve(link); place.Kind == Dir && place.Rel != "" && !approval.Within(place.Path, in.root) {
		w.below(place.Path, in, level+1)
	}
}

// matches reports whether a name may match a pattern, of which it is not known whether the case of letters counts.
func matches(pattern, name string) bool {
	ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(name))
	return ok || err != nil
}
