package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// test follows [[ … ]].
func (w *walker) test(x syntax.TestExpr) {
	switch x := x.(type) {
	case *syntax.Word:
		w.single(x)
	case *syntax.ParenTest:
		w.test(x.X)
	case *syntax.UnaryTest:
		if x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar {
			w.opaqueNode(x, "a test can evaluate what a variable holds")
		}
		if x.Op >= syntax.TsExists && x.Op <= syntax.TsNoEmpty {
			w.testFile(x.X)
			return
		}
		w.test(x.X)
	case *syntax.BinaryTest:
		switch x.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			w.arithmeticTest(x.X)
			w.arithmeticTest(x.Y)
		case syntax.TsNewer, syntax.TsOlder, syntax.TsDevIno:
			w.testFile(x.X)
			w.testFile(x.Y)
		default:
			w.test(x.X)
			w.test(x.Y)
		}
	}
}

// testFile follows the name of a file that is looked at from outside.
func (w *walker) testFile(x syntax.TestExpr) {
	word, ok := x.(*syntax.Word)
	if !ok {
		w.test(x)
		return
	}
	if name := w.single(word); name.known && name.text != "" {
		w.stat(name.text)
	}
}

func (w *walker) arithmeticTest(x syntax.TestExpr) {
	if word, ok := x.(*syntax.Word); ok {
		w.operand(word)
		return
	}
	w.opaqueNode(x, "a test can evaluate what a variable holds")
}

// arithmetic follows an arithmetic expression and reports whether all it uses are numbers: a shell evaluates what
// variables hold, subscripts and the commands in them included.
func (w *walker) arithmetic(x syntax.ArithmExpr) bool {
	switch x := x.(type) {
	case nil:
		return true
	case *syntax.Word:
		return w.operand(x)
	case *syntax.ParenArithm:
		return w.arithmetic(x.X)
	case *syntax.UnaryArithm:
		sure := w.arithmetic(x.X)
		if x.Op == syntax.Inc || x.Op == syntax.Dec {
			sure = w.arithmeticSet(x.X, sure)
		}
		return sure
	case *syntax.BinaryArithm:
		right := w.arithmetic(x.Y)
		if fails(x) {
			w.opaqueNode(x, "where it fails, what follows in its line is skipped")
		}
		if x.Op == syntax.Assgn {
			return w.arithmeticSet(x.X, right)
		}
		left := w.arithmetic(x.X)
		if x.Op >= syntax.AddAssgn && x.Op <= syntax.ShrAssgn {
			return w.arithmeticSet(x.X, left && right)
		}
		return left && right
	}
	w.inner(x)
	w.opaqueNode(x, "arithmetic can evaluate what a variable holds")
	return false
}

// fails reports whether an operation may fail, which ends the whole line: a division by zero, a negative exponent.
func fails(x *syntax.BinaryArithm) bool {
	switch x.Op {
	case syntax.Quo, syntax.Rem, syntax.Pow, syntax.QuoAssgn, syntax.RemAssgn:
		y, ok := x.Y.(*syntax.Word)
		return !ok || !number(y.Lit()) || strings.HasPrefix(y.Lit(), "-") || x.Op != syntax.Pow && strings.Trim(y.Lit(), "0") == ""
	}
	return false
}

// unsigned reports whether an expression, if there is one, is a number that is not negative.
func (w *walker) unsigned(x syntax.ArithmExpr) bool {
	word, ok := x.(*syntax.Word)
	if !ok {
		return x == nil
	}
	text := word.Lit()
	if syntax.ValidName(text) {
		text = w.lookup(text).text
	}
	return number(text) && text[0] != '-'
}

// arithmeticSet assigns a number to the variable that x names.
func (w *walker) arithmeticSet(x syntax.ArithmExpr, sure bool) bool {
	word, ok := x.(*syntax.Word)
	if !ok || !syntax.ValidName(word.Lit()) {
		w.opaqueNode(x, "arithmetic can evaluate what a variable holds")
		return false
	}
	w.assigned(word.Lit(), value{tame: sure})
	return sure
}

// operand reports whether a word of an arithmetic expression is a number; otherwise the text is opaque.
func (w *walker) operand(x *syntax.Word) bool {
	if name := x.Lit(); syntax.ValidName(name) {
		if numeric(w.lookup(name)) {
			return true
		}
	} else if v := w.single(x); v.tame || v.known && (number(v.text) || base(v.text)) {
		return true
	}
	w.opaqueNode(x, "arithmetic can evaluate what a variable holds")
	return false
}

// base reports whether s is a number as in 0x1f or 017.
func base(s string) bool {
	if hex, ok := strings.CutPrefix(s, "0x"); ok {
		return hex != "" && strings.Trim(hex, "0123456789abcdefABCDEF") == ""
	}
	return strings.HasPrefix(s, "0") && strings.Trim(s, "01234567") == ""
}
