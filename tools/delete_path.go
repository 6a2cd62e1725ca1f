package tools

import (
	"context"
	"fmt"

	"tricode/approval"
	"tricode/workdir"
)

// DeletePath returns the tool that removes a file, a link or a directory. Of the work directory it removes what is
// in it.
func DeletePath(w World) Tool {
	type input struct {
		Path      string `json:"path"`
		Recursive bool   `json:"recursive,omitempty"`
	}
	return New("delete_path", "Delete a file or directory.", func(ctx context.Context, in input) (*approval.Action, error) {
		p, err := w.Dir.Entry(in.Path)
		if err != nil {
			return nil, err
		}
		info, err := p.Info()
		if err == nil && info.IsDir() && !in.Recursive {
			err = empty(p)
		}
		if err != nil {
			return approval.Impossible("delete "+p.Shown(), err, subjectAt(p, approval.Delete)), nil
		}
		return removal(ctx, w, p, info), nil
	})
}

// empty returns an error unless the directory at p is empty and may be removed.
func empty(p workdir.Path) error {
	entries, err := p.ReadDir()
	switch {
	case len(entries) > 0:
		return fmt.Errorf("%s: the directory is not empty; recursive removes it with all it holds", p.Shown())
	case err == nil && p.Rel == ".":
		return fmt.Errorf("%s: the work directory itself cannot be removed", p.Shown())
	}
	return err
}
