package tools

import (
	"context"
	"fmt"

	"tricode/approval"
)

// DeleteFile returns the tool that removes one file or link.
func DeleteFile(w World) Tool {
	type input struct {
		Path string `json:"path"`
	}
	return New("delete_file", "", func(ctx context.Context, in input) (*approval.Action, error) {
		p, err := w.Dir.Entry(in.Path)
		if err != nil {
			return nil, err
		}
		info, err := p.Info()
		if err == nil && info.IsDir() {
			err = fmt.Errorf("%s: is a directory; delete_path removes it", p.Shown())
		}
		if err != nil {
			return approval.Impossible("delete "+p.Shown(), err, subjectAt(p, approval.Delete)), nil
		}
		return removal(ctx, w, p, info), nil
	})
}
