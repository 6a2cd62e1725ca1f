package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"tricode/approval"
	"tricode/workdir"
)

// mostListed is how many entries list_directory shows.
const mostListed = 1000

// ListDirectory returns the tool that lists a directory, or all that lies below it.
func ListDirectory(dir *workdir.Dir) Tool {
	type input struct {
		Path       string `json:"path,omitempty" default:"."`
		ShowHidden bool   `json:"show_hidden,omitempty"`
		Recursive  bool   `json:"recursive,omitempty"`
	}
	return New("list_directory", "", func(_ context.Context, in input) (*approval.Action, error) {
		from, err := readable(dir, nil, in.Path)
		if err != nil {
			return nil, err
		}
		summary := "list " + from.name
		if in.Recursive {
			summary += " and all below it"
		}
		return approval.NewAction(summary, func(ctx context.Context, _ io.Writer) (approval.Result, error) {
			l := listing{walker: walker{dir: dir, source: from, hidden: in.ShowHidden}}
			text, err := l.run(ctx, in.Recursive)
			return approval.Result{Text: text}, err
		}, from.subject), nil
	})
}

// listing is what a directory holds, as the model is told.
type listing struct {
	walker
	out         strings.Builder
	shown, more int
}

func (l *listing) run(ctx context.Context, recursive bool) (string, error) {
	info, err := l.Info()
	if err != nil {
		return "", l.source.fault(err)
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s is not a directory; read_file reads files", l.name)
	}
	if recursive {
		err = l.walk(ctx, func(rel string, e fs.DirEntry) error { l.add(rel, e); return nil })
	} else {
		err = l.flat()
	}
	if err != nil {
		return "", err
	}
	return l.answer(), nil
}

// flat lists one directory, with what git ignores: there it does no harm and is worth knowing.
func (l *listing) flat() error {
	entries, err := l.ReadDir()
	if l.stopped = errors.Is(err, workdir.ErrTooLarge); err != nil && !l.stopped {
		return err
	}
	for _, e := range entries {
		if e.Name()[0] == '.' && !l.hidden {
			l.dotted++
			continue
		}
		l.add(e.Name(), e)
	}
	return nil
}

func (l *listing) add(rel string, e fs.DirEntry) {
	if l.shown == mostListed {
		l.more++
		return
	}
	l.shown++
	name := plainName(rel)
	switch {
	case e.IsDir():
		l.out.WriteString(name + "/\n")
	case e.Type() == fs.ModeSymlink:
		fmt.Fprintf(&l.out, "%s -> %s\n", name, l.target(rel))
	case !e.Type().IsRegular():
		fmt.Fprintf(&l.out, "%s (special file)\n", name)
	default:
		l.out.WriteString(name)
		if info, err := e.Info(); err == nil {
			fmt.Fprintf(&l.out, "\t%d", info.Size())
		}
		l.out.WriteByte('\n')
	}
}

// target says where a link leads in the end.
func (l *listing) target(rel string) string {
	p, err := l.dir.Resolve(l.Abs + "/" + rel)
	var outside *workdir.OutsideError
	switch {
	case errors.As(err, &outside):
		return plainName(outside.Path) + " (outside)"
	case err != nil:
		return "?"
	}
	switch info, err := p.Info(); {
	case errors.Is(err, fs.ErrNotExist):
		return plainName(p.Shown()) + " (does not exist)"
	case err == nil && info.IsDir():
		return plainName(p.Shown()) + "/"
	}
	return plainName(p.Shown())
}

func (l *listing) answer() string {
	var n notes
	n.add(l.shown == 0, "nothing to show")
	n.add(l.more > 0, "%d more not shown; list a directory of it", l.more)
	n.add(l.stopped, "there are more entries than can be counted")
	n.add(l.ignored > 0, "%d git-ignored left out", l.ignored)
	n.add(l.dotted > 0, "%d hidden left out; show_hidden shows them", l.dotted)
	n.add(l.unreadable > 0, "%s could not be read", number(l.unreadable, "directory", "directories"))
	return n.below(l.out.String())
}
