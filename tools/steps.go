package tools

import (
	"context"
	"errors"
	"slices"

	"tricode/approval"
	"tricode/approval/shell"
	"tricode/workdir/sandbox"
)

// check decides about the steps of the line when they happen; nil if nobody does.
func (c *commandLine) check() func(context.Context, sandbox.Step) error {
	if c.w.Recheck == nil {
		return nil
	}
	r := &approval.Recheck{Approved: c.approved, Scratch: c.w.Boxes.scratch(c)}
	return func(ctx context.Context, s sandbox.Step) error {
		err := c.w.Recheck(r, step(ctx, c.w, s))
		if denied := (*approval.Denied)(nil); errors.As(err, &denied) {
			return errors.New(denied.Decision.Reason) // the shell says that it is a denial
		}
		return err
	}
}

// step is a step of a command as the gate sees it.
func step(ctx context.Context, w World, s sandbox.Step) *approval.Action {
	look := newResolver(ctx, w)
	if s.Path == "" {
		return approval.NewAction("start "+oneLine(quoted(s.Args)), nil, shell.Arguments(look, s.Dir, s.Program, s.Args).Subjects...)
	}
	effect, summary := approval.Read, "read "
	if s.Write {
		effect, summary = approval.Write, "write "
	}
	return approval.NewAction(summary+s.Path, nil, shell.Redirect(look, s.Dir, s.Path, effect).Subjects...)
}

// builtins are the commands that a shell does itself and of which rules may speak: loops run many of the others.
func (w World) builtins() []string {
	return slices.DeleteFunc(shell.Builtins(), func(name string) bool { return w.Concern != nil && !w.Concern(name) })
}
