package shell

import (
	"cmp"
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
		if body, ok := w.state.funcs[name.text]; ok {
			w.emit(c, c.effects(), "")
			w.callFunction(body, c.words)
			return
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
		if wr, ok := wrappers[program]; ok {
			w.wrapper(c, wr)
			return
		}
		w.program(c)
	}
}

// programName is the name by which the tables know a program.
func programName(name string) string {
	return strings.TrimSuffix(path.Base(name), ".exe")
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

// program records a program that is neither a builtin nor runs others.
func (w *walker) program(c run) {
	name := c.words[0].text
	where, foreign := w.own(name)
	e, why := approval.Effects(0), ""
	reading := !foreign && reads(programName(name), c.words)
	other := reading && programName(name) == "git" && w.otherRepository(c.words[1:])
	switch {
	case other:
		e, why = approval.Exec, "the configuration of another repository can start programs"
		w.here()
	case reading:
		e = approval.Read
		w.here()
	default:
		e, why = w.judge(c)
		if foreign && where != "" {
			e |= approval.ExecProject
		}
	}
	cmd := w.emit(c, e, why)
	cmd.Program, cmd.Foreign = where, foreign || strings.Contains(name, "/")
	if !reading {
		cmd.Needs = w.needed(programName(name), c.words[1:])
	}
	cmd.Runs = runsMore(programName(name), c.words[1:])
	if programName(name) == "git" {
		cmd.git(c.words[1:])
	}
	cmd.Unlisted = unlisted(programName(name))
	w.names(len(w.out.Commands)-1, c.words, e)
	if programName(name) == "git" {
		w.gitAliases(c)
	}
	for _, x := range c.words[1:] {
		if x.found && strings.HasPrefix(x.text, "-") {
			w.opaque(c.args(), "a file name looks like an option")
			break
		}
	}
}

// git notes what rules need to know about a git command.
func (cmd *Command) git(rest []word) {
	global, sub, words := gitSplit(rest)
	if sub == "" {
		return
	}
	_, why := gitRuns(rest)
	cmd.Runs = why != ""
	if len(global.options) == 0 {
		return
	}
	cmd.Plain = append([]string{"git", sub}, run{words: words}.args()...)
	for _, o := range global.options {
		cmd.Elsewhere = cmd.Elsewhere || o.is("C", "git-dir work-tree namespace")
	}
}

// own finds a program; foreign says that it is not one of the system's or the person's, known by its name.
func (w *walker) own(name string) (where string, foreign bool) {
	where, ours := w.locate(name)
	return where, where == "" || ours || strings.Contains(name, "/") && !systemProgram(name)
}

// locate finds a program; one that is named by its path is looked for from where the shell is.
func (w *walker) locate(name string) (string, bool) {
	if w.started != "" && w.around == 0 {
		return w.r.Program(w.started)
	}
	if strings.Contains(name, "/") {
		full := w.from(name)
		if len(full) != 1 {
			return "", true
		}
		name = full[0]
	}
	return w.r.Program(name)
}

// systemProgram reports whether a program's path is one where the system keeps its own.
func systemProgram(name string) bool {
	switch path.Dir(path.Clean(name)) {
	case "/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/opt/homebrew/bin":
		return true
	}
	return false
}

// here records the directory a command works in, if that is not the work directory.
func (w *walker) here() {
	if len(w.state.dirs) != 1 || w.state.dirs[0] != w.r.WorkDir() {
		w.path(approval.Read, ".", "")
	}
}

// judge tells the effects of a program that does not only read.
func (w *walker) judge(c run) (approval.Effects, string) {
	e, why := classify(c.words, w.behind)
	if danger, reason := dangerous(c.words); danger != 0 {
		e, why = e|danger, reason
	} else if w.behind && toDatabase(programName(c.words[0].text), c.words[1:]) != nil {
		danger, reason := w.fedStatements()
		e, why = e|danger, cmp.Or(reason, why)
	}
	if printsCredential(c.words) {
		e, why = e|approval.Secret, "prints a credential"
	}
	if !c.settled() {
		e |= approval.ExecOpaque
		if why == "" {
			why = "its words are not known before it runs"
		}
	}
	return e | approval.Exec, why
}
