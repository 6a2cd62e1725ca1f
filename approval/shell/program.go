package shell

import (
	"cmp"
	"path"
	"strings"

	"tricode/approval"
)

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
