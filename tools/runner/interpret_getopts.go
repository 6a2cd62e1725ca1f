package runner

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// getopts takes the -- that ends the options, and calls an option that lacks its argument ? unless it may be silent: the
// interpreter does neither.
func getopts(c call) error {
	if len(c.args) > 2 && strings.LastIndex(c.args[0], "-") > 0 {
		return c.long()
	}
	err := c.native(append([]string{"getopts"}, c.args...)...)
	if len(c.args) < 3 {
		return err
	}
	name, words, next := c.args[1], c.args[2:], atoi(c.hc.Env.Get("OPTIND").Str)
	switch {
	case err != nil && next > 0 && next <= len(words) && words[next-1] == "--":
		if failed := c.native("eval", "OPTIND="+strconv.Itoa(next+1)); failed != nil {
			return failed
		}
	case err == nil && !strings.HasPrefix(c.args[0], ":") && c.hc.Env.Get(name).Str == ":":
		return c.assign(name, "?")
	}
	return err
}

// long takes - for an option, which is how --name is understood: it stands as another character while the interpreter looks.
func (c call) long() error {
	const dash = "\x01"
	c.args = slices.Clone(c.args)
	name := c.args[1]
	c.args[0] = strings.ReplaceAll(c.args[0], "-", dash)
	for i, w := range c.args[2:] {
		if len(w) > 2 && strings.HasPrefix(w, "--") {
			c.args[i+2] = "-" + dash + w[2:]
		}
	}
	err := getopts(c)
	for _, variable := range []string{name, "OPTARG"} {
		v := c.hc.Env.Get(variable)
		if !v.IsSet() || !strings.Contains(v.Str, dash) {
			continue
		}
		if failed := c.assign(variable, strings.ReplaceAll(v.Str, dash, "-")); failed != nil {
			return failed
		}
	}
	return err
}

// options gives getopts the words that it would look at, for the builtin above to see.
func (c *completer) options(n *syntax.CallExpr) {
	if len(n.Args) == 3 && n.Args[0].Lit() == "getopts" {
		all := &syntax.ParamExp{Short: true, Param: &syntax.Lit{Value: "@"}}
		n.Args, c.changed = append(n.Args, &syntax.Word{Parts: []syntax.WordPart{&syntax.DblQuoted{Parts: []syntax.WordPart{all}}}}), true
	}
}
