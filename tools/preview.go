package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"tricode/approval"
	"tricode/workdir/sandbox"
)

// Previews returns nil if command lines can run in a preview here: in a layer over the work directory, where what they change
// stays until a person has seen it. Otherwise it says why not.
func (b *Boxes) Previews(ctx context.Context) error {
	if !b.on() {
		return errors.New("commands do not run in a sandbox")
	}
	layer, err := sandbox.NewOverlay(b.Layer)
	if err != nil {
		return err
	}
	defer layer.Close()
	limits := &sandbox.Limits{Write: []string{b.Dir.Name()}, Overlay: layer.At()}
	_, err = b.Box.Run(ctx, sandbox.Cmd{Text: "true", Limits: limits})
	return err
}

// Close removes what a preview left that was not kept.
func (b *Boxes) Close() error {
	if b.Layer == "" {
		return nil
	}
	return sandbox.RemoveOverlay(b.Layer)
}

// previewed reports whether the line runs in a preview.
func (c *commandLine) previewed() bool {
	return c.w.Boxes.on() && c.w.Boxes.Layer != "" && !c.session && !c.onlyReads()
}

// preview runs the line without network in a layer over the work directory. What comes next is to keep what it changed.
func (c *commandLine) preview(ctx context.Context, timeout time.Duration, live io.Writer) (approval.Result, error) {
	layer, err := sandbox.NewOverlay(c.w.Boxes.Layer)
	if err != nil {
		return approval.Result{}, fmt.Errorf("preview: %w", err)
	}
	c.layer = layer.At()
	r, err := c.run(ctx, timeout, live)
	if r.Changed = []string{}; err == nil { // what is kept is the next action
		r.Text = withNote(r.Text, "(run in a preview without network)")
		if r.Next, err = c.keeping(ctx, layer, r.Text); err != nil {
			err = fmt.Errorf("it was run in a preview, and nothing of what it changed can be kept: %w", err)
		}
	}
	if r.Next == nil {
		layer.Close() // what stays goes with the next one
		r.Text = withNote(r.Text, "nothing in the work directory changed")
	}
	return r, err
}

// keeping is the action that keeps what the line changed, with every path as a subject; nil if it changed nothing.
func (c *commandLine) keeping(ctx context.Context, layer *sandbox.Overlay, text string) (*approval.Action, error) {
	f, err := c.changed(ctx, layer)
	if err != nil || len(f.list) == 0 {
		return nil, err
	}
	a := approval.NewAction("keep what it changed: "+f.String(), func(ctx context.Context, _ io.Writer) (approval.Result, error) {
		defer layer.Close()
		return approval.Result{Text: "kept: " + f.String()}, f.keep(ctx, layer)
	}, f.subjects(c)...)
	a.Confirm = true
	a.Becomes = f.sum.Sum(nil)
	if hidden := c.w.Boxes.Hidden; hidden != nil {
		text = hidden(text)
	}
	a.Preview = approval.Preview{Arguments: c.approved.Preview.Arguments, Sections: append(f.shown, printed(text))}
	return a, nil
}

// subjects are the paths that are changed.
func (f *changes) subjects(c *commandLine) []approval.Subject {
	var all []approval.Subject
	manages := c.analysis.Manages()
	for _, one := range f.list {
		for _, s := range one.subjects() {
			s.Kept = keeps(s.Rel) && (manages || c.changes(s.Path))
			all = append(all, s)
		}
	}
	return all
}
