package tools

import (
	"context"
	"fmt"
	"io"
	"path"

	"tricode/approval"
	"tricode/workdir"
)

// Mkdir returns the tool that makes a directory.
func Mkdir(dir *workdir.Dir) Tool {
	type input struct {
		Path    string `json:"path"`
		Parents bool   `json:"parents,omitempty" default:"true"`
		ExistOK bool   `json:"exist_ok,omitempty"`
	}
	return New("mkdir", "", func(_ context.Context, in input) (*approval.Action, error) {
		p, err := dir.Resolve(in.Path)
		if err != nil {
			return nil, err
		}
		summary, subject := "make directory "+p.Shown(), subjectAt(p, approval.Write)
		if info, err := p.Info(); err == nil && info.IsDir() && in.ExistOK {
			return approval.NewAction(summary, say(p.Shown()+" exists already: no change"), subjectAt(p, approval.Read)), nil
		}
		entry, err := dir.Entry(in.Path)
		if err != nil {
			return nil, err
		}
		if err := missing(entry); err != nil {
			return approval.Impossible(summary, err, subject), nil
		}
		if !in.Parents {
			if err := isDirectory(dir, path.Dir(p.Abs)); err != nil {
				return approval.Impossible(summary, err, subject), nil
			}
		}
		return approval.NewAction(summary, func(context.Context, io.Writer) (approval.Result, error) {
			return done("made directory "+p.Shown(), p.Mkdir(in.Parents))
		}, subject), nil
	})
}

// isDirectory returns an error unless name is a directory.
func isDirectory(dir *workdir.Dir, name string) error {
	p, err := dir.Resolve(name)
	if err != nil {
		return err
	}
	info, err := p.Info()
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s: not a directory", p.Shown())
	}
	return nil
}
