package runner

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// To arithmetic the value of a variable is an expression again, and what an expansion gives is part of the expression; to the
// interpreter everything but a number is 0. So operands that may be no number are evaluated here, those of names that hold
// numbers only are left as they are.

// values tells of names that are given values whether those are numbers only.
type values map[string]bool

// numbers finds the names that this text gives numbers only, nil if it may give them what it does not show.
func numbers(file *syntax.File) values {
	names, shown := values{}, true
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			switch name := call.Args[0].Lit(); {
			case name == "eval", name == "source", name == ".":
				shown = false
			case slices.Contains(setting, name):
				for _, w := range call.Args[1:] {
					names.add(w.Lit(), false)
				}
			}
		}
		names.follow(n)
		return shown
	})
	if !shown {
		return nil
	}
	return names
}

// setting are the commands that set variables which they are named.
var setting = []string{"read", "mapfile", "readarray", "printf", "getopts", "wait"}

func (v values) add(name string, number bool) {
	before, known := v[name]
	v[name] = number && (before || !known)
}

// follow notes what a node assigns.
func (v values) follow(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Assign:
		if n.Name != nil && !n.Naked {
			v.add(n.Name.Value, n.Value == nil || isNumber(n.Value))
		}
		for _, e := range elements(n.Array) {
			v.add(n.Name.Value, e.Value == nil || isNumber(e.Value))
		}
	case *syntax.WordIter:
		for _, w := range n.Items {
			v.add(n.Name.Value, isNumber(w))
		}
	case *syntax.UnaryArithm:
		if w, ok := n.X.(*syntax.Word); ok && (n.Op == syntax.Inc || n.Op == syntax.Dec) {
			v.add(w.Lit(), true)
		}
	case *syntax.BinaryArithm:
		if w, ok := n.X.(*syntax.Word); ok && assigns(n.Op) {
			v.add(w.Lit(), true)
		}
	}
}

func elements(a *syntax.ArrayExpr) []*syntax.ArrayElem {
	if a == nil {
		return nil
	}
	return a.Elems
}

// sequences are braces that stand for numbers.
var sequences = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\{-?(0|[1-9][0-9]*)\.\.-?(0|[1-9][0-9]*)(\.\.-?[0-9]+)?\}$`)
})

// decimalNumber is what [[ ]] of the interpreter takes for a number as bash does.
var decimalNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)$`) })

// plainNumber is what its arithmetic takes for one.
var plainNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[-+]?(0[xX][0-9a-fA-F]+|[0-9]+#[0-9a-zA-Z@_]+|0[0-7]*|[1-9][0-9]*)$`)
})

// isNumber reports whether a word that is assigned is always a number.
func isNumber(w *syntax.Word) bool {
	if lit := w.Lit(); lit != "" {
		return decimalNumber().MatchString(lit) || sequences().MatchString(lit)
	}
	parts := w.Parts
	if len(parts) == 1 {
		if quoted, ok := parts[0].(*syntax.DblQuoted); ok {
			parts = quoted.Parts
		}
	}
	if len(parts) != 1 {
		return len(parts) == 0
	}
	switch p := parts[0].(type) {
	case *syntax.ArithmExp:
		return true
	case *syntax.ParamExp:
		return p.Length || p.Param != nil && strings.Contains("#?$!", p.Param.Value)
	case *syntax.CmdSubst:
		if len(p.Stmts) != 1 {
			return false
		}
		call, ok := p.Stmts[0].Cmd.(*syntax.CallExpr)
		return ok && len(call.Args) > 1 && call.Args[0].Lit() == "seq" && !slices.ContainsFunc(call.Args[1:], func(w *syntax.Word) bool {
			return strings.HasPrefix(w.Lit(), "-") || strings.Contains(w.Lit(), ".")
		})
	}
	return false
}

// assigns reports whether an operator assigns.
func assigns(op syntax.BinAritOperator) bool {
	_, ok := compound[op]
	return ok || op == syntax.Assgn
}

// counted reports whether an operand is always a number to the interpreter too.
func (c *completer) counted(w *syntax.Word) bool {
	if lit := w.Lit(); lit != "" {
		return plainNumber().MatchString(lit) || c.numeric[lit] || strings.HasPrefix(lit, "TRICODE_")
	}
	if len(w.Parts) != 1 {
		return false
	}
	switch p := w.Parts[0].(type) {
	case *syntax.ArithmExp:
		return true
	case *syntax.ParamExp:
		plain := p.Exp == nil && p.Slice == nil && p.Repl == nil && !p.Excl
		return p.Length || p.Param != nil && plain &&
			(c.numeric[p.Param.Value] || strings.Contains("#?$!", p.Param.Value) || strings.HasPrefix(p.Param.Value, "TRICODE_")) ||
			p.Exp != nil && p.Exp.Op == syntax.ErrorUnset
	}
	return false
}

// How an operand that may be no number is evaluated: as an expression, as part of one, or as what something is divided by.
const (
	asWhole   = "whole"
	asPart    = "part"
	asDivisor = "divisor"
)

// operand makes an operand that may be no number one that is.
func (c *completer) operand(x *syntax.ArithmExpr, how string) {
	w, ok := (*x).(*syntax.Word)
	if !ok || c.checked[w] || c.counted(w) {
		return
	}
	from := w
	if p, named := variableOf(w); p != nil {
		from = &syntax.Word{Parts: []syntax.WordPart{p}}
		if named && how == asPart {
			how = asWhole // its value is an expression of its own
		}
	}
	call := special("number", how)
	args := call.Cmd.(*syntax.CallExpr)
	args.Args = append(args.Args, whole(from))
	value := &syntax.Word{Parts: []syntax.WordPart{&syntax.CmdSubst{Stmts: []*syntax.Stmt{call}}}}
	*x, c.checked[value], c.changed = value, true, true
	if c.nounset && len(from.Parts) == 1 {
		if p, ok := from.Parts[0].(*syntax.ParamExp); ok { // the shell itself ends where there is none
			there := &syntax.Word{Parts: []syntax.WordPart{p}}
			*x = &syntax.ParenArithm{X: &syntax.BinaryArithm{Op: syntax.Comma, X: there, Y: value}}
			c.checked[there] = true
		}
	}
}

// variableOf is the expansion of a variable that an operand is, in braces; named is one without a dollar sign.
func variableOf(w *syntax.Word) (x *syntax.ParamExp, named bool) {
	if name := w.Lit(); syntax.ValidName(name) {
		return &syntax.ParamExp{Param: &syntax.Lit{Value: name}}, true
	}
	p, ok := w.Parts[0].(*syntax.ParamExp)
	if !ok || len(w.Parts) > 1 {
		return nil, false
	}
	x = &syntax.ParamExp{}
	*x = *p
	x.Short = false
	return x, p.Index != nil && p.Short
}
