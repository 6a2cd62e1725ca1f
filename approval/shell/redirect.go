package shell

import (
	"path"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"tricode/approval"
)

// redirect follows one redirect.
func (w *walker) redirect(r *syntax.Redirect) {
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		w.fed = feed{from: r}
	}
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		w.behind, w.lister = true, nil
		if r.Hdoc != nil {
			w.single(r.Hdoc)
		}
		return
	case syntax.WordHdoc:
		w.behind, w.lister = true, nil
		w.single(r.Word)
		return
	}
	target := w.target(r)
	if p, ok := r.Word.Parts[0].(*syntax.ProcSubst); ok && r.Op == syntax.RdrIn && p.Op == syntax.CmdIn && len(r.Word.Parts) == 1 {
		if w.behind, w.lister = true, nil; len(p.Stmts) == 1 {
			w.lister = lists(p.Stmts[0])
		}
		return
	}
	if duplicates(r.Op) && (target.tame || target.known && (target.text == "-" || digits(strings.TrimSuffix(target.text, "-")))) {
		return
	}
	if r.N != nil && strings.HasPrefix(r.N.Value, "{") {
		w.opaqueNode(r, "a redirect sets a variable")
	}
	if !target.known {
		w.opaqueNode(r, "the file of a redirect is not known")
		return
	}
	w.openFor(r.Op, target.text)
}

// mayFail reports whether a redirect may keep its command from being run.
func (w *walker) mayFail(r *syntax.Redirect) bool {
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return false
	case syntax.DplIn, syntax.DplOut:
		switch r.Word.Lit() {
		case "-":
			w.closes = true
			return false
		case "0", "1", "2":
			return w.closes
		}
		return true
	}
	return r.Word.Lit() != "/dev/null"
}

// target expands the word of a redirect; more than one field is an error of the shell.
func (w *walker) target(r *syntax.Redirect) word {
	fields := w.fields([]*syntax.Word{r.Word})
	if len(fields) != 1 {
		return word{text: w.slice(r.Word)}
	}
	return fields[0]
}

func duplicates(op syntax.RedirOperator) bool { return op == syntax.DplIn || op == syntax.DplOut }

func (w *walker) openFor(op syntax.RedirOperator, name string) {
	switch op {
	case syntax.RdrIn, syntax.DplIn:
		w.network(name)
		w.behind, w.lister = true, nil
		w.path(approval.Read, name, "")
	case syntax.RdrInOut:
		w.network(name)
		w.path(approval.Read|approval.Write, name, "")
	case syntax.AppOut, syntax.AppAll:
		w.network(name)
		w.path(approval.Write, name, "")
	default:
		w.network(name)
		w.path(approval.Write, name, "empties an existing file")
	}
}

// network records the files through which bash itself makes connections.
func (w *walker) network(name string) {
	name = path.Clean(name)
	if strings.HasPrefix(name, "/dev/tcp/") || strings.HasPrefix(name, "/dev/udp/") {
		w.add(approval.Subject{Effects: approval.Network | approval.ExecOpaque, Args: []string{name}, Why: "sends to another machine"})
	}
}

// Descriptor is the number of the file that a redirect sets, -1 if it is not a number.
func Descriptor(r *syntax.Redirect) int {
	if r.N != nil {
		n, err := strconv.Atoi(r.N.Value)
		if err != nil {
			return -1
		}
		return n
	}
	switch r.Op {
	case syntax.RdrIn, syntax.RdrInOut, syntax.DplIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return 0
	}
	return 1
}
