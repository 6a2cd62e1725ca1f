package tools

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path"

	"tricode/approval"
	"tricode/workdir"
)

// maxNames bounds how many names of files a person is shown of what would go.
const maxNames = 10

// tree is what there is at a path, counted in constant memory.
type tree struct {
	files, dirs int // files are all but directories; the directory at the path itself does not count
	bytes       int64
	first       []string // names of files, relative to the path
	protected   string   // the first that is, relative to the path; what follows it was not counted
	digest      [sha256.Size]byte
}

// look counts what is at p, where info was found. It fails if a part of it cannot be read.
func look(ctx context.Context, p workdir.Path, info fs.FileInfo) (tree, error) {
	var t tree
	sum := sha256.New()
	if !info.IsDir() {
		t.add(sum, ".", info)
	} else if err := t.walk(ctx, sum, p); err != nil {
		return t, err
	}
	sum.Sum(t.digest[:0])
	return t, nil
}

func (t *tree) walk(ctx context.Context, sum hash.Hash, p workdir.Path) error {
	return p.Walk(func(rel string, e fs.DirEntry, err error) error {
		if err == nil {
			err = context.Cause(ctx)
		}
		if errors.Is(err, workdir.ErrTooLarge) {
			err = errors.New("directory has too many entries to look through")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path.Join(p.Shown(), rel), err)
		}
		if approval.ProtectedName(path.Base(rel)) {
			t.protected = rel
			return fs.SkipAll
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		t.add(sum, rel, info)
		return nil
	})
}

func (t *tree) add(sum hash.Hash, rel string, info fs.FileInfo) {
	if info.IsDir() {
		t.dirs++
		fmt.Fprintf(sum, "%s\x00/\n", rel)
		return
	}
	t.files++
	if info.Mode().IsRegular() {
		t.bytes += info.Size()
	}
	if len(t.first) < maxNames {
		t.first = append(t.first, rel)
	}
	fmt.Fprintf(sum, "%s\x00%v %d %d\n", rel, info.Mode().Type(), info.Size(), info.ModTime().UnixNano())
}

// forbidden is the subject that keeps p from being removed because of what it holds, if there is such a thing.
func (t tree) forbidden(p workdir.Path) []approval.Subject {
	if t.protected == "" {
		return nil
	}
	s := approval.Subject{Effects: approval.Delete, Path: path.Join(p.Abs, t.protected)}
	if p.Rel != "" {
		s.Rel = path.Join(p.Rel, t.protected)
	}
	return []approval.Subject{s}
}

func (t tree) String() string {
	switch {
	case t.protected != "": // what else there is was not counted
		return "holds " + t.protected
	case t.files > 0:
		return number(t.files, "file", "files") + ", " + byteCount(t.bytes)
	case t.dirs > 0:
		return number(t.dirs, "directory", "directories") + " without files"
	}
	return "empty directory"
}

// removal plans to remove what is at p, where info was found.
func removal(ctx context.Context, w World, p workdir.Path, info fs.FileInfo) *approval.Action {
	subject := subjectAt(p, approval.Delete)
	t, err := look(ctx, p, info)
	if err != nil {
		return approval.Impossible("delete "+p.Shown(), err, subject)
	}
	subjects := append([]approval.Subject{subject}, t.forbidden(p)...)
	what := t.String()
	switch {
	case info.Mode().IsRegular():
		what = byteCount(t.bytes)
	case !info.IsDir():
		what = kind(info)
	}
	change := fmt.Sprintf("%s (%s)", p.Shown(), what)
	if len(subjects) == 1 && t.files > 0 { // else it is denied anyway
		subjects[0].Untracked = max(0, t.files-tracked(ctx, w, p))
	}
	a := approval.NewAction("delete "+change, func(ctx context.Context, _ io.Writer) (approval.Result, error) {
		if err := unchanged(ctx, p, t); err != nil {
			return done("", err)
		}
		return done("deleted "+change, remove(w.Dir, p, info))
	}, subjects...)
	a.Preview.Sections = []approval.Section{{Title: "Would be deleted", Lines: t.lines(p, subjects[0].Untracked)}}
	return a
}

// lines tells a person what would go.
func (t tree) lines(p workdir.Path, untracked int) []string {
	where := ""
	if t.dirs > 0 {
		where = " in " + number(t.dirs+1, "directory", "directories")
	}
	lines := []string{t.total(where, untracked)}
	for _, rel := range t.first {
		lines = append(lines, path.Join(p.Shown(), rel))
	}
	if more := t.files - len(t.first); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return lines
}

// total says how much would go, from where, and how much of it git could not bring back.
func (t tree) total(where string, untracked int) string {
	text := t.String()
	if t.files > 0 {
		text += where
	}
	switch {
	case untracked > 0 && untracked == t.files:
		text += ", not tracked by git"
	case untracked > 0:
		text += fmt.Sprintf(", %d of them not tracked by git", untracked)
	}
	return text
}

// unchanged returns workdir.ErrChanged unless what is at p is what was shown.
func unchanged(ctx context.Context, p workdir.Path, shown tree) error {
	info, err := p.Info()
	if err != nil {
		return err
	}
	now, err := look(ctx, p, info)
	if err == nil && now.digest != shown.digest {
		err = workdir.ErrChanged
	}
	return err
}

// remove removes a tree, or what the work directory holds: the directory itself stays, because it is in use.
func remove(dir *workdir.Dir, p workdir.Path, info fs.FileInfo) error {
	if !info.IsDir() {
		return p.Remove()
	}
	if p.Rel != "." {
		return p.RemoveAll()
	}
	entries, err := p.ReadDir()
	if err != nil {
		return err
	}
	for _, e := range entries {
		below, err := dir.Entry(path.Join(p.Abs, e.Name()))
		if err == nil {
			err = below.RemoveAll()
		}
		if err != nil {
			return err
		}
	}
	return nil
}
