package tools

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"tricode/approval"
	"tricode/workdir"
)

// maxEdit bounds the files that can be edited, in bytes.
const maxEdit = 16 << 20

type editInput struct {
	Path         string  `json:"path"`
	Mode         string  `json:"mode" enum:"patch,overwrite,append,prepend"`
	Content      *string `json:"content,omitempty"`
	Hunks        []edit  `json:"hunks,omitempty"`
	Precondition struct {
		SHA256 string `json:"file_sha256,omitempty"`
	} `json:"precondition,omitzero"`
	DryRun bool `json:"dry_run,omitempty"`
}

// EditFile returns the tool that changes a file. home is the person's home directory.
func EditFile(dir *workdir.Dir, home string) Tool {
	return New("edit_file", "Change a file: mode patch takes hunks, the others content. anchor is old text that occurs once, or occurrence says which; without it the lines are meant.",
		func(ctx context.Context, in editInput) (*approval.Action, error) {
			if err := in.check(); err != nil {
				return nil, err
			}
			p, err := dir.Resolve(in.Path)
			if err != nil {
				return nil, err
			}
			secret := approval.IsSecret(p.Abs, home) || p.Via != "" && approval.IsSecret(p.Via, home)
			return (&editing{editInput: in, path: p, secret: secret}).plan(ctx), nil
		}).writing()
}

// check finds the mistakes that need no file.
func (in *editInput) check() error {
	if in.Mode != "patch" {
		switch {
		case in.Hunks != nil:
			return errors.New("hunks: only with mode patch")
		case in.Content == nil || *in.Content == "" && in.Mode != "overwrite":
			return errors.New("content: missing")
		}
		return nil
	}
	switch {
	case in.Content != nil:
		return errors.New("content: with mode patch it belongs into the hunks")
	case len(in.Hunks) == 0:
		return errors.New("hunks: missing")
	case len(in.Hunks) > maxEdits:
		return fmt.Errorf("hunks: %d are too many; %d at most", len(in.Hunks), maxEdits)
	}
	for i, e := range in.Hunks {
		if err := e.check(); err != nil {
			return fmt.Errorf("hunks[%d].%w", i, err)
		}
	}
	return nil
}

// editing is one call on its way to an action.
type editing struct {
	editInput
	path   workdir.Path
	secret bool // the file holds credentials, so nothing about its contents is told unasked
}

func (e *editing) plan(ctx context.Context) *approval.Action {
	old, err := e.path.Read(maxEdit)
	if errors.Is(err, fs.ErrNotExist) && e.Mode != "patch" && e.Precondition.SHA256 == "" {
		old, err = nil, nil
	}
	if err != nil {
		return approval.Impossible("edit "+e.path.Shown(), unreadable(e.path, err), e.subjects()...)
	}
	data, err := e.after(ctx, old)
	switch {
	case err != nil:
		return e.failed(fmt.Errorf("%s: %w", e.path.Shown(), err))
	case old != nil && bytes.Equal(old, data):
		return approval.NewAction("edit "+e.path.Shown(), say("no change"), subjectAt(e.path, approval.Read))
	}
	return e.action(old, data)
}

// action describes the change of the file from old, nil for a missing file, to data.
func (e *editing) action(old, data []byte) *approval.Action {
	verb, past := "edit ", "edited "
	if old == nil {
		verb, past = "create ", "created "
	}
	shown := old
	if binary(old) {
		shown = nil
	}
	d := diffOf(shown, data)
	if binary(old) {
		d = d.noted(`\ ` + byteCount(int64(len(old))) + " that are not text are replaced")
	}
	change := e.path.Shown() + changed(d.added, d.removed)
	if e.DryRun {
		return approval.NewAction("try to "+verb+change, say(change+"\n"+d.text()), subjectAt(e.path, approval.Read))
	}
	a := approval.NewAction(verb+change, func(context.Context, io.Writer) (approval.Result, error) {
		if e.Precondition.SHA256 != "" {
			change += ", sha256 " + digest(data)
		}
		return done(past+change, e.path.Replace(old, data))
	}, e.subjects()...)
	a.Becomes = data
	a.Draft = e.draft(data)
	a.Preview.Sections = []approval.Section{{Title: "Changes", Diff: true, Lines: d.lines}}
	return a
}

// draft is what the file would become, for a person to write anew. What the model did not write itself it would be told
// then, so a secret file has none unless the model wrote all of it.
func (e *editing) draft(data []byte) *approval.Draft {
	if e.secret && e.Mode != "overwrite" || !utf8.Valid(data) {
		return nil
	}
	text := string(data)
	in := editInput{Path: e.Path, Mode: "overwrite", Content: &text, Precondition: e.Precondition}
	return draft(e.Path, &in, in.Content, nil)
}

// subjects are what the policy judges: the write, and that its success tells something about what is there.
func (e *editing) subjects() []approval.Subject {
	write := subjectAt(e.path, approval.Write)
	if e.path.Links() > 1 {
		write.Effects |= approval.HardLink
	}
	if e.DryRun {
		return []approval.Subject{subjectAt(e.path, approval.Read)}
	}
	if e.Mode == "patch" || e.Precondition.SHA256 != "" {
		return []approval.Subject{write, subjectAt(e.path, approval.Read)}
	}
	return []approval.Subject{write}
}

// failed is the action of an edit that does not fit the contents. Of a secret file that is worth a question:
// whether a pattern matches gives the contents away bit by bit.
func (e *editing) failed(err error) *approval.Action {
	summary := "edit " + e.path.Shown()
	if !e.secret {
		return approval.Impossible(summary, err, e.subjects()...)
	}
	return approval.NewAction(summary, func(context.Context, io.Writer) (approval.Result, error) {
		return approval.Result{}, err
	}, append(e.subjects(), subjectAt(e.path, approval.Read))...)
}

func unreadable(p workdir.Path, err error) error {
	switch {
	case errors.Is(err, workdir.ErrTooLarge):
		return fmt.Errorf("%s: has more than %d MiB, too large to edit", p.Shown(), maxEdit>>20)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w; create_file makes one", err)
	}
	return err
}

// after is what the file would hold.
func (e *editing) after(ctx context.Context, old []byte) ([]byte, error) {
	if want := e.Precondition.SHA256; want != "" && !strings.EqualFold(want, digest(old)) {
		return nil, fmt.Errorf("precondition: the file has changed, its sha256 is %s; read it again", digest(old))
	}
	if binary(old) && e.Mode != "overwrite" {
		return nil, errors.New("not a text file; only mode overwrite can change it")
	}
	d := parse(old)
	var text string
	var err error
	switch e.Mode {
	case "overwrite":
		text = d.overwrite(*e.Content)
	case "append":
		text = d.append(*e.Content)
	case "prepend":
		text = d.prepend(*e.Content)
	default:
		text, err = patch(ctx, d.text, e.adapted(d))
	}
	if err == nil && len(text) > maxEdit {
		err = fmt.Errorf("would have more than %d MiB", maxEdit>>20)
	}
	if err != nil {
		return nil, err
	}
	return d.bytes(text), nil
}

// adapted are the hunks with the line ends of the document.
func (e *editing) adapted(d document) []edit {
	edits := make([]edit, len(e.Hunks))
	for i, h := range e.Hunks {
		h.Content = d.adapt(h.Content)
		if !h.Regex {
			h.Anchor = d.adapt(h.Anchor)
		}
		edits[i] = h
	}
	return edits
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
