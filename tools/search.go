package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"runtime"
	"strings"

	"tricode/approval"
	"tricode/workdir"
)

const (
	// mostSearched is the size up to which a file is searched that was not asked for by its own path.
	mostSearched = 10 << 20
	// fewFiles is how many files are searched right away: starting a program takes as long.
	fewFiles = 64
)

// search is one search below a directory, or in a file.
type search struct {
	walker
	globs  *globs
	lines  lineFinder
	faster func(ctx context.Context, files []string) (map[string]bool, error) // nil: there is none
	few    int                                                                // files that it is not worth for
	hides  func(approval.Subject) bool                                        // nil: none
	boxes  *Boxes                                                             // that know second names of secrets; nil: none

	out     strings.Builder
	batch   []string // files, relative to where the search began, that faster will be asked about
	size    int      // bytes of their paths
	files   int
	matches int
	denied  int // files that a rule denies to read
	large   int
	broken  int  // files that could not be read
	full    bool // mostMatches were found, and there are more
	late    bool
}

func (s *search) run(ctx context.Context, home string) (string, error) {
	info, err := s.Info()
	if err != nil {
		return "", s.fault(err)
	}
	if !info.IsDir() {
		if err := s.file(ctx); err != nil {
			return "", s.fault(err)
		}
		return s.answer(), nil
	}
	if !approval.IsSecret(s.Abs, home) { // otherwise a person was asked
		s.secret = func(rel string) bool { return s.globs.match(rel) && approval.IsSecret(s.Abs+"/"+rel, home) }
	}
	limited, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	err = s.walk(limited, func(rel string, e fs.DirEntry) error { return s.visit(limited, rel, e) })
	if err == nil {
		err = s.flush(limited)
	}
	if s.late = limited.Err() != nil && ctx.Err() == nil; err != nil && !s.late {
		return "", err
	}
	return s.answer(), nil
}

// visit searches a file, or puts it aside for ripgrep. When the answer is full the walk goes on, to count what is
// left out.
func (s *search) visit(ctx context.Context, rel string, e fs.DirEntry) error {
	if !e.Type().IsRegular() || !s.globs.match(rel) {
		return nil
	}
	if s.hides != nil && s.hides(approval.Subject{Path: s.Abs + "/" + rel, Rel: path.Join(s.Rel, rel)}) {
		s.denied++
		return nil
	}
	info, err := e.Info()
	switch {
	case err != nil:
		return nil // removed since
	case s.boxes.secretOf(info) != "":
		s.secrets++
		return nil
	case info.Size() > mostSearched:
		s.large++
		return nil
	case s.full:
		return nil
	}
	s.files++
	if entry, ok := e.(workdir.Entry); ok && (s.faster == nil || s.files <= s.few) {
		data, err := entry.Read(mostSearched)
		return s.data(ctx, rel, data, err)
	}
	s.batch = append(s.batch, rel)
	if s.size += len(s.Abs) + len(rel) + 2; s.size < batchSize() {
		return nil
	}
	return s.flush(ctx)
}

// batchSize is how many bytes of paths one program is given; the system's limit is above 128 KB, and 32 KB on Windows.
func batchSize() int {
	if runtime.GOOS == "windows" {
		return 16 << 10
	}
	return 96 << 10
}

// flush searches the files that were put aside: those that ripgrep names, or all if it fails.
func (s *search) flush(ctx context.Context) error {
	if len(s.batch) == 0 {
		return nil
	}
	files := make([]string, len(s.batch))
	for i, rel := range s.batch {
		files[i] = s.Abs + "/" + rel
	}
	named, err := s.faster(ctx, files)
	for i, rel := range s.batch {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case s.full:
		case err != nil || named[files[i]]:
			data, err := s.read(files[i])
			if err := s.data(ctx, rel, data, err); err != nil {
				return err
			}
		}
	}
	s.batch, s.size = s.batch[:0], 0
	return nil
}

func (s *search) read(file string) ([]byte, error) {
	p, err := s.dir.Entry(file)
	if err != nil {
		return nil, err
	}
	return p.Read(mostSearched)
}

// data searches what was read of a file.
func (s *search) data(ctx context.Context, rel string, data []byte, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist): // removed since
	case err != nil:
		s.broken++
	case s.lines.possible(data):
		if s.name != "." {
			rel = s.name + "/" + rel
		}
		return s.scan(rel, watched{ctx, bytes.NewReader(data)})
	}
	return nil
}

// file searches a file that was asked for, of whatever size.
func (s *search) file(ctx context.Context) error {
	f, err := s.Open()
	if err != nil {
		return err
	}
	defer f.Close()
	s.files++
	return s.scan(s.name, watched{ctx, f})
}

// scan adds the matching lines of a file to the answer until that is full.
func (s *search) scan(name string, f io.Reader) error {
	err := s.lines.find(f, func(n int, line []byte, at []int) error {
		if s.full = s.matches == mostMatches; s.full {
			return fs.SkipAll
		}
		s.matches++
		fmt.Fprintf(&s.out, "%s:%d:%s\n", plainName(name), n, around(line, at))
		return nil
	})
	if err == fs.SkipAll {
		return nil
	}
	return err
}

// answer is what the model is told.
func (s *search) answer() string {
	var n notes
	n.add(s.matches == 0, "no match in %s", number(s.files, "file", "files"))
	n.add(s.matches == 0 && s.dotted+s.ignored > 0, "hidden and git-ignored files are not searched")
	n.add(s.full, "only the first %d matches are shown; narrow the pattern, the path or the glob", mostMatches)
	n.add(s.late, "stopped after %s; narrow the path or the glob", searchTime)
	n.add(s.stopped, "only the first %d entries were looked at; narrow the path", mostVisited)
	n.add(s.secrets > 0, "%s that may hold secrets left out", number(s.secrets, "file", "files"))
	n.add(s.denied > 0, "%s that a rule denies left out", number(s.denied, "file", "files"))
	n.add(s.large > 0, "%s of more than %s left out; name one as path to search it", number(s.large, "file", "files"), byteCount(mostSearched))
	n.add(s.broken+s.unreadable > 0, "%s could not be read", number(s.broken+s.unreadable, "file or directory", "files or directories"))
	return n.below(s.out.String())
}
