package runner

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"tricode/approval/shell"
)

// Differences is what the interpreter does otherwise than bash and does not refuse, in words for a person.
var Differences = []string{
	"a mistake in an expansion ends the shell with status 1, not 127",
	"an assignment to a readonly variable fails, and the line goes on",
	"nothing is written about a shell that a signal ended",
	"sh and dash are interpreted like bash",
	"an element of an array that is not set is empty, with set -u too",
	"a local variable that is declared again loses its value",
	"exec takes no options that come from an expansion",
	"files beyond the first three that a shell closes are closed for its jobs",
	"the trap for the end sees the status of the signal that ended the shell",
	"errexit does not count in a trap for a signal",
	"SIGINT ends the shell, whatever the program that runs makes of it",
	"errexit ends the shell before a trap that is due",
	"a trap for ERR runs once for what fails within eval or a sourced file",
	"exit in a trap for ERR of ( ) or $( ) keeps the status of the failure",
	"set -E changes nothing in ( ) and $( )",
	"with set -e, a && b that fails at the end of if, case or { } counts as 0",
	"a declaration that uses what it sets runs its substitutions backwards",
	"set -u does not see names that [[ ]] finds in what it compares as numbers",
	"x=1 >file does not set x where the file cannot be opened",
	"an expansion that is split at separators other than blanks has no empty fields",
	"jobs lists what runs by its process, and nothing that has ended",
	"BASH_REMATCH keeps what matched last where nothing matches",
	"a signal without a trap does not end a loop that calls nothing",
	"a signal without a trap ends the parts and jobs of the shell too",
	"$$ and $BASHPID are the same in all shells that are interpreted",
	"[!a]* matches names that begin with a dot too",
	"type does not show the text of a function",
	"a line may end with a carriage return",
	"in [[ =~ ]] \\d is a digit, and the first alternative that matches counts",
	"SIGINT ends jobs too",
	"$LINENO in eval, or in a trap but for ERR, counts the lines of that text",
	"$LINENO in a trap for ERR may be a line of the function that failed",
	"declare -f alone writes nothing, and of a function another layout",
	"a[key] of an array that was not declared with -A is a[0]",
	"local IFS=. a=($1) splits at the new IFS",
	"${x:1:-9}, which ends before it begins, is no mistake",
	"for ((i = 0;;)) that return or exit leaves takes one more step",
	"for x in … of a readonly x runs its body",
	"command -v a b fails where b is missing, and there is no command -V",
	"((1/0)) ends the shell, and so does a mistake in a here-document with set -u",
	"unset of a readonly variable, and unalias of no alias, do not fail",
	"set -u takes $a of an array for one without a value",
	"break 0 and break of what is no number do not leave the loop",
	"break 5 in two loops leaves the loop behind them too",
	"set -u does not see ${#a[@]} of an array that has no value",
	"$_ behind a function is that of the last command within it",
	"PIPESTATUS tells of what was connected by | only",
	"$? does not tell of substitutions in the same command",
	"arithmetic takes the largest number for a larger one that is written",
	"break in the condition of if lets a command that follows in it run",
	"declare -p lists associative arrays by their keys",
}

// pipeline gives the last part of a pipeline a shell of its own, as all parts of it have.
func (c *completer) pipeline(n *syntax.BinaryCmd) {
	if n.Op != syntax.Pipe && n.Op != syntax.PipeAll {
		return
	}
	switch cmd := n.Y.Cmd.(type) {
	case *syntax.Subshell:
		return
	case *syntax.CallExpr:
		if len(cmd.Args) > 0 && cmd.Args[0].Lit() != "" && !interp.IsBuiltin(cmd.Args[0].Lit()) && len(cmd.Assigns) == 0 && !c.declared(cmd.Args[0].Lit()) {
			return // a program changes nothing here
		}
	}
	n.Y, c.changed = stmt(&syntax.Subshell{Stmts: []*syntax.Stmt{n.Y}}), true
}

// parts counts the elements of arrays by a call: the interpreter counts those of associative arrays as one.
func (c *completer) parts(parts []syntax.WordPart) {
	for i, p := range parts {
		x, ok := p.(*syntax.ParamExp)
		if !ok || !x.Length || x.Index == nil || x.Param == nil {
			continue
		}
		if w, ok := x.Index.(*syntax.Word); ok && (w.Lit() == "@" || w.Lit() == "*") && c.associative() {
			call := special("count")
			words := call.Cmd.(*syntax.CallExpr)
			words.Args = append(words.Args, &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: x.Param.Value}}})
			parts[i], c.changed = &syntax.CmdSubst{Stmts: []*syntax.Stmt{call}}, true
		}
	}
}

// associative reports whether any text so far declared an associative array.
func (s *session) associative() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.maps) > 0
}

