package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"tricode/approval"
	"tricode/workdir"
)

// MovePath returns the tool that renames a file, link or directory.
func MovePath(dir *workdir.Dir, home string) Tool {
	type input struct {
		Source      string `json:"source"`
		Destination string `json:"destination"`
	}
	return New("move_path", "Move or rename, into destination if it is a directory.", func(ctx context.Context, in input) (*approval.Action, error) {
		from, err := dir.Entry(in.Source)
		if err != nil {
			return nil, err
		}
		to, err := target(dir, in.Destination, path.Base(from.Abs))
		if err != nil {
			return nil, err
		}
		return move{dir, home, from, to}.plan(ctx), nil
	})
}

// target is where something of that name goes: into the directory that is there, as mv(1) has it, or there.
func target(dir *workdir.Dir, destination, name string) (workdir.Path, error) {
	into, err := dir.Resolve(destination)
	if err != nil {
		return into, err
	}
	if info, err := into.Info(); err == nil && info.IsDir() {
		return dir.Entry(strings.TrimRight(destination, "/") + "/" + name)
	}
	return dir.Entry(destination)
}

type move struct {
	dir      *workdir.Dir
	home     string
	from, to workdir.Path
}

func (m move) plan(ctx context.Context) *approval.Action {
	change := m.from.Shown() + " to " + m.to.Shown()
	subjects := []approval.Subject{subjectAt(m.from, approval.Delete), subjectAt(m.to, approval.Write)}
	if approval.IsSecret(m.from.Abs, m.home) && !approval.IsSecret(m.to.Abs, m.home) {
		subjects[0].Effects |= approval.Read // by its new name anybody may read it
	}
	info, err := m.from.Info()
	if err == nil {
		var t tree
		t, err = look(ctx, m.from, info)
		subjects = append(subjects, t.forbidden(m.from)...)
	}
	if err == nil {
		err = m.possible()
	}
	if err != nil {
		return approval.Impossible("move "+change, err, subjects...)
	}
	return approval.NewAction("move "+change, func(context.Context, io.Writer) (approval.Result, error) {
		if now, err := m.from.Info(); err == nil && now.Mode().Type() != info.Mode().Type() {
			return approval.Result{}, approval.ErrStale
		}
		return done("moved "+change, m.from.Rename(m.to))
	}, subjects...)
}

func (m move) possible() error {
	switch {
	case m.from.Rel == ".":
		return errors.New("the work directory itself cannot be moved")
	case m.from.Abs == m.to.Abs:
		return fmt.Errorf("%s: is there already", m.from.Shown())
	case strings.HasPrefix(m.to.Abs, m.from.Abs+"/"):
		return fmt.Errorf("%s: a directory cannot be moved into itself", m.from.Shown())
	}
	if err := missing(m.to); err != nil {
		return err
	}
	return isDirectory(m.dir, path.Dir(m.to.Abs))
}
