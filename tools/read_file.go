package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"tricode/approval"
	"tricode/workdir"
)

// ReadFile returns the tool that shows a text file, or a part of it. It also reads what lies in outputs, by its
// absolute path.
func ReadFile(w World) Tool {
	type input struct {
		Path         string `json:"path"`
		StartLine    int    `json:"start_line,omitempty"`
		EndLine      int    `json:"end_line,omitempty"`
		MaxBytes     int    `json:"max_bytes,omitempty"`
		WithMetadata bool   `json:"with_metadata,omitempty"`
	}
	return New("read_file", "Read a text file.", func(_ context.Context, in input) (*approval.Action, error) {
		window, err := windowOf(in.StartLine, in.EndLine, in.MaxBytes)
		if err != nil {
			return nil, err
		}
		from, err := readable(w.Dir, w.Outputs, in.Path)
		if err != nil {
			return nil, err
		}
		from.unmask(w.Boxes)
		summary := "read " + from.name
		switch {
		case in.EndLine > 0:
			summary += fmt.Sprintf(" (lines %d-%d)", window.first, window.last)
		case in.StartLine > 1:
			summary += fmt.Sprintf(" (from line %d)", window.first)
		}
		return approval.NewAction(summary, func(ctx context.Context, _ io.Writer) (approval.Result, error) {
			text, err := readWindow(ctx, from, window, in.WithMetadata)
			return approval.Result{Text: text, Hidden: from.kept()}, err
		}, from.subject), nil
	})
}

// windowOf checks which part of a file is wanted.
func windowOf(start, end, bytes int) (window, error) {
	w := window{first: max(start, 1), last: end, bytes: defaultBytes, lines: defaultLines, width: defaultWidth}
	switch {
	case start < 0:
		return w, fmt.Errorf("start_line: %d is less than 1", start)
	case end < 0:
		return w, fmt.Errorf("end_line: %d is less than 1", end)
	case end > 0 && end < w.first:
		return w, fmt.Errorf("end_line: %d is before start_line %d", end, w.first)
	case bytes < 0:
		return w, fmt.Errorf("max_bytes: %d is less than 1", bytes)
	}
	if end > 0 {
		w.lines = end
	}
	if bytes > 0 {
		w.bytes = min(bytes, mostBytes)
		w.width = w.bytes
	}
	return w, nil
}

// source is what is to be read.
type source struct {
	workdir.Path
	name    string // as it is shown
	subject approval.Subject
}

// kept reports whether it is an output of this run, in which secrets are hidden.
func (s source) kept() bool { return s.subject.Path == "" }

// readable finds what a name means. What lies in outputs is tricode's own, made by this run, so its subject has no
// path that a rule or the list of secret places could speak of.
func readable(dir, outputs *workdir.Dir, name string) (source, error) {
	if outputs != nil && filepath.IsAbs(name) {
		if p, err := outputs.Resolve(name); err == nil && p.Rel != "" {
			if info, err := p.Info(); err == nil && info.Mode().IsRegular() {
				return source{p, p.Abs, approval.Subject{Effects: approval.Read}}, nil
			}
		}
	}
	p, err := dir.Resolve(name)
	return source{p, p.Shown(), subjectAt(p, approval.Read)}, err
}

// fault says in words that help a model why the source could not be read.
func (s source) fault(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist", s.name)
	case errors.Is(err, workdir.ErrNotRegular):
		if info, err := s.Info(); err == nil && info.IsDir() {
			return fmt.Errorf("%s is a directory; list_directory shows it", s.name)
		}
	}
	return err
}

// readWindow is what the model is told: the facts if it wants them, the text, and what is not as it is in the file.
func readWindow(ctx context.Context, s source, w window, facts bool) (string, error) {
	f, err := s.Open()
	if err != nil {
		return "", s.fault(err)
	}
	defer f.Close()
	v := viewer{window: w}
	if err := v.read(ctx, f, facts); err != nil {
		return "", fmt.Errorf("%s: %w", s.name, err)
	}
	if v.kind == "" && w.first > max(v.line, 1) {
		return "", fmt.Errorf("%s has %d lines; start_line %d is past its end", s.name, v.line, w.first)
	}
	text := v.notes().below(string(v.text))
	if facts {
		text = fmt.Sprintf("[%s%s]\n%s", v.facts(), modeAndTime(s), text)
	}
	return text, nil
}

func modeAndTime(s source) string {
	info, err := s.Info()
	if err != nil {
		return ""
	}
	return fmt.Sprintf(", mode %#o, changed %s", info.Mode().Perm(), info.ModTime().UTC().Format("2006-01-02T15:04:05Z"))
}
