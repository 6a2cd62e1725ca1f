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

// What the tools that change files have in common.

// subjectAt is a path as the policy judges it.
func subjectAt(p workdir.Path, e approval.Effects) approval.Subject {
	return approval.Subject{Effects: e, Path: p.Abs, Rel: p.Rel, Via: p.Via}
}

// say is the effect of an action that only answers.
func say(text string) approval.Effect {
	return func(context.Context, io.Writer) (approval.Result, error) { return approval.Result{Text: text}, nil }
}

// done is the answer of an effect. What somebody else made, changed or removed since the plan looked makes it stale.
func done(text string, err error) (approval.Result, error) {
	for _, changed := range [...]error{workdir.ErrChanged, workdir.ErrNotRegular, fs.ErrExist, fs.ErrNotExist} {
		if errors.Is(err, changed) {
			return approval.Result{}, approval.ErrStale
		}
	}
	if err != nil {
		return approval.Result{}, err
	}
	return approval.Result{Text: text}, nil
}

// missing returns nil if nothing is at p, and otherwise what is.
func missing(p workdir.Path) error {
	info, err := p.Info()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("%s: a %s of that name exists already", p.Shown(), kind(info))
}

func kind(info fs.FileInfo) string {
	switch info.Mode().Type() {
	case 0:
		return "file"
	case fs.ModeDir:
		return "directory"
	case fs.ModeSymlink:
		return "link"
	}
	return "special file"
}

// byteCount is a size as people read it, in powers of ten.
func byteCount(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	size, units := float64(n)/1000, "kMGTPE"
	for size >= 999.95 {
		size, units = size/1000, units[1:]
	}
	return fmt.Sprintf("%.1f %cB", size, units[0])
}

// number is a count with its noun: "1 file", "14 files".
func number(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// lineCount counts lines; the last one needs no line end.
func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
