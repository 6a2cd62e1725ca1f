package shell

import (
	"path"
	"strings"

	"tricode/approval"
)

// builtins are the commands that a shell does itself and that change nothing outside of it. Commands that the table
// of reading programs has too (echo, printf, test) are left to that. Source: bash(1), "SHELL BUILTIN COMMANDS".
const builtins = " : true false break continue return exit wait shift cd pushd popd pwd dirs eval . source exec trap set unset read type hash" +
	" alias unalias umask ulimit shopt getopts times jobs fg bg disown suspend logout kill let mapfile readarray enable bind complete compgen compopt caller help history fc builtin command "

// Builtins are the names of the commands that a shell does itself.
func Builtins() []string { return append(strings.Fields(builtins), "echo", "printf", "test", "[") }

func builtinName(name string) bool { return strings.Contains(builtins, " "+name+" ") }

// builtin follows a command that the shell does itself; it reports whether it is one.
func (w *walker) builtin(c run) bool {
	name := c.words[0].text
	rest := c.words[1:]
	switch name {
	case ":", "true", "false", "exit", "times", "dirs", "caller", "help":
		w.emit(c, approval.Read, "")
	case "break", "continue", "return":
		w.emit(c, approval.Read, "")
		w.state.leave(w.state)
	case "wait", "jobs":
		w.jobs(c, rest)
	case "cd", "pushd", "popd":
		w.cd(c)
	case "eval":
		w.eval(c, rest)
	case ".", "source":
		w.emit(c, approval.Exec|approval.ExecOpaque, "runs the commands of a file")
		if len(rest) > 0 && rest[0].known {
			w.read(rest[0].text)
		}
		w.lose()
	case "exec", "command", "builtin":
		w.runner(c)
	case "trap":
		w.trap(c, rest)
	case "set", "shift":
		w.set(c, rest)
	case "unset":
		w.unsetCall(c, rest)
	case "read":
		w.readCall(c, rest)
	case "type":
		w.emit(c, lookupEffects(rest), "")
	case "alias":
		w.alias(c, rest)
	case "printf":
		return w.printf(c, rest)
	case "hash", "shopt", "getopts", "let", "mapfile", "readarray", "enable", "bind", "complete", "compgen", "compopt", "fc", "history", "unalias":
		w.emit(c, approval.Exec|approval.ExecOpaque, "can change what later commands mean")
		w.lose()
	case "umask", "ulimit", "fg", "bg", "disown", "suspend", "logout":
		w.emit(c, approval.Exec, "")
	default:
		return false
	}
	return true
}

// lose says that nothing can be taken for harmless any more. What is known stays as a guess, so that what is forbidden is refused.
func (w *walker) lose() { w.state.taint = "an earlier command can change what this one means" }

// cd moves the shell.
func (w *walker) cd(c run) {
	rest := c.words[1:]
	physical := false
	for len(rest) > 0 && rest[0].known && (rest[0].text == "--" || rest[0].text == "-L" || rest[0].text == "-P") {
		physical = physical || rest[0].text == "-P"
		rest = rest[1:]
	}
	target := literal(w.r.Home())
	switch {
	case len(rest) == 1 && c.words[0].text != "popd":
		target = rest[0]
	case len(rest) != 0 || c.words[0].text != "cd":
		target = word{}
	}
	if !target.known || target.text == "" || strings.HasPrefix(target.text, "-") || strings.HasPrefix(target.text, "+") {
		w.emit(c, approval.Exec|approval.ExecOpaque, "it is not known where it leads")
		w.state.dirs = nil
		return
	}
	w.emit(c, approval.Read, "")
	w.stat(target.text)
	var dirs []string
	missing := false
	for _, full := range w.from(target.text) {
		place := w.r.Resolve(path.Clean(full))
		if physical { // what follows is relative to where the links lead
			place = w.r.Resolve(full)
			full = place.Path
		}
		dirs = append(dirs, path.Clean(full))
		missing = missing || place.Kind != Dir
	}
	before := w.state.dirs
	w.state.dirs = dirs
	if missing { // then it fails, or an earlier command made it
		w.state.goAnywhere(before)
	}
}

// eval follows its words as a text of their own.
func (w *walker) eval(c run, rest []word) {
	if !c.known() {
		w.emit(c, approval.Exec|approval.ExecOpaque, "its words are not known before it runs")
		w.lose()
		return
	}
	w.emit(c, c.effects(), "")
	var texts []string
	for _, x := range rest {
		texts = append(texts, x.text)
	}
	w.nested(strings.Join(texts, " "))
}

// jobs follows commands about what runs in the background, of which one runs a command and one sets a variable.
func (w *walker) jobs(c run, rest []word) {
	for _, x := range rest {
		if name := c.words[0].text; !x.known || strings.HasPrefix(x.text, "-") && strings.Contains(x.text, map[string]string{"jobs": "x", "wait": "p"}[name]) {
			w.emit(c, approval.Exec|approval.ExecOpaque, "it is not known what it runs")
			w.lose()
			return
		}
	}
	w.emit(c, approval.Read, "")
}

// nested follows text within the text, in the same shell.
func (w *walker) nested(text string) {
	w.around++
	if why := oddText(text); why != "" {
		w.opaque([]string{text}, why)
	}
	if w.spend() {
		w.nesting++
		w.script(text)
		w.nesting--
	}
	w.around--
}

// lookupEffects is for commands that only say what a name stands for.
func lookupEffects(rest []word) approval.Effects {
	for _, x := range rest {
		if !x.known {
			return approval.Exec
		}
	}
	return approval.Read
}

// runner follows exec, command and builtin.
func (w *walker) runner(c run) {
	rest := c.words[1:]
	name := c.words[0].text
	g := grammar{flags: "pvV"}
	if name == "exec" {
		g = grammar{flags: "cl", values: "a"}
	}
	n, ok := g.leading(rest)
	switch {
	case !ok:
		w.emit(c, approval.Exec|approval.ExecOpaque, "it is not known what it runs")
	case n > 0 && name == "command" && strings.ContainsAny(rest[0].text, "vV"):
		w.emit(c, lookupEffects(rest[n:]), "")
	default:
		w.emit(c, approval.Read, "")
		// with options, exec starts a program under another name or without its environment
		w.within(rest[n:], func(ws []word) {
			w.run(run{words: ws, external: name == "exec", assigned: c.assigned || name == "exec" && n > 0, why: c.why})
		})
	}
}
