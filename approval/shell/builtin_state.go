package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"tricode/approval"
)

// trap follows the text that waits for a signal.
func (w *walker) trap(c run, rest []word) {
	if len(rest) > 0 && rest[0].known && rest[0].text == "--" {
		rest = rest[1:]
	}
	if len(rest) > 0 && !rest[0].known {
		w.emit(c, approval.Exec|approval.ExecOpaque, "its words are not known before it runs")
		return
	}
	w.emit(c, approval.Read, "")
	if len(rest) > 1 && rest[0].text != "-" && !strings.HasPrefix(rest[0].text, "-") {
		before := w.enter()
		w.state.vars = nil // it runs later, when anything may have been set; what sets HOME is asked about
		w.state.dirs = nil
		w.state.funcs, w.state.args = nil, nil
		w.nested(rest[0].text)
		sets := len(w.state.vars) > 0 || len(w.state.funcs) > 0 || w.state.args != nil || w.state.dirs != nil
		w.leave(before)
		if sets && slices.ContainsFunc(rest[1:], midway) {
			w.state.taint = "a trap can change what this one means"
		}
	}
}

// midway reports whether something may follow what a trap for a signal does.
func midway(signal word) bool { return !signal.known || signal.text != "EXIT" && signal.text != "0" }

// setOptions are the options of set -o that do not change what commands mean.
const setOptions = "pipefail errexit nounset xtrace verbose noclobber"

// set follows the options of the shell and its positional parameters.
func (w *walker) set(c run, rest []word) {
	e := approval.Effects(approval.Read)
	if len(rest) == 0 && c.words[0].text == "set" {
		e = approval.Exec // it prints all variables, those of the environment too
	}
	for _, x := range rest {
		if !x.known || strings.Trim(x.text, "-+euxvoCb") != "" && !listed(setOptions, x.text) {
			e = approval.Exec
		}
		if x.known && x.text == "--" {
			break
		}
	}
	w.state.args = nil
	if len(rest) > 0 && rest[0].known && rest[0].text == "--" && e == approval.Read {
		w.state.args = rest[1:]
	}
	w.emit(c, e, "")
}

func (w *walker) unsetCall(c run, rest []word) {
	for _, x := range rest {
		if x.known && (syntax.ValidName(x.text) || x.text == "-v" || x.text == "-f") {
			w.assigned(x.text, value{})
			if f, ok := w.state.funcs[x.text]; ok {
				f.perhaps = true // it is no function any more, or no variable
				w.state.define(x.text, f)
			}
			continue
		}
		w.emit(c, approval.Exec|approval.ExecOpaque, "a subscript can evaluate what a variable holds")
		w.lose()
		return
	}
	w.emit(c, approval.Read, "")
}

func (w *walker) readCall(c run, rest []word) {
	p := (&grammar{flags: "ers", values: "dnNptu"}).options(rest)
	if p.strange != "" || p.dynamic {
		w.emit(c, approval.Exec|approval.ExecOpaque, "it is not known what it sets")
		w.lose()
		return
	}
	for _, x := range p.operands {
		if !x.known || !syntax.ValidName(x.text) {
			w.emit(c, approval.Exec|approval.ExecOpaque, "a subscript can evaluate what a variable holds")
			w.lose()
			return
		}
		w.assigned(x.text, value{})
	}
	if simple := !p.has("nNptu", "") && (!p.has("d", "") || delimited(&p, "")); w.lister != nil && simple && len(p.operands) == 1 {
		w.assigned(p.operands[0].text, value{from: w.lister})
	}
	w.emit(c, approval.Read, "")
}

// printf leaves printf to the table unless it sets a variable.
func (w *walker) printf(c run, rest []word) bool {
	if len(rest) == 0 || rest[0].known && !strings.HasPrefix(rest[0].text, "-v") {
		return false
	}
	w.emit(c, approval.Exec|approval.ExecOpaque, "it is not known what it sets")
	w.lose()
	return true
}

// alias follows what an alias would run; whether the shell replaces it later is not certain.
func (w *walker) alias(c run, rest []word) {
	e := approval.Effects(approval.Read)
	if len(rest) > 0 {
		e = approval.Exec | approval.ExecOpaque
	}
	w.emit(c, e, "can change what later commands mean")
	for _, x := range rest {
		if _, body, ok := strings.Cut(x.text, "="); ok && x.known {
			before := w.enter()
			w.nested(body)
			w.leave(before)
		}
	}
	if len(rest) > 0 {
		w.state.taint = "an earlier command can change what this one means"
	}
}
