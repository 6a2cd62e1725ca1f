package shell

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"tricode/approval"
)

// call follows a simple command.
func (w *walker) call(c *syntax.CallExpr) {
	why, plain := w.assigns(c.Assigns, len(c.Args) > 0)
	start, download := len(w.out.Subjects), w.download
	ws := w.fields(c.Args)
	w.download = w.download || w.reached(start)
	defer func() { w.download = download }()
	if len(ws) == 0 {
		if len(c.Args) == 0 {
			w.keep(c.Assigns)
		}
		return
	}
	w.run(run{words: ws, assigned: !plain, set: len(c.Assigns) > 0, why: why})
}

// run is a command with what is known about the place it stands in.
type run struct {
	words    []word
	set      bool   // variables are set for it
	assigned bool   // and not only such that change how its output looks
	why      string // what one of them decides
	external bool   // a program starts it, so that it is no builtin and no function
}

// run follows a command whose words are expanded.
func (w *walker) run(c run) {
	if !w.spend() {
		return
	}
	w.nesting++
	defer func() { w.nesting-- }()
	name := c.words[0]
	switch {
	case !name.known:
		w.emit(c, approval.Exec|approval.ExecOpaque, "the program is not known before it runs")
		return
	case name.text == "":
		w.emit(c, approval.Exec, "")
		return
	}
	if !c.external {
		if f, ok := w.state.funcs[name.text]; ok {
			w.emit(c, c.effects(), "")
			w.callFunction(f, c.words)
			if !f.perhaps {
				return
			}
		}
		if w.builtin(c) {
			return
		}
	}
	program := programName(name.text)
	switch {
	case shells[program]:
		w.shell(c)
	case program == "find" || program == "fd" || program == "fdfind":
		w.find(c)
	default:
		if wr, ok := wrappers()[program]; ok {
			w.wrapper(c, wr)
			return
		}
		w.program(c)
	}
}

// programName is the name by which the tables know a program.
func programName(name string) string {
	return approval.Unprefixed(strings.TrimSuffix(path.Base(name), ".exe"))
}

// args are the words of a command as rules match them.
func (c run) args() []string {
	all := make([]string, len(c.words))
	for i, x := range c.words {
		all[i] = x.text
	}
	return all
}

// known reports whether all words of a command are known, or harmless wherever they stand.
func (c run) known() bool {
	for _, x := range c.words {
		if !x.known && !x.tame {
			return false
		}
	}
	return true
}

// effects are those of a command that only follows other commands, in the same shell.
func (c run) effects() approval.Effects {
	if c.set {
		return approval.Exec | approval.ExecOpaque // they see the variables too
	}
	return approval.Read
}

// settled is known, for a command that changes something: what an earlier command makes may be found by a glob.
func (c run) settled() bool {
	for _, x := range c.words {
		if x.idle {
			return false
		}
	}
	return c.known()
}

// emit records a command.
func (w *walker) emit(c run, e approval.Effects, why string) *Command {
	if e.Has(approval.ExecOpaque) && w.download && w.interprets(c.words[0]) {
		e, why = e|approval.Dangerous, "runs what it downloads"
	}
	if w.state.taint != "" {
		e, why = e|approval.Exec|approval.ExecOpaque, w.state.taint
	}
	if c.why != "" {
		e, why = e|approval.Exec|approval.ExecOpaque, c.why
	}
	if e.Only(approval.Read) && (c.assigned || w.inBack) {
		e |= approval.Exec
	}
	cmd := Command{Subject: min(len(w.out.Subjects), w.most.subjects-1)}
	cmd.Dir, cmd.Open = w.dir(), c.open()
	cmd.Inside, cmd.Assigned, cmd.Elsewhere = w.around, c.set || c.assigned, w.elsewhere()
	w.add(approval.Subject{Effects: e, Args: c.args(), Why: why})
	w.out.Commands = append(w.out.Commands, cmd)
	return &w.out.Commands[len(w.out.Commands)-1]
}

// interprets reports whether a command runs text.
func (w *walker) interprets(name word) bool {
	program := programName(name.text)
	return name.known && (shells[program] || interpreter(program) || program == "eval" || program == "." || program == "source")
}

// elsewhere reports whether the shell may be outside the work and additional directories.
func (w *walker) elsewhere() bool {
	for _, dir := range w.state.dirs {
		if dir != w.r.WorkDir() && w.r.Resolve(dir).Rel == "" {
			return true
		}
	}
	return w.state.dirs == nil
}
