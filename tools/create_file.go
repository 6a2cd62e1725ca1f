package tools

import (
	"context"
	"io"

	"tricode/approval"
	"tricode/workdir"
)

// CreateFile returns the tool that makes a new file.
func CreateFile(dir *workdir.Dir) Tool {
	type input struct {
		Path    string `json:"path"`
		Content string `json:"content"`
	}
	return New("create_file", "Create a new file, with its directories.",
		func(_ context.Context, in input) (*approval.Action, error) {
			p, err := dir.Resolve(in.Path)
			if err != nil {
				return nil, err
			}
			entry, err := dir.Entry(in.Path) // a link that leads nowhere is something that exists
			if err != nil {
				return nil, err
			}
			subject := subjectAt(p, approval.Write)
			if err := missing(entry); err != nil {
				return approval.Impossible("create "+p.Shown(), err, subject), nil
			}
			change := p.Shown() + changed(lineCount(in.Content), 0)
			data := []byte(in.Content)
			a := approval.NewAction("create "+change, func(context.Context, io.Writer) (approval.Result, error) {
				return done("created "+change, p.Create(data))
			}, subject)
			a.Becomes = data
			a.Draft = draft(in.Path, &in, &in.Content, nil)
			return a, nil
		}).writing()
}
