package shell

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// disk is a Resolver over the real file system below one directory. It counts nothing as tracked by git.
type disk struct {
	work, home string
	ours       []string // programs that the run may change
	secrets    []string // that git tracks
	past       []string // that git tracked once
	unsaid     bool     // git does not say what it tracks
}

func (d disk) WorkDir() string { return d.work }
func (d disk) Home() string    { return d.home }

func (d disk) Resolve(name string) Place { return d.place(name, follow(name, 0)) }

func (d disk) Entry(name string) Place {
	dir, base := path.Split(path.Clean(name))
	return d.place(name, path.Join(follow(dir, 0), base))
}

func (d disk) place(name, real string) Place {
	p := Place{Path: real, Kind: Missing}
	if rest, ok := strings.CutPrefix(real, d.work); ok && (rest == "" || rest[0] == '/') {
		p.Rel = strings.TrimPrefix(rest, "/")
		if p.Rel == "" {
			p.Rel = "."
		}
	}
	if clean := path.Clean(name); clean != real {
		p.Via = clean
	}
	if info, err := os.Lstat(real); err == nil {
		switch {
		case info.IsDir():
			p.Kind = Dir
		case info.Mode().IsRegular():
			p.Kind = File
		default:
			p.Kind = Other
		}
	}
	return p
}

// follow resolves links as far as they exist, as the kernel would.
func follow(name string, depth int) string {
	at := "/"
	for _, part := range strings.Split(name, "/") {
		switch part {
		case "", ".":
		case "..":
			at = path.Dir(at)
		default:
			next := path.Join(at, part)
			target, err := os.Readlink(next)
			if err == nil && depth < 40 {
				if !path.IsAbs(target) {
					target = at + "/" + target
				}
				next = follow(target, depth+1)
			}
			at = next
		}
	}
	return at
}

func (d disk) List(dir string) []fs.DirEntry {
	entries, _ := os.ReadDir(dir)
	return entries
}

func (d disk) Program(name string) (string, bool) {
	if strings.Contains(name, "/") {
		return name, !systemProgram(name)
	}
	for _, no := range d.ours {
		if no == name {
			return d.work + "/bin/" + name, true
		}
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r > 127 }) {
		return "", false
	}
	return "/usr/bin/" + name, false
}

func (d disk) Untracked(name string) int {
	n := 0
	filepath.WalkDir(name, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			n++
		}
		if n == 1000 {
			return filepath.SkipAll
		}
		return nil
	})
	return n
}

func (d disk) Guarded(past bool) ([]string, bool) {
	if past {
		return append(d.secrets[:len(d.secrets):len(d.secrets)], d.past...), !d.unsaid
	}
	return d.secrets, !d.unsaid
}

// Kept takes all revisions for commits but those that say that they are not.
func (d disk) Kept(revisions []string) bool {
	return !slices.ContainsFunc(revisions, func(rev string) bool { return strings.HasPrefix(rev, "deadbeef") })
}
