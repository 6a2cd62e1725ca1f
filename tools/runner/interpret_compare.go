package runner

import (
	"errors"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// comparisons are the operators of [[ ]] whose operands are expressions of arithmetic.
var comparisons = map[string]func(a, b int) bool{
	"-eq": func(a, b int) bool { return a == b },
	"-ne": func(a, b int) bool { return a != b },
	"-le": func(a, b int) bool { return a <= b },
	"-ge": func(a, b int) bool { return a >= b },
	"-lt": func(a, b int) bool { return a < b },
	"-gt": func(a, b int) bool { return a > b },
}

// numbersCompared makes a comparison of what may be no decimal number, which is 0 to the interpreter, a call.
func (c *completer) numbersCompared(x *syntax.BinaryTest) syntax.TestExpr {
	left, ok := x.X.(*syntax.Word)
	right, isWord := x.Y.(*syntax.Word)
	if !ok || !isWord || c.decimal(left) && c.decimal(right) {
		return x
	}
	c.changed = true
	call := special("compared", x.Op.String())
	args := call.Cmd.(*syntax.CallExpr)
	args.Args = append(args.Args, whole(left), whole(right))
	result := &syntax.UnaryTest{Op: syntax.TsNempStr, X: &syntax.Word{Parts: []syntax.WordPart{&syntax.CmdSubst{Stmts: []*syntax.Stmt{call}}}}}
	there := &syntax.Word{Parts: []syntax.WordPart{&syntax.SglQuoted{Value: "x"}}}
	for _, w := range [...]*syntax.Word{left, right} {
		if c.nounset && !starts(w) { // the shell itself ends where there is none
			there.Parts = append(there.Parts, w.Parts...)
		}
	}
	if len(there.Parts) == 1 {
		return result
	}
	return &syntax.BinaryTest{Op: syntax.AndTest, X: &syntax.UnaryTest{Op: syntax.TsNempStr, X: there}, Y: result}
}

// decimal reports whether a word is always a decimal number.
func (c *completer) decimal(w *syntax.Word) bool {
	if len(w.Parts) == 1 {
		if q, ok := w.Parts[0].(*syntax.DblQuoted); ok {
			w = &syntax.Word{Parts: q.Parts}
		}
	}
	if lit := w.Lit(); lit != "" {
		return decimalNumber().MatchString(lit)
	}
	return c.counted(w)
}

// compared writes something if a comparison of two expressions holds. One with a mistake does not.
func compared(c call) error {
	var values [2]int
	for i, text := range c.args[1:] {
		value, err := c.value(text)
		switch {
		case errors.Is(err, errPart) || errors.Is(err, errAssigns):
			err = fmt.Errorf("%w: %s: %w", ErrArithmetic, text, err)
			c.cancel(err)
			return err
		case err != nil:
			fmt.Fprintf(c.hc.Stderr, "%s: [[: %s: %v\n", c.zero, text, err)
			return nil
		}
		values[i] = value
	}
	if comparisons[c.args[0]](values[0], values[1]) {
		return c.write("x")
	}
	return nil
}

// value is the value of an expression.
func (c call) value(text string) (int, error) {
	number, err := c.evaluate(text, asWhole, 0)
	if err != nil {
		return 0, err
	}
	x, err := syntax.NewParser().Arithmetic(strings.NewReader(number))
	if err != nil {
		return 0, errSyntax
	}
	return expand.Arithm(&expand.Config{Env: expand.ListEnviron()}, x)
}
