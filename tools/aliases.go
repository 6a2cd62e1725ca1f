package tools

import (
	"io/fs"

	"tricode/workdir"
)

// alias is a secret that has more than one name.
type alias struct {
	info fs.FileInfo
	at   string // one of them, absolute
}

// maxAliased bounds how many files of the home directory are looked at for second names.
const maxAliased = 2000

// secretOf returns the secret that a file is by a second name, absolute; empty if it is none that is known.
func (b *Boxes) secretOf(info fs.FileInfo) string {
	if b == nil || workdir.Links(info) < 2 {
		return ""
	}
	for _, s := range b.aliases() {
		if workdir.SameFile(s.info, info) {
			return s.at
		}
	}
	return ""
}

// aliases looks for secrets that have more than one name, when it looks for places.
func (b *Boxes) aliases() []alias {
	found := b.places()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.aliased.Equal(b.when) {
		return b.known
	}
	b.known, b.aliased = nil, b.when
	for _, at := range found.secrets {
		b.know(b.Dir, at, 0)
	}
	home, err := workdir.Open(b.Home)
	if err != nil {
		return b.known
	}
	defer home.Close()
	for _, at := range b.Secrets {
		b.know(home, at, maxAliased/len(b.Secrets))
	}
	return b.known
}

// know adds the file at a path, or those in the directory there, if it has more than one name.
func (b *Boxes) know(dir *workdir.Dir, at string, files int) {
	p, err := dir.Entry(at)
	if err != nil {
		return
	}
	add := func(info fs.FileInfo, err error, at string) {
		if err == nil && workdir.Links(info) > 1 {
			b.known = append(b.known, alias{info, at})
		}
	}
	info, err := p.Info()
	if add(info, err, at); err != nil || !info.IsDir() {
		return
	}
	p.Walk(func(rel string, e fs.DirEntry, err error) error {
		if files--; files < 0 {
			return fs.SkipAll
		}
		if err == nil {
			info, err := e.Info()
			add(info, err, at+"/"+rel)
		}
		return nil
	})
}

// unmask makes the subject of a file that is a secret by another name one.
func (s *source) unmask(b *Boxes) {
	if s.subject.Path == "" {
		return
	}
	if info, err := s.Info(); err == nil {
		if at := b.secretOf(info); at != "" && at != s.Abs {
			s.subject.Via = at
		}
	}
}
