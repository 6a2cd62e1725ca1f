package runner

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// variable makes a name in an arithmetic expression one that nounset knows.
func (c *completer) variable(x syntax.ArithmExpr) {
	w, ok := x.(*syntax.Word)
	if !ok || len(w.Parts) != 1 {
		return
	}
	if lit, ok := w.Parts[0].(*syntax.Lit); ok && syntax.ValidName(lit.Value) {
		w.Parts[0], c.changed = &syntax.ParamExp{Dollar: lit.ValuePos, Short: true, Param: lit}, true
	}
}

// divisor makes a division by a variable that is 0 end the shell, as other mistakes in an expansion do: the
// interpreter goes on without the command's words.
func (c *completer) divisor(n *syntax.BinaryArithm) {
	w, ok := n.Y.(*syntax.Word)
	if !ok || n.Op != syntax.Quo && n.Op != syntax.Rem || starts(w) {
		return
	}
	if lit := w.Lit(); lit != "" && strings.Trim(lit, "0123456789") == "" && strings.Trim(lit, "0") != "" {
		return
	}
	message := &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: "division by 0"}}}
	fail := &syntax.Word{Parts: []syntax.WordPart{&syntax.ParamExp{Param: &syntax.Lit{Value: "TRICODE_NEVER"}, Exp: &syntax.Expansion{Op: syntax.ErrorUnset, Word: message}}}}
	choice := &syntax.BinaryArithm{Op: syntax.TernColon, X: w, Y: fail}
	n.Y, c.changed = &syntax.ParenArithm{X: &syntax.BinaryArithm{Op: syntax.TernQuest, X: w, Y: choice}}, true
}

// arithmetic follows what is evaluated but not assigned.
func (c *completer) arithmetic(n syntax.Node) {
	if n, ok := n.(*syntax.BinaryArithm); ok {
		c.divisor(n)
	}
	c.operands(n)
	if !c.nounset {
		return
	}
	switch n := n.(type) {
	case *syntax.ArithmExp:
		c.variable(n.X)
	case *syntax.ArithmCmd:
		c.variable(n.X)
	case *syntax.ParenArithm:
		c.variable(n.X)
	case *syntax.UnaryArithm:
		if n.Op != syntax.Inc && n.Op != syntax.Dec {
			c.variable(n.X)
		}
	case *syntax.BinaryArithm:
		c.reads(n)
		if op := n.Op.String(); !strings.HasSuffix(op, "=") || op == "==" || op == "!=" || op == "<=" || op == ">=" {
			c.variable(n.X)
		}
		c.variable(n.Y)
	}
}

// starts reports whether a word runs something, which must not happen twice.
func starts(w *syntax.Word) (runs bool) {
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			runs = true
		}
		return !runs
	})
	return runs
}

// operands follows what is evaluated.
func (c *completer) operands(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.ArithmExp:
		c.operand(&n.X, asWhole)
	case *syntax.ArithmCmd:
		c.operand(&n.X, asWhole)
	case *syntax.ParenArithm:
		c.operand(&n.X, asWhole)
	case *syntax.UnaryArithm:
		if n.Op != syntax.Inc && n.Op != syntax.Dec {
			c.operand(&n.X, asPart)
		}
	case *syntax.BinaryArithm:
		if !assigns(n.Op) {
			c.operand(&n.X, asPart)
		}
		how := asPart
		switch n.Op {
		case syntax.Quo, syntax.Rem, syntax.QuoAssgn, syntax.RemAssgn:
			how = asDivisor
		case syntax.Assgn, syntax.Comma:
			how = asWhole
		}
		c.operand(&n.Y, how)
	}
}

// compound are the assignments that read the variable first.
var compound = map[syntax.BinAritOperator]syntax.BinAritOperator{
	syntax.AddAssgn: syntax.Add, syntax.SubAssgn: syntax.Sub, syntax.MulAssgn: syntax.Mul, syntax.QuoAssgn: syntax.Quo, syntax.RemAssgn: syntax.Rem,
	syntax.AndAssgn: syntax.And, syntax.OrAssgn: syntax.Or, syntax.XorAssgn: syntax.Xor, syntax.ShlAssgn: syntax.Shl, syntax.ShrAssgn: syntax.Shr,
}

// reads makes x += y read x where nounset sees it.
func (c *completer) reads(n *syntax.BinaryArithm) {
	op, ok := compound[n.Op]
	name, isWord := n.X.(*syntax.Word)
	if !ok || !isWord || !syntax.ValidName(name.Lit()) {
		return
	}
	old := &syntax.Word{Parts: []syntax.WordPart{&syntax.ParamExp{Short: true, Param: &syntax.Lit{Value: name.Lit()}}}}
	n.Op, n.Y, c.changed = syntax.Assgn, &syntax.BinaryArithm{Op: op, X: old, Y: &syntax.ParenArithm{X: n.Y}}, true
}
