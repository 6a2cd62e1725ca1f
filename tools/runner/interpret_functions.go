package runner

import (
	"maps"
	"slices"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// functionNames makes declare -F a call that names functions, and declare -f too if nobody reads what it writes: the interpreter
// lacks the one, and to the other a name like a::b is none.
func (c *completer) functionNames(n *syntax.Stmt) {
	d, ok := n.Cmd.(*syntax.DeclClause)
	if !ok || len(d.Args) == 0 || d.Args[0].Value == nil {
		return
	}
	switch d.Args[0].Value.Lit() {
	case "-F":
	case "-f":
		if len(d.Args) == 1 || !slices.ContainsFunc(n.Redirs, func(r *syntax.Redirect) bool {
			return r.Word.Lit() == "/dev/null" && (r.Op == syntax.RdrAll || r.Op == syntax.RdrOut && (r.N == nil || r.N.Value == "1"))
		}) {
			return
		}
	default:
		return
	}
	call := special("functions").Cmd.(*syntax.CallExpr)
	for _, a := range d.Args[1:] {
		if a.Name != nil {
			call.Args = append(call.Args, literal(a.Name.Value))
		} else {
			call.Args = append(call.Args, a.Value)
		}
	}
	n.Cmd, c.changed = call, true
}

// functions names those of its arguments that are functions, or all functions as declarations.
func functions(c call) error {
	names, prefix := c.args, ""
	if len(names) == 0 {
		c.mu.Lock()
		names, prefix = slices.Sorted(maps.Keys(c.functions)), "declare -f "
		c.mu.Unlock()
	}
	var missing error
	for _, name := range names {
		const is = "TRICODE_IS_FUNCTION"
		if err := c.native("eval", is+"=$(type -t -- "+quote(name)+") || :"); err != nil {
			return err
		}
		if c.hc.Env.Get(is).Str == "function" {
			if err := c.write(prefix + name + "\n"); err != nil {
				return err
			}
		} else if prefix == "" {
			missing = interp.ExitStatus(1)
		}
	}
	return missing
}
