package runner

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

var (
	errPart    = errors.New("an expansion within arithmetic is more than a number; put it in a variable of its own")
	errAssigns = errors.New("the value of a variable would assign in arithmetic")
	errDivided = errors.New("division by 0")
	errDeep    = errors.New("expression recursion level exceeded")
	errSyntax  = errors.New("syntax error in expression")
	errOctal   = errors.New("value too great for base")
)

// number writes the value of an operand. Where that is not known the script ends.
func number(c call) error {
	text, err := c.evaluate(c.args[1], c.args[0], 0)
	if err == nil && c.args[0] == asDivisor && strings.Trim(text, "-+0") == "" {
		err = errDivided
	}
	if err != nil {
		err = fmt.Errorf("%w: %s: %w", ErrArithmetic, c.args[1], err)
		c.cancel(err)
		return err
	}
	return c.write(text)
}

// evaluate is a number for a text.
func (c call) evaluate(text, how string, depth int) (string, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return "0", nil
	case plainNumber().MatchString(text):
		return text, nil
	case strings.Trim(text, "0123456789") == "":
		return "", errOctal
	case depth > maxNesting:
		return "", errDeep
	case c.ctx.Err() != nil:
		return "", c.ctx.Err()
	case syntax.ValidName(text):
		return c.evaluate(c.hc.Env.Get(text).String(), asWhole, depth+1)
	case how != asWhole:
		return "", errPart
	}
	x, err := syntax.NewParser().Arithmetic(strings.NewReader(text))
	if err != nil || int(x.End().Offset()) != len(text) {
		return "", errSyntax
	}
	if err := c.resolve(x, depth); err != nil {
		return "", err
	}
	n, err := expand.Arithm(&expand.Config{Env: expand.ListEnviron()}, x)
	return strconv.Itoa(n), err
}

// resolve makes numbers of the names in an expression that only reads them.
func (c call) resolve(x syntax.ArithmExpr, depth int) (err error) {
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryArithm:
			if assigns(n.Op) {
				err = errAssigns
			}
		case *syntax.UnaryArithm:
			if n.Op == syntax.Inc || n.Op == syntax.Dec {
				err = errAssigns
			}
		case *syntax.Word:
			value, lit := "", n.Lit()
			switch {
			case lit == "":
				err = errPart
			case !syntax.ValidName(lit) && strings.Trim(lit, "0123456789") != "" && !plainNumber().MatchString(lit):
				err = errSyntax // 1.5
			default:
				value, err = c.evaluate(lit, asPart, depth+1)
			}
			if err == nil {
				n.Parts = []syntax.WordPart{&syntax.Lit{Value: value}}
			}
		}
		return err == nil
	})
	return err
}
