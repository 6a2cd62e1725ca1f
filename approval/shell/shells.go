package shell

import (
	"strings"

	"tricode/approval"
)

// shells take a command line or a file of commands.
var shells = map[string]bool{
	"sh": true, "bash": true, "dash": true, "ash": true, "rbash": true, "zsh": true, "ksh": true, "mksh": true, "fish": true,
	"csh": true, "tcsh": true, "pwsh": true, "powershell": true, "cmd": true, "nu": true, "xonsh": true, "elvish": true,
}

// shell follows a shell with a literal command line; everything else that a shell does is opaque.
func (w *walker) shell(c run) {
	name := programName(c.words[0].text)
	where, foreign := w.own(c.words[0].text)
	e, why := approval.Effects(approval.Read), ""
	text, args, plain := shellText(c.words[1:])
	switch {
	case len(c.words) == 2 && c.words[1].known && c.words[1].text == "--version":
		plain = true
	case text.text == "":
		e, why = approval.Exec|approval.ExecOpaque, shellWhy(c, w.behind)
	case !text.known:
		e, why = approval.Exec|approval.ExecOpaque, "the text that a shell runs is not known"
	case name != "bash" && name != "sh" && name != "dash":
		e, why = approval.Exec|approval.ExecOpaque, name+" has a language of its own"
	}
	if !plain || foreign {
		e |= approval.Exec
	}
	cmd := w.emit(c, e, why)
	cmd.Program, cmd.Foreign, cmd.Runs = where, foreign, true
	if text.text == "" || !text.known {
		if len(c.words) > 1 && c.words[1].known && !strings.HasPrefix(c.words[1].text, "-") {
			w.read(c.words[1].text)
		}
		return
	}
	w.apart(func() {
		w.state.vars = nil
		w.state.zero, w.state.args = c.words[0], []word{}
		if len(args) > 0 {
			w.state.zero, w.state.args = args[0], args[1:]
		}
		w.nested(text.text)
	})
}

// shellWhy says why the commands of a shell cannot be known.
func shellWhy(c run, behind bool) string {
	switch {
	case len(c.words) > 1:
		return "runs the commands of a file"
	case behind:
		return "a shell runs what it is given"
	}
	return "starts a shell"
}

// shellText finds the command line in the words of a shell, and $0 and the rest after it. plain reports whether
// all options before it are known and none makes the shell read files first.
func shellText(ws []word) (text word, args []word, plain bool) {
	plain = true
	command := false
	i := 0
	for ; i < len(ws); i++ {
		x := ws[i]
		if !x.known {
			return x, nil, false
		}
		if x.text == "--" || x.text == "-" {
			i++
			break
		}
		if !strings.HasPrefix(x.text, "-") && !strings.HasPrefix(x.text, "+") {
			break
		}
		if strings.HasPrefix(x.text, "--") {
			plain = plain && (x.text == "--norc" || x.text == "--noprofile" || x.text == "--posix")
			if x.text == "--rcfile" || x.text == "--init-file" {
				i++
			}
			continue
		}
		letters := x.text[1:]
		command = command || strings.Contains(letters, "c")
		plain = plain && strings.Trim(letters, "ceuxvfoB") == ""
		if strings.HasSuffix(letters, "o") || strings.HasSuffix(letters, "O") {
			i++
			plain = plain && i < len(ws) && (ws[i].text == "pipefail" || ws[i].text == "errexit" || ws[i].text == "nounset")
		}
	}
	if !command || i >= len(ws) {
		return word{}, nil, false
	}
	return ws[i], ws[i+1:], plain
}