// mapping notes the names that a declaration makes associative arrays, or names of others.
func (s *session) mapping(d *syntax.DeclClause) {
	associative, refers := false, false
	for _, a := range d.Args {
		if a.Name == nil && a.Value != nil && strings.HasPrefix(a.Value.Lit(), "-") {
			associative = associative || strings.Contains(a.Value.Lit(), "A")
			refers = refers || strings.Contains(a.Value.Lit(), "n")
		}
	}
	if !associative && !refers {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.maps == nil {
		s.maps = map[string]bool{}
	}
	for _, a := range d.Args {
		if a.Name != nil {
			s.maps[a.Name.Value] = s.maps[a.Name.Value] || associative
		}
	}
}

// count writes how many elements an array has.
func count(c call) error {
	_, v := c.hc.Env.Get(c.args[0]).Resolve(c.hc.Env)
	if v.Kind == expand.Unknown {
		v = c.hc.Env.Get(c.args[0])
	}
	n := 0
	switch v.Kind {
	case expand.Indexed:
		n = len(v.List)
	case expand.Associative:
		n = len(v.Map)
	case expand.String:
		n = 1
	}
	return c.write(strconv.Itoa(n))
}

// test makes [[ -v a[i] ]] ask whether the element is set.
func (c *completer) test(x syntax.TestExpr) syntax.TestExpr {
	switch x := x.(type) {
	case *syntax.ParenTest:
		x.X = c.test(x.X)
	case *syntax.BinaryTest:
		x.X, x.Y = c.test(x.X), c.test(x.Y)
		c.compared(x)
		switch x.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			c.named(x.X)
			c.named(x.Y)
			return c.numbersCompared(x)
		}
	case *syntax.UnaryTest:
		if w, ok := x.X.(*syntax.Word); ok {
			c.unescape(w, false)
		}
		if x.Op != syntax.TsVarSet {
			x.X = c.test(x.X)
			break
		}
		element := c.asked(x.X)
		if element == "" {
			break
		}
		file, err := shell.ParseToRun("[[ -n ${" + element + "+x} ]]")
		if err != nil {
			break
		}
		if t, ok := file.Stmts[0].Cmd.(*syntax.TestClause); ok {
			c.changed = true
			return t.X
		}
	}
	return x
}

// asked is the element of an array that -v asks for, empty for a variable.
func (c *completer) asked(x syntax.TestExpr) string {
	w, ok := x.(*syntax.Word)
	if !ok || len(w.Parts) == 0 {
		return ""
	}
	switch p := w.Parts[0].(type) {
	case *syntax.SglQuoted:
		if len(w.Parts) == 1 {
			return c.elementNamed(p.Value)
		}
	case *syntax.DblQuoted:
		if len(w.Parts) == 1 {
			w = &syntax.Word{Parts: p.Parts}
		}
	}
	var text strings.Builder
	if syntax.NewPrinter().Print(&text, w) != nil || !strings.Contains(text.String(), "[") {
		return ""
	}
	return text.String()
}

// elementNamed is an element that is named by a text without expansions, empty if there is none.
func (s *session) elementNamed(text string) string {
	name, index, ok := strings.Cut(strings.TrimSuffix(text, "]"), "[")
	switch {
	case !ok || !syntax.ValidName(name):
		return ""
	case s.keyed(name):
		return name + "[" + quote(index) + "]"
	case !named().MatchString(text):
		return ""
	}
	return text
}

// compared completes the words of a comparison.
func (c *completer) compared(x *syntax.BinaryTest) {
	if w, ok := x.X.(*syntax.Word); ok {
		c.unescape(w, false)
	}
	w, ok := x.Y.(*syntax.Word)
	if !ok {
		return
	}
	switch x.Op {
	case syntax.TsReMatch:
		c.regex(w)
	case syntax.TsMatch, syntax.TsMatchShort, syntax.TsNoMatch: // a pattern keeps its backslashes
		c.dashes(w)
	default:
		c.unescape(w, false)
	}
}

// named makes a name that is compared as a number its value.
func (c *completer) named(x syntax.TestExpr) {
	w, ok := x.(*syntax.Word)
	if !ok || !syntax.ValidName(w.Lit()) {
		return
	}
	name := &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: w.Lit()}}}
	w.Parts, c.changed = []syntax.WordPart{&syntax.ArithmExp{X: name}}, true
}

// shopt leaves out the options that change nothing here.
func shopt(c call) error {
	args := slices.DeleteFunc(slices.Clone(c.args), func(a string) bool { return shell.Idle(a) })
	if len(args) < 2 && len(args) < len(c.args) {
		return nil
	}
	if slices.Contains(args, "globstar") {
		c.mu.Lock()
		c.globstar = slices.Contains(args, "-s")
		c.mu.Unlock()
	}
	return c.native(append([]string{"shopt"}, args...)...)
}

// readDir lists a directory for a pattern. With globstar it follows no link: ** would follow it without end.
func (s *subshell) readDir(ctx context.Context, name string) ([]fs.DirEntry, error) {
	s.mu.Lock()
	globstar := s.globstar
	s.mu.Unlock()
	if globstar {
		if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return nil, syscall.ENOTDIR
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return os.ReadDir(name)
}

// list writes the variables, as set without arguments does.
func list(c call) error {
	values := map[string]string{}
	for name, v := range c.hc.Env.Each {
		if v.IsSet() && v.Kind == expand.String && !strings.HasPrefix(name, "TRICODE_") {
			values[name] = v.Str
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(values)) {
		b.WriteString(name + "=" + values[name] + "\n")
	}
	return c.write(b.String())
}
