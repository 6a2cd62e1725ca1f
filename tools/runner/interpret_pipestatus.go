package runner

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// pipeNumber is the variable that tells the parts of a pipeline which one they belong to.
const pipeNumber = "TRICODE_PIPE"

// statuses makes a pipeline leave PIPESTATUS, in texts that ask for it.
func (c *completer) statuses(n *syntax.Stmt) {
	pipe, ok := n.Cmd.(*syntax.BinaryCmd)
	if !ok || !c.pipestatus || c.ours[pipe] || pipe.Op != syntax.Pipe && pipe.Op != syntax.PipeAll {
		return
	}
	var parts []*syntax.Stmt
	for whole := pipe; whole != nil; {
		c.ours[whole] = true
		parts = append(parts, whole.Y)
		left, ok := whole.X.Cmd.(*syntax.BinaryCmd)
		if !ok || left.Op != syntax.Pipe && left.Op != syntax.PipeAll {
			parts, left = append(parts, whole.X), nil
		}
		whole = left
	}
	slices.Reverse(parts)
	for i, part := range parts {
		inner := *part
		body := c.then(stmt(&syntax.Subshell{Stmts: []*syntax.Stmt{&inner}}), "part", strconv.Itoa(i))
		*part = syntax.Stmt{Cmd: &syntax.Subshell{Stmts: []*syntax.Stmt{body}}}
	}
	end := c.then(stmt(pipe), "parts", strconv.Itoa(len(parts)))
	n.Cmd, c.changed = &syntax.Block{Stmts: []*syntax.Stmt{special("pipe"), end}}, true
}

// pipe begins a pipeline.
func pipe(c call) error {
	c.mu.Lock()
	number := len(c.pipes)
	c.pipes = append(c.pipes, nil)
	c.mu.Unlock()
	if err := c.native("eval", pipeNumber+"="+strconv.Itoa(number)); err != nil {
		return err
	}
	return c.before()
}

// part is the end of one part of a pipeline.
func part(c call) error {
	number, i := c.pipe(), atoi(c.args[0])
	c.mu.Lock()
	if number < len(c.pipes) && i < maxBranches {
		for len(c.pipes[number]) <= i {
			c.pipes[number] = append(c.pipes[number], "0")
		}
		c.pipes[number][i] = strconv.Itoa(c.hc.LastExitStatus)
	}
	c.mu.Unlock()
	return c.status()
}

// parts is the end of a pipeline.
func parts(c call) error {
	number := c.pipe()
	c.mu.Lock()
	var all []string
	if number < len(c.pipes) {
		all, c.pipes[number] = c.pipes[number], nil
	}
	c.mu.Unlock()
	if err := c.native("eval", "PIPESTATUS=("+strings.Join(all, " ")+")"); err != nil {
		return err
	}
	return c.status()
}

// pipe is the number of the pipeline that a shell is a part of.
func (c call) pipe() int { return atoi(c.hc.Env.Get(pipeNumber).Str) }
