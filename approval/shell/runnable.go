package shell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// RealShell is how a person has a real shell run what is not interpreted.
const RealShell = `a person can have a real shell run it: [sandbox] shell = "/bin/bash"`

// Unrunnable is the error of a text that the interpreter would not run as bash does.
type Unrunnable struct {
	Line    int
	What    string // as it stands in the text
	Instead string // what to write instead
}

func (e *Unrunnable) Error() string {
	return fmt.Sprintf("line %d: %s is not supported; %s (%s)", e.Line, e.What, e.Instead, RealShell)
}

// Runnable returns an *Unrunnable for the first thing in a tree that the interpreter would run differently from bash.
func Runnable(file *syntax.File) error {
	r := &runnable{}
	r.functions(file)
	syntax.Walk(file, func(n syntax.Node) bool {
		if r.found == nil && n != nil {
			r.visit(n)
		}
		return r.found == nil
	})
	if r.found != nil {
		return r.found
	}
	return nil
}

type runnable struct {
	found    *Unrunnable
	trapping map[string]bool // functions that set a trap for the end
}

func (r *runnable) refuse(n syntax.Node, what, instead string) {
	if r.found == nil {
		r.found = &Unrunnable{int(n.Pos().Line()), what, instead}
	}
}

// visit holds one node against the tables.
func (r *runnable) visit(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.CoprocClause:
		r.refuse(n, "coproc", "use a pipe or files")
	case *syntax.ForClause:
		if w, ok := n.Loop.(*syntax.WordIter); ok {
			r.split(w.Items)
		}
		if n.Select {
			r.refuse(n, "select", "there is nobody to choose; use for")
		}
	case *syntax.Stmt:
		if r.kept(n); n.Background {
			r.apart(n.Cmd)
		}
	case *syntax.Redirect:
		r.redirect(n)
	case *syntax.ParamExp:
		r.param(n)
	case *syntax.ProcSubst:
		if n.Op == syntax.CmdInTemp {
			r.refuse(n, "=( )", "use <( )")
		}
	case *syntax.ExtGlob:
		if n.Op == syntax.GlobExcept {
			r.refuse(n, "!( )", "use find ! -name, or case")
		}
	case *syntax.FuncDecl:
		if n.Name == nil || overriding[n.Name.Value] {
			r.refuse(n, "a function with the name of a builtin that runs commands", "give it another name")
		}
	case *syntax.CallExpr:
		r.call(n)
	case *syntax.DeclClause:
		r.decl(n)
	case *syntax.Subshell, *syntax.CmdSubst:
		r.apart(n)
	case *syntax.BinaryCmd:
		if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
			r.apart(n)
		}
	case *syntax.UnaryArithm:
		if n.Op == syntax.Inc || n.Op == syntax.Dec {
			r.assigned(n, n.X)
		}
	case *syntax.BinaryArithm:
		if strings.HasSuffix(n.Op.String(), "=") && !comparisons[n.Op] {
			r.assigned(n, n.X)
		}
	case *syntax.LetClause:
		for _, x := range n.Exprs {
			if w, ok := x.(*syntax.Word); ok && w.Lit() == "" {
				r.refuse(n, "let with quotes", "use (( ))")
			}
		}
	}
}

var comparisons = map[syntax.BinAritOperator]bool{syntax.Eql: true, syntax.Neq: true, syntax.Leq: true, syntax.Geq: true}

// assigned refuses assignments to elements of arrays within an arithmetic expression.
func (r *runnable) assigned(n syntax.Node, x syntax.ArithmExpr) {
	if w, ok := x.(*syntax.Word); !ok || !syntax.ValidName(w.Lit()) {
		r.refuse(n, "arithmetic that assigns to an element of an array", "use a[i]=$((${a[i]:-0} + 1))")
	}
}

