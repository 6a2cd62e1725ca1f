package runner

import (
	"mvdan.cc/sh/v3/syntax"

	"tricode/approval/shell"
)

// The variables that hold an element while it is computed.
const (
	oldElement = "TRICODE_OLD"
	newElement = "TRICODE_NEW"
)

// element makes ((a[i]++)) and ((a[i] += x)) assignments, with the status that the expression has: the interpreter's
// arithmetic assigns to names only.
func (c *completer) element(n *syntax.Stmt) {
	x, name := shell.ElementAssigned(n.Cmd)
	if x == nil {
		return
	}
	old, result := literal(oldElement), newElement
	value := syntax.ArithmExpr(old)
	switch x := x.(type) {
	case *syntax.UnaryArithm:
		op := syntax.Add
		if x.Op == syntax.Dec {
			op = syntax.Sub
		}
		value = &syntax.BinaryArithm{Op: op, X: old, Y: literal("1")}
		if x.Post {
			result = oldElement
		}
	case *syntax.BinaryArithm:
		value = x.Y
		if op, ok := compound[x.Op]; ok {
			value = &syntax.BinaryArithm{Op: op, X: old, Y: &syntax.ParenArithm{X: x.Y}}
		}
	}
	before := &syntax.ParamExp{Param: name.Param, Index: name.Index, Exp: &syntax.Expansion{Op: syntax.DefaultUnsetOrNull, Word: literal("0")}}
	set := assigned(name.Param.Value, &syntax.ParamExp{Short: true, Param: &syntax.Lit{Value: newElement}})
	set.Cmd.(*syntax.CallExpr).Assigns[0].Index = name.Index
	n.Cmd, c.changed = &syntax.Block{Stmts: []*syntax.Stmt{
		assigned(oldElement, before), assigned(newElement, &syntax.ArithmExp{X: value}), set, stmt(&syntax.ArithmCmd{X: literal(result)}),
	}}, true
}

// assigned is the assignment of what one part of a word is to a variable.
func assigned(name string, value syntax.WordPart) *syntax.Stmt {
	return stmt(&syntax.CallExpr{Assigns: []*syntax.Assign{{Name: &syntax.Lit{Value: name}, Value: &syntax.Word{Parts: []syntax.WordPart{value}}}}})
}

// there lets nounset pass elements of arrays that this text gives some: the interpreter takes those for unset that are declared
// without a value first.
func (c *completer) there(x *syntax.ParamExp) {
	if !c.nounset || x.Index == nil || allElements(x) || x.Param == nil || x.Length || x.Excl || x.Exp != nil || x.Repl != nil || x.Slice != nil {
		return
	}
	if _, given := c.numeric[x.Param.Value]; given {
		x.Exp, x.Short, c.changed = &syntax.Expansion{Op: syntax.DefaultUnset, Word: literal("")}, false, true
	}
}
