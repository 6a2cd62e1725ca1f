package tools

import (
	"io"

	"tricode/approval"
	"tricode/workdir"
	"tricode/workdir/sandbox"
)

// World is what the tools of one run work on.
type World struct {
	Dir      *workdir.Dir
	Outputs  *workdir.Dir // where outputs too long for the model are kept; read_file may read them
	Box      *sandbox.Box
	Sessions *Sessions
	Plan     *Plan
	Home     string // the person's home directory, for what counts as secret

	// Boxes hold the commands; nil for none.
	Boxes *Boxes
	// Recheck decides about each step of a command when it happens; nil lets all be taken that were part of what was
	// approved.
	Recheck func(r *approval.Recheck, part *approval.Action) error

	// Concern reports whether a deny or ask rule may speak of commands with a name; nil if that is not known.
	Concern func(name string) bool

	// Hides reports whether a rule denies to read a file, so that a search leaves it out; nil for none.
	Hides func(approval.Subject) bool

	// Redact hides secrets in what is written to its result before that comes to a writer; Close gives out the rest. Nil
	// for none.
	Redact func(io.Writer) io.WriteCloser
	// Guards reports whether a rule denies or asks about reading the file at an absolute path; nil for none.
	Guards func(name string) bool
	// History saves asking git anew about each command; nil for nothing.
	History *History
}

// All lists the tools in the order in which the model is told of them.
func All(w World) []Tool {
	return []Tool{
		NewPlan(w.Plan),
		ReadFile(w),
		ListDirectory(w.Dir),
		SearchContext(w),
		CreateFile(w.Dir),
		EditFile(w.Dir, w.Home),
		DeleteFile(w),
		DeletePath(w),
		Mkdir(w.Dir),
		MovePath(w.Dir, w.Home),
		RunCommand(w),
		StartSession(w),
		SendInput(w),
		ReadOutput(w),
		CloseSession(w),
		ListSessions(w),
		FetchURL(w),
	}
}