// apart refuses traps that would run at the end of a part of the script, which the interpreter forgets.
func (r *runnable) apart(n syntax.Node) {
	syntax.Walk(n, func(inner syntax.Node) bool {
		c, ok := inner.(*syntax.CallExpr)
		if ok && len(c.Args) > 0 && (trapsExit(c) || r.trapping[c.Args[0].Lit()]) {
			r.refuse(c, "trap EXIT within ( ), $( ), a pipeline or a job", "use bash -c, or clean up at the end")
		}
		return r.found == nil
	})
}

func trapsExit(c *syntax.CallExpr) bool {
	return len(c.Args) > 2 && spelled(c.Args[0]) == "trap" && slices.ContainsFunc(c.Args[1:], func(w *syntax.Word) bool {
		name := spelled(w)
		return name == "EXIT" || name == "0"
	})
}

// functions notes which functions set a trap.
func (r *runnable) functions(file *syntax.File) {
	syntax.Walk(file, func(n syntax.Node) bool {
		if f, ok := n.(*syntax.FuncDecl); ok && f.Name != nil {
			syntax.Walk(f.Body, func(inner syntax.Node) bool {
				if c, ok := inner.(*syntax.CallExpr); ok && trapsExit(c) {
					if r.trapping == nil {
						r.trapping = map[string]bool{}
					}
					r.trapping[f.Name.Value] = true
				}
				return true
			})
		}
		return true
	})
}

// overriding are names that a function must not have, because what they run is judged.
var overriding = map[string]bool{
	"eval": true, "source": true, ".": true, "exec": true, "command": true, "builtin": true, "trap": true, "kill": true, "wait": true,
	"command_not_found_handle": true,
}

// calls are commands that are refused with any arguments, or with an argument or letter that stands here.
var calls = []struct {
	name, args, instead string
}{
	{"fg", "", "use wait"},
	{"bg", "", "use &"},
	{"suspend", "", "use kill and wait"},
	{"ulimit", "", "use timeout, or prlimit"},
	{"umask", "", "use chmod, or install -m"},
	{"enable", "", "use command, or the program by its path"},
	{"bind", "", "there is no command line to edit"},
	{"complete", "", "there is no command line to complete"},
	{"compgen", "", "use compgen's results by other means: ls, declare -F, command -v"},
	{"compopt", "", "there is no command line to complete"},
	{"history", "", "there is no history"},
	{"fc", "", "there is no history"},
	{"caller", "", "use $LINENO"},
	{"newgrp", "", "use sg"},
	{"logout", "", "use exit"},
	{"hash", "-p", "put the directory on PATH"},
	{"mapfile", "-C -c -u", "use while read"},
	{"readarray", "-C -c -u", "use while read"},
	{"read", "-u -e -i", "use a redirect of standard input"},
	{"trap", "DEBUG RETURN", "use set -x, or call the command"},
	{"wait", "-p", "use wait PID"},
	{"type", "-a", "use which -a"},
	{"set", "-v verbose -n noexec -t onecmd -C noclobber -k keyword", "leave it out"},
}

// call refuses what the table names.
func (r *runnable) call(n *syntax.CallExpr) {
	for _, a := range n.Assigns {
		if a.Append && a.Array != nil && a.Array.Elems != nil && slices.ContainsFunc(a.Array.Elems, func(e *syntax.ArrayElem) bool { return e.Index != nil }) {
			r.refuse(n, "+=([key]=value)", "use name[key]=value")
		}
	}
	if len(n.Args) == 0 {
		return
	}
	r.split(n.Args)
	words := make([]string, len(n.Args))
	for i, w := range n.Args {
		words[i] = spelled(w)
	}
	for len(words) > 1 && (words[0] == "command" || words[0] == "builtin") {
		words = words[1:]
	}
	for _, c := range calls {
		if c.name != words[0] {
			continue
		}
		if c.args == "" {
			r.refuse(n, c.name, c.instead)
		}
		for _, arg := range strings.Fields(c.args) {
			if contains(words[1:], arg) {
				r.refuse(n, c.name+" "+arg, c.instead)
			}
		}
	}
	if words[0] == "shopt" {
		r.shopt(n, words[1:])
	}
	for _, w := range words[1:] {
		if jobSpec(w) && (words[0] == "kill" || words[0] == "wait" || words[0] == "disown" || words[0] == "jobs") {
			r.refuse(n, words[0]+" "+w, "use the process that $! names")
		}
	}
}

