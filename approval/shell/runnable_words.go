package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

var comparisons = map[syntax.BinAritOperator]bool{syntax.Eql: true, syntax.Neq: true, syntax.Leq: true, syntax.Geq: true}

// assigned refuses assignments to elements of arrays within a larger arithmetic expression.
func (r *runnable) assigned(n syntax.Node, x syntax.ArithmExpr) {
	if w, ok := x.(*syntax.Word); ok && r.refs[w.Lit()] {
		r.refuse(n, "arithmetic that assigns to a name that stands for another", "use name=$(( ))")
	} else if n != r.whole && (!ok || !syntax.ValidName(w.Lit())) {
		r.refuse(n, "arithmetic that assigns to an element of an array within an expression", "use a statement of its own: ((a[i]++))")
	}
}

// ElementAssigned is the expression of a command that does nothing but assign to an element of an array, as ((a[i]++))
// does, with the element; nil for others.
func ElementAssigned(cmd syntax.Command) (x syntax.ArithmExpr, element *syntax.ParamExp) {
	switch cmd := cmd.(type) {
	case *syntax.ArithmCmd:
		x = cmd.X
	case *syntax.LetClause:
		if len(cmd.Exprs) == 1 {
			x = cmd.Exprs[0]
		}
	}
	for {
		paren, ok := x.(*syntax.ParenArithm)
		if !ok {
			break
		}
		x = paren.X
	}
	var to syntax.ArithmExpr
	switch x := x.(type) {
	case *syntax.UnaryArithm:
		if x.Op == syntax.Inc || x.Op == syntax.Dec {
			to = x.X
		}
	case *syntax.BinaryArithm:
		if strings.HasSuffix(x.Op.String(), "=") && !comparisons[x.Op] {
			to = x.X
		}
	}
	w, ok := to.(*syntax.Word)
	if !ok || len(w.Parts) != 1 {
		return nil, nil
	}
	element, ok = w.Parts[0].(*syntax.ParamExp)
	if !ok || element.Index == nil || !element.Short || changes(element.Index) {
		return nil, nil
	}
	return x, element
}

// changes reports whether an expression assigns: it may be evaluated once only.
func changes(x syntax.ArithmExpr) (found bool) {
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.UnaryArithm:
			found = found || n.Op == syntax.Inc || n.Op == syntax.Dec
		case *syntax.BinaryArithm:
			found = found || strings.HasSuffix(n.Op.String(), "=") && !comparisons[n.Op]
		case *syntax.CmdSubst:
			found = true
		}
		return !found
	})
	return found
}

// SplitsQuotes reports ${x:+"$x"} and ${x:-"$y"}, of which not all that is quoted could be left as it is by one who splits
// the whole.
func SplitsQuotes(x *syntax.ParamExp) bool {
	if x.Exp == nil || x.Exp.Word == nil || sameElements(x) {
		return false
	}
	switch x.Exp.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull:
		return slices.ContainsFunc(x.Exp.Word.Parts, quotesBlank)
	}
	return false
}

// split refuses quotes within ${x:="…"} and ${x:?"…"} that are not quoted themselves: the interpreter would split what
// they quote.
func (r *runnable) split(words []*syntax.Word) {
	for _, w := range words {
		if joins(w) {
			r.refuse(w, "$name{a,b}", "use ${name}{a,b}")
		}
		for _, part := range w.Parts {
			x, ok := part.(*syntax.ParamExp)
			if !ok || x.Exp == nil || x.Exp.Word == nil || x.Exp.Op >= syntax.RemSmallSuffix || sameElements(x) || SplitsQuotes(x) {
				continue
			}
			if slices.ContainsFunc(x.Exp.Word.Parts, quotesBlank) {
				r.refuse(w, `${…"…"} that is not quoted`, "quote it")
			}
		}
	}
}

// joins reports $x{a,b}, which to bash is $xa $xb: braces come first.
func joins(w *syntax.Word) bool {
	for i := 1; i < len(w.Parts); i++ {
		x, ok := w.Parts[i-1].(*syntax.ParamExp)
		lit, behind := w.Parts[i].(*syntax.Lit)
		if ok && behind && x.Short && x.Param != nil && syntax.ValidName(x.Param.Value) && strings.HasPrefix(lit.Value, "{") && strings.Contains(lit.Value, ",") {
			return true
		}
	}
	return false
}

// Anchor is # for ${x/#pattern/word} and % for ${x/%pattern/word}, otherwise empty.
func Anchor(x *syntax.ParamExp) string {
	if x.Repl == nil || x.Repl.All || x.Repl.Orig == nil || len(x.Repl.Orig.Parts) == 0 {
		return ""
	}
	if lit, ok := x.Repl.Orig.Parts[0].(*syntax.Lit); ok && (lit.Value[0] == '#' || lit.Value[0] == '%') {
		return lit.Value[:1]
	}
	return ""
}

// Quotes reports ${x@Q}.
func Quotes(x *syntax.ParamExp) bool {
	return x.Exp != nil && x.Exp.Op == syntax.OtherParamOps && x.Exp.Word != nil && spelled(x.Exp.Word) == "Q"
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
	case "BASH_SUBSHELL", "SHELLOPTS", "BASHOPTS", "GROUPS", "DIRSTACK":
		r.refuse(n, "$"+n.Param.Value, "use set -o, id -G or dirs, or leave it out")
	case "BASH_SOURCE":
		if w, ok := n.Index.(*syntax.Word); n.Index != nil && (!ok || w.Lit() != "0") {
			r.refuse(n, "BASH_SOURCE with another index than 0", "use ${BASH_SOURCE[0]} in that file")
		}
	}
	if extended(n) {
		r.refuse(n, "an extended pattern in ${ }", "use sed, or [[ =~ ]]")
	}
	if n.Exp != nil && n.Exp.Op == syntax.OtherParamOps {
		switch op := spelled(n.Exp.Word); op {
		case "P", "K", "k", "A", "a", "E":
			r.refuse(n, "${"+n.Param.Value+"@"+op+"}", "use printf or declare -p")
		}
	}
}

// extended reports whether an expansion has a pattern like +(x), which the interpreter takes for plain text there.
func extended(n *syntax.ParamExp) bool {
	var w *syntax.Word
	switch {
	case n.Repl != nil:
		w = n.Repl.Orig
	case n.Exp != nil && n.Exp.Op >= syntax.RemSmallSuffix && n.Exp.Op <= syntax.RemLargePrefix:
		w = n.Exp.Word
	}
	if w == nil {
		return false
	}
	opened := false
	for _, part := range w.Parts {
		lit, ok := part.(*syntax.Lit)
		if _, pattern := part.(*syntax.ExtGlob); pattern {
			return true
		}
		for i := 0; ok && i < len(lit.Value); i++ {
			switch {
			case lit.Value[i] == ')' && opened:
				return true
			case lit.Value[i] == '(' && i > 0:
				opened = opened || strings.IndexByte("?*+@!", lit.Value[i-1]) >= 0 && (i < 2 || lit.Value[i-2] != '\\')
			}
		}
	}
	return false
}

// control reports whether a text within $'…' has a control character by its letter, as \cA.
func control(text string) bool {
	for i := 0; i+1 < len(text); i++ {
		if text[i] == '\\' {
			if text[i+1] == 'c' {
				return true
			}
			i++
		}
	}
	return false
}
