package shell

import (
	"fmt"
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
	whole    syntax.Node     // the expression that is all of a command
	refs     map[string]bool // names that are declared to stand for others
}

func (r *runnable) refuse(n syntax.Node, what, instead string) {
	if r.found == nil {
		r.found = &Unrunnable{int(n.Pos().Line()), what, instead}
	}
}

// ignored are variables that change what bash does, and what to do instead.
var ignored = map[string]string{"CDPATH": "name the directory that cd goes to", "TIMEFORMAT": "use time -p", "GLOBIGNORE": "use find ! -name, or case"}

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
		if x, element := ElementAssigned(n.Cmd); element != nil {
			r.whole = x
		}
		if r.kept(n); n.Background {
			r.apart(n.Cmd)
		}
	case *syntax.Redirect:
		r.redirect(n)
	case *syntax.ParamExp:
		r.param(n)
	case *syntax.Assign:
		if n.Name != nil && n.Value != nil && !emptyQuotes(n.Value) && ignored[n.Name.Value] != "" {
			r.refuse(n, n.Name.Value, ignored[n.Name.Value])
		}
	case *syntax.SglQuoted:
		if n.Dollar && control(n.Value) {
			r.refuse(n, `\c within $'…'`, `use \x and two digits`)
		}
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
	case *syntax.WhileClause:
		r.leaping(n.Cond)
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

// Interpretable returns why the interpreter cannot run a text as bash does, nil if it can.
func Interpretable(text string) error {
	file, err := ParseToRun(text)
	if err != nil {
		return err
	}
	return Runnable(file)
}