// shopts are the options of shopt that the interpreter has, idle those that change nothing in a script.
var (
	shopts = strings.Fields("nullglob globstar dotglob extglob nocaseglob expand_aliases")
	idle   = strings.Fields("checkwinsize cmdhist histappend interactive_comments progcomp promptvars sourcepath checkhash huponexit lithist")
)

// Idle reports whether an option of shopt changes nothing in a script.
func Idle(option string) bool { return slices.Contains(idle, option) }

func (r *runnable) shopt(n *syntax.CallExpr, words []string) {
	for _, w := range words {
		switch {
		case strings.HasPrefix(w, "-") && strings.Trim(w, "-su") != "":
			r.refuse(n, "shopt "+w, "use shopt -s or -u")
		case !strings.HasPrefix(w, "-") && !slices.Contains(shopts, w) && !Idle(w):
			r.refuse(n, "shopt "+w, "write the pattern so that it does not need it")
		}
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

// jobSpec reports whether a word names a job: %1, %+, %name.
func jobSpec(w string) bool { return strings.HasPrefix(w, "%") }

// contains reports whether an option or word is among words; an option may stand in a cluster.
func contains(words []string, arg string) bool {
	for _, w := range words {
		if w == arg {
			return true
		}
		if len(arg) == 2 && arg[0] == '-' && len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.Contains(w[1:], arg[1:]) {
			return true
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

// redirect refuses what needs more files than 0, 1 and 2.
func (r *runnable) redirect(n *syntax.Redirect) {
	if n.N != nil {
		if strings.HasPrefix(n.N.Value, "{") {
			r.refuse(n, n.N.Value+n.Op.String(), "use a file name")
		} else if fd, err := strconv.Atoi(n.N.Value); err != nil || fd > 2 {
			r.refuse(n, "file descriptor "+n.N.Value, "only 0, 1 and 2 can be redirected; use files or a block { …; } >file")
		}
	}
	switch n.Op {
	case syntax.RdrInOut:
		r.refuse(n, "<>", "use < or >")
	case syntax.DplIn:
		if w := spelled(n.Word); w != "-" {
			r.refuse(n, "<&"+w, "use < with a file name")
		}
	case syntax.DplOut:
		if w := spelled(n.Word); w != "1" && w != "2" && w != "-" {
			r.refuse(n, ">&"+w, "only 1 and 2 can be copied; use &>file for a file")
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
	case "PIPESTATUS":
		r.refuse(n, "$PIPESTATUS", "use set -o pipefail and $?")
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

// decl refuses attributes that the interpreter does not know.
func (r *runnable) decl(n *syntax.DeclClause) {
	for _, a := range n.Args {
		var word string
		switch {
		case a.Name != nil && a.Value == nil && a.Array == nil:
			word = a.Name.Value
		case a.Value != nil && a.Name == nil:
			word = spelled(a.Value)
		}
		if len(word) < 2 || word[0] != '-' && word[0] != '+' {
			continue
		}
		known := "xraAngfp"
		if n.Variant.Value == "export" {
			known = ""
		} else if n.Variant.Value == "readonly" {
			known = "aA"
		}
		if bad := strings.Trim(word[1:], known); bad != "" {
			r.refuse(n, n.Variant.Value+" "+word, "use plain variables, $(( )) for numbers, ${x^^} and ${x,,} for case")
		}
	}
}

// Interpretable returns why the interpreter cannot run a text as bash does, nil if it can.
func Interpretable(text string) error {
	file, err := ParseToRun(text)
	if err != nil {
		return err
	}
	return Runnable(file)
}
