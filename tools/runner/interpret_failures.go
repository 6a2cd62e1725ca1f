package runner

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"tricode/approval/shell"
)

// The interpreter runs a trap for ERR for what is around a failure too, within functions whatever errtrace says, and goes on after it.
const (
	failureVar  = "TRICODE_FAILURE"      // the status of the failure while a trap for it runs
	lineVar     = "TRICODE_FAILURE_LINE" // where that was
	insideVar   = "TRICODE_INSIDE"       // the shell is in a function that does not know the trap
	enforcedVar = "TRICODE_ENFORCED"     // errexit was set to leave such a trap
)

// trapFailures sets what runs after a failure.
func (c call) trapFailures(text string) error {
	if text != "-" && text != "" {
		text = "if " + mark + "traps; then\n" + mark + "failing && " + mark + "fine\n" + text + "\n" + mark + "failed\nfi"
	}
	if err := c.native("eval", insideVar+"="); err != nil {
		return err
	}
	return c.native("trap", "--", text, "ERR")
}

// traps reports whether a failure is one that the trap is for.
func traps(c call) error {
	if c.hc.Env.Get(insideVar).Str != "" && !c.errtrace.Load() || c.commands.Load() == c.failed.Load() {
		return interp.ExitStatus(1)
	}
	return c.native("eval", fmt.Sprintf("%s=%d %s=%d", failureVar, c.hc.LastExitStatus, lineVar, c.line.Load()))
}

// located makes the lines of a trap for ERR those of the failures.
func located(text string) string {
	file, err := shell.ParseToRun(text)
	if err != nil {
		return text
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		if x, ok := n.(*syntax.ParamExp); ok && x.Param != nil && x.Param.Value == "LINENO" {
			x.Param, x.Short = &syntax.Lit{Value: lineVar}, false
		}
		return true
	})
	var b strings.Builder
	if err := syntax.NewPrinter().Print(&b, file); err != nil {
		return text
	}
	return b.String()
}

// failing gives the trap the status of the failure.
func failing(c call) error { return exit(atoi(c.hc.Env.Get(failureVar).Str)) }

// failed ends the trap: what is around the failure does not fail by itself.
func failed(c call) error {
	c.failed.Store(c.commands.Load())
	return c.native("eval", failureVar+"=")
}

// enforce has the interpreter leave the shell after a trap for ERR.
func (c call) enforce() error {
	return c.native("eval", "case $- in *e*) ;; *) set -e; "+enforcedVar+"=1 ;; esac")
}

// inside begins a function.
func inside(c call) error {
	if err := c.native("eval", "local "+insideVar+"=1"); err != nil {
		return err
	}
	return c.status()
}

// step is a command, on a line, that the interpreter does not tell of.
func step(c call) error {
	c.commands.Add(1)
	c.line.Store(int64(atoi(c.args[0])))
	return c.status()
}

// unnoticed is a call whose status neither ends the shell nor sets off the trap for failures.
func unnoticed(call syntax.Command) *syntax.Stmt {
	return stmt(&syntax.BinaryCmd{Op: syntax.AndStmt, X: stmt(call), Y: special("fine")})
}

// trapsFailures reports whether any text so far may set a trap for ERR.
func (s *session) trapsFailures() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failing
}

// failures prepares a statement for a trap for ERR.
func (c *completer) failures(n *syntax.Stmt) {
	told := false
	switch cmd := n.Cmd.(type) {
	case *syntax.CallExpr:
		told = len(cmd.Args) > 0
	case *syntax.TestClause, *syntax.ArithmCmd, *syntax.DeclClause:
	default:
		told = true
	}
	if c.traps && !(told && len(n.Redirs) == 0) && n.Cmd != nil && !n.Background && !c.steps[n.Cmd] {
		c.steps[n.Cmd] = true
		c.after(n, special("step", strconv.Itoa(int(n.Pos().Line()))))
	}
}

// unknowing begins the body of a function so that a trap for ERR is not for what is in it.
func (c *completer) unknowing(body *syntax.Block) {
	if c.traps {
		body.Stmts, c.changed = slices.Insert(body.Stmts, 0, unnoticed(special("inside").Cmd)), true
	}
}
