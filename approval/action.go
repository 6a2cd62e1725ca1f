// Package approval stands between what the model wants and what happens.
//
// A tool can only describe an effect, as an [Action]; the [Gate] alone can perform it, because the effect is a
// field that no other package can reach. The [Policy] decides in the order of [Layer], the [Asker] puts what
// remains to a person. While a command line runs, a [Recheck] holds each of its steps against the policy of then.
package approval

import (
	"context"
	"errors"
	"io"
)

// Action is one tool call after planning: all that anybody needs to judge it, and the effect itself, which only
// a Gate can perform. The zero Action has unknown effects, so it is asked about, and does nothing.
type Action struct {
	Tool     string  // the tool's name
	Call     string  // the id of the model's call, set by the agent
	Input    string  // the arguments of the model's call, a JSON object or empty; set by the agent
	Effects  Effects // the union of the subjects' effects; Gate and Policy add what follows from their paths
	Summary  string  // one line for people: "edit main.go (+12 -3)"
	Preview  Preview
	Subjects []Subject
	Text     string // the whole command line, of a tool that runs one
	Becomes  []byte // what a file becomes: a correction of what a person denied is another action
	Draft    *Draft // what a person may write anew; nil if there is nothing
	Edited   bool   // a person wrote it anew, so it is asked about; set by the agent

	// Confirm says that a person is asked about it whatever else would allow it, because only now it is known what was done:
	// what a preview would keep. Nobody lifts that but the skip flag.
	Confirm bool

	// Rechecked says that the effect holds every program it starts and every file it opens against the policy once more,
	// see Recheck.
	Rechecked bool

	// Part says that it is a part of an action that is being performed, see Gate.Recheck.
	Part bool

	do    Effect
	fault error
}

// Effect does what an action describes. Output that a person may watch goes to live while it is produced. An
// effect returns ErrStale, before it changed anything, if the world is no longer the one that was planned for.
type Effect func(ctx context.Context, live io.Writer) (Result, error)

// Result is what the model is told about an effect.
type Result struct {
	Text string
	// Hidden says that secrets in Text are hidden already: names of secrets in it are no words of somebody else.
	Hidden bool
	Note   string // the line of Text that says what went wrong, though something was done: "exit status 1"; may be empty

	// Changed are the paths that were found changed, where the effect looked; nil says that it did what its subjects say.
	Changed []string

	// Next is what is decided about next, if what was done so far changed nothing that stays: to keep it. The Gate takes the
	// tool and the call of the action before.
	Next *Action
}

// ErrStale says that what an action was planned on has changed since; the call should be planned anew.
var ErrStale = errors.New("changed since it was shown")

// Subject is one thing that an action does something to: a path, a program with its arguments, a host or a
// session. Each subject is decided by itself and the strictest answer counts.
type Subject struct {
	Effects Effects

	// Path is the absolute path with links followed, as far as it exists. Rel is the same relative to the work
	// directory, or to the additional directory it lies in; it is empty for what is outside of all of them.
	Path, Rel string
	// Via is the absolute cleaned path as it was written, where a link made it differ from Path.
	Via string
	// Untracked counts the files, not tracked by git, that a deletion of Path would remove.
	Untracked int
	Tree      bool       // everything below Path too
	Kept      bool       // a program like git keeps it for itself and was allowed: a protected name in its path does not count
	By        []*Command // the commands whose words or redirects name Path; empty where that is not known

	Args    []string // a program as it was called and its arguments, unquoted
	Command *Command // what rules need beside Args; nil where it is not known
	Host    string   // the host of a URL, without port, lower case
	Session string   // the id of a session that gets input
	Why     string   // what makes the effects worth a question: "removes recursively"; may be empty
}

// Command is a simple command: what rules need beside its words.
type Command struct {
	Program string // the program's path; empty if there is none or a shell does it
	Inside  int    // how many other commands run it: 1 for rm in "sudo rm x"
	Dir     string // where it runs, absolute, links followed; empty where that is not known
	Fed     bool   // it reads what it is given, where it would otherwise read the directory that it runs in
	Open    []int  // the arguments, by index, that stand for any words: "$x", or what xargs adds

	// Plain are its words without what stands between the name and a subcommand: "git push" for "git -C x push". It is
	// nil where that is nothing.
	Plain []string

	// What keeps an allow rule from covering it, though its words match.
	Assigned  bool // variables are set for it
	Elsewhere bool // it runs outside the work directory, or is told to work in another one
	Foreign   bool // the program is not a bare name that is found where the run may not write
	Runs      bool // an option makes it start another program, or write over a file that is there

	Needs []string // credentials of the home directory that the program is known to read, absolute; allowed, it gets them

	Unlisted bool // unless it only reads, it may run what its words name
}

// Draft is the part of a call that a person may write anew before it is decided about.
type Draft struct {
	Name  string                            // of a file that holds such text, for its ending
	Text  string                            // as it is now
	Input func(text string) (string, error) // the arguments of the call with another text, a JSON object
}

// Preview is what a person needs to see beside the summary. Nothing in it is safe to print raw.
type Preview struct {
	Arguments []Argument // in the order of the tool's parameters
	Sections  []Section
}

// Argument is one argument of the call as the model gave it.
type Argument struct{ Name, Value string }

// Section is a titled block of lines: the diff of an edit, the files that would go, the programs that would run.
type Section struct {
	Title string
	Lines []string
	Notes []string // what is worth knowing about the line of the same index, such as where a program is; may be shorter
	Diff  bool     // the lines are a unified diff
}

// NewAction describes an effect on the given subjects. The action's effects are the union of theirs, and unknown
// if one of them is.
func NewAction(summary string, do Effect, subjects ...Subject) *Action {
	return &Action{Summary: summary, Effects: union(subjects), Subjects: subjects, do: do}
}

// Impossible describes an action that planning found cannot be done. It is decided like any other, so that what
// is forbidden is refused first, but nobody is asked about it: the gate answers with err.
func Impossible(summary string, err error, subjects ...Subject) *Action {
	a := NewAction(summary, nil, subjects...)
	a.fault = err
	return a
}

// Fault is why the action cannot be done, nil if it can as far as planning found.
func (a *Action) Fault() error { return a.fault }

func union(subjects []Subject) Effects {
	var all Effects
	for _, s := range subjects {
		if s.Effects == 0 {
			return 0
		}
		all |= s.Effects
	}
	return all
}
