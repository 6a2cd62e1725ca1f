package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

var comparisons = map[syntax.BinAritOperator]bool{syntax.Eql: true, syntax.Neq: true, syntax.Leq: true, syntax.Geq: true}

// assigned refuses assignments to elements of arrays within an arithmetic expression.
func (r *runnable) assigned(n syntax.Node, x syntax.ArithmExpr) {
	if w, ok := x.(*syntax.Word); !ok || !syntax.ValidName(w.Lit()) {
		r.refuse(n, "arithmetic that assigns to an element of an array", "use a[i]=$((${a[i]:-0} + 1))")
	}
}

// split refuses quotes within ${x:+"$x"} that is not quoted itself: the interpreter would split what they quote.
func (r *runnable) split(words []*syntax.Word) {
	for _, w := range words {
		for _, part := range w.Parts {
			x, ok := part.(*syntax.ParamExp)
			if !ok || x.Exp == nil || x.Exp.Word == nil || x.Exp.Op >= syntax.RemSmallSuffix || sameElements(x) {
				continue
			}
			for _, inner := range x.Exp.Word.Parts {
				if quotesBlank(inner) {
					r.refuse(w, `${…"…"} that is not quoted`, `use an array: [ -n "$x" ] && args+=("$x")`)
				}
			}
		}
	}
}

// sameElements reports ${a[@]+"${a[@]}"}, which is understood.
func sameElements(x *syntax.ParamExp) bool {
	w, ok := x.Index.(*syntax.Word)
	return ok && w.Lit() == "@"
}

// quotesBlank reports whether quotes hold anything that would be split or be a pattern without them.
func quotesBlank(part syntax.WordPart) bool {
	switch p := part.(type) {
	case *syntax.SglQuoted:
		return strings.ContainsAny(p.Value, " \t\n*?[")
	case *syntax.DblQuoted:
		for _, inner := range p.Parts {
			lit, ok := inner.(*syntax.Lit)
			if !ok || strings.ContainsAny(lit.Value, " \t\n*?[") {
				return true
			}
		}
	}
	return false
}

// spelled is a word without its quotes, or empty if it is not literal.
func spelled(w *syntax.Word) string {
	var text strings.Builder
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			text.WriteString(strings.ReplaceAll(p.Value, `\`, ""))
		case *syntax.SglQuoted:
			text.WriteString(p.Value)
		case *syntax.DblQuoted:
			if len(p.Parts) != 1 {
				return ""
			}
			lit, ok := p.Parts[0].(*syntax.Lit)
			if !ok {
				return ""
			}
			text.WriteString(lit.Value)
		default:
			return ""
		}
	}
	return text.String()
}

// kept refuses a redirect of the shell itself to a process, which would have to end after the shell.
func (r *runnable) kept(n *syntax.Stmt) {
	c, ok := n.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) != 1 || spelled(c.Args[0]) != "exec" {
		return
	}
	for _, rd := range n.Redirs {
		if len(rd.Word.Parts) == 1 {
			if _, ok := rd.Word.Parts[0].(*syntax.ProcSubst); ok {
				r.refuse(n, "exec with a redirect to >( )", "use a block { …; } | …")
			}
		}
	}
}

// maxDescriptor bounds the numbers of files that can be redirected.
const maxDescriptor = 255

// redirect refuses what opens files in ways that the interpreter does not have.
func (r *runnable) redirect(n *syntax.Redirect) {
	switch number := Descriptor(n); {
	case number < 0:
		r.refuse(n, n.N.Value+n.Op.String(), "use a number: exec 3>file")
	case number > maxDescriptor:
		r.refuse(n, "file descriptor "+n.N.Value, "use a number below 256")
	case n.Op == syntax.RdrInOut:
		r.refuse(n, "<>", "use < or >")
	case duplicates(n.Op):
		w := spelled(n.Word)
		digits := strings.Trim(w, "0123456789") == ""
		if w != "-" && !digits && (n.Op == syntax.DplIn || n.N != nil || strings.HasSuffix(w, "-")) {
			r.refuse(n, n.Op.String()+w, "use < or > with a file name")
		}
	}
}

// param refuses expansions that the interpreter does differently.
func (r *runnable) param(n *syntax.ParamExp) {
	if n.Param == nil || n.Width || n.IsSet {
		r.refuse(n, "an expansion of another shell", "write it as bash does")
		return
	}
	switch n.Param.Value {
	case "FUNCNAME", "BASH_LINENO", "BASH_ARGV", "BASH_ARGC", "BASH_COMMAND", "COPROC", "BASH_ALIASES", "BASH_CMDS":
		r.refuse(n, "$"+n.Param.Value, "write the name itself")
	}
	if n.Repl != nil && n.Repl.Orig != nil && len(n.Repl.Orig.Parts) > 0 {
		if lit, ok := n.Repl.Orig.Parts[0].(*syntax.Lit); ok && (lit.Value[0] == '#' || lit.Value[0] == '%') {
			r.refuse(n, "${"+n.Param.Value+"/"+lit.Value[:1]+"…}", "use ${x#pattern} or ${x%pattern} and add what replaces it")
		}
	}
	if n.Exp != nil && n.Exp.Op == syntax.OtherParamOps {
		switch op := spelled(n.Exp.Word); op {
		case "P", "K", "k", "A", "a", "E", "Q":
			r.refuse(n, "${"+n.Param.Value+"@"+op+"}", "use printf or declare -p")
		}
	}
}
