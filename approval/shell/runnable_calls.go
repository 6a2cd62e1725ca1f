package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// apart refuses traps of a part of the script: the interpreter forgets that it ends, and it gets no signals of its own.
func (r *runnable) apart(n syntax.Node) {
	r.within(n)
	syntax.Walk(n, func(inner syntax.Node) bool {
		c, ok := inner.(*syntax.CallExpr)
		if ok && len(c.Args) > 0 && (traps(c) || r.trapping[c.Args[0].Lit()]) {
			r.refuse(c, "trap within ( ), $( ), a pipeline or a job", "use bash -c, or clean up at the end")
		}
		return r.found == nil
	})
}

// traps reports whether a trap runs something at the end, or for a signal: not at a failure, which every part knows.
func traps(c *syntax.CallExpr) bool {
	if len(c.Args) < 3 || spelled(c.Args[0]) != "trap" {
		return false
	}
	words := c.Args[1:]
	if spelled(words[0]) == "--" {
		words = words[1:]
	}
	if spelled(words[0]) == "-" || emptyQuotes(words[0]) {
		return false
	}
	return slices.ContainsFunc(words[1:], func(w *syntax.Word) bool { return spelled(w) != "ERR" })
}

// emptyQuotes reports whether a word is "" or its like.
func emptyQuotes(w *syntax.Word) bool {
	return !slices.ContainsFunc(w.Parts, func(part syntax.WordPart) bool {
		switch p := part.(type) {
		case *syntax.SglQuoted:
			return p.Value != ""
		case *syntax.DblQuoted:
			return len(p.Parts) > 0
		}
		return true
	})
}

// functions notes which functions set a trap, and which names stand for others.
func (r *runnable) functions(file *syntax.File) {
	syntax.Walk(file, func(n syntax.Node) bool {
		if d, ok := n.(*syntax.DeclClause); ok {
			r.refers(d)
		}
		if f, ok := n.(*syntax.FuncDecl); ok && f.Name != nil {
			syntax.Walk(f.Body, func(inner syntax.Node) bool {
				if c, ok := inner.(*syntax.CallExpr); ok && traps(c) {
					if r.trapping == nil {
						r.trapping = map[string]bool{}
					}
					r.trapping[f.Name.Value] = true
				}
				return true
			})
		}
		return true
	})
}

// overriding are names that a function must not have, because what they run is judged.
var overriding = map[string]bool{
	"eval": true, "source": true, ".": true, "exec": true, "command": true, "builtin": true, "trap": true, "kill": true, "wait": true,
	"command_not_found_handle": true,
}

// calls are commands that are refused with any arguments, or with an argument or letter that stands here.
var calls = []struct {
	name, args, instead string
}{
	{"fg", "", "use wait"},
	{"bg", "", "use &"},
	{"suspend", "", "use kill and wait"},
	{"ulimit", "", "use timeout, or prlimit"},
	{"umask", "", "use chmod, or install -m"},
	{"enable", "", "use command, or the program by its path"},
	{"bind", "", "there is no command line to edit"},
	{"complete", "", "there is no command line to complete"},
	{"compgen", "", "use compgen's results by other means: ls, declare -F, command -v"},
	{"compopt", "", "there is no command line to complete"},
	{"history", "", "there is no history"},
	{"fc", "", "there is no history"},
	{"caller", "", "use $LINENO"},
	{"newgrp", "", "use sg"},
	{"logout", "", "use exit"},
	{"hash", "-p", "put the directory on PATH"},
	{"mapfile", "-C -c -O", "use while read"},
	{"readarray", "-C -c -O", "use while read"},
	{"dirs", "-c -l -p -v", "use dirs alone, or pwd"},
	{"read", "-e -i", "there is nobody to edit a line"},
	{"trap", "DEBUG RETURN", "use set -x, or call the command"},
	{"trap", "CHLD SIGCHLD", "use wait"},
	{"wait", "-p", "use wait PID"},
	{"type", "-a", "use which -a"},
	{"set", "-v verbose -n noexec -t onecmd -C noclobber -k keyword", "leave it out"},
}

// leaps reports whether a call leaves a loop, or goes on with it.
func leaps(n syntax.Node) bool {
	c, ok := n.(*syntax.CallExpr)
	return ok && len(c.Args) > 0 && (spelled(c.Args[0]) == "break" || spelled(c.Args[0]) == "continue")
}

// leaping refuses a condition that leaves the loop: the interpreter would try it again and again.
func (r *runnable) leaping(cond []*syntax.Stmt) {
	for _, st := range cond {
		syntax.Walk(st, func(n syntax.Node) bool {
			if leaps(n) {
				r.refuse(n, "break or continue in the condition of a loop", "put it in the body")
			}
			return r.found == nil
		})
	}
}

// within refuses a part of the script that leaves a loop around it: it is to end there, and the interpreter would go on.
func (r *runnable) within(part syntax.Node) {
	syntax.Walk(part, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.FuncDecl, *syntax.ForClause, *syntax.WhileClause:
			return false
		}
		if leaps(n) {
			r.refuse(n, "break or continue within ( ), $( ), a pipeline or a job", "use exit there")
		}
		return r.found == nil
	})
}

// call refuses what the table names.
func (r *runnable) call(n *syntax.CallExpr) {
	for _, a := range n.Assigns {
		if a.Append && a.Index != nil && changes(a.Index) {
			r.refuse(n, "+= to an element whose index changes something", "set a variable to the index first")
		}
		if a.Append && a.Array != nil && a.Array.Elems != nil && slices.ContainsFunc(a.Array.Elems, func(e *syntax.ArrayElem) bool { return e.Index != nil }) {
			r.refuse(n, "+=([key]=value)", "use name[key]=value")
		}
	}
	if len(n.Args) == 0 {
		return
	}
	r.split(n.Args)
	words := make([]string, len(n.Args))
	for i, w := range n.Args {
		words[i] = spelled(w)
	}
	for len(words) > 1 && (words[0] == "command" || words[0] == "builtin") {
		words = words[1:]
	}
	if i := slices.Index(words, "--"); i > 0 && words[0] == "set" {
		words = words[:i]
	}
	for _, c := range calls {
		if c.name != words[0] {
			continue
		}
		if c.args == "" {
			r.refuse(n, c.name, c.instead)
		}
		for _, arg := range strings.Fields(c.args) {
			if contains(words[1:], arg) {
				r.refuse(n, c.name+" "+arg, c.instead)
			}
		}
	}
	switch {
	case words[0] == "shopt":
		r.shopt(n, words[1:])
	case words[0] == "exec" && len(words) > 1 && len(words[1]) > 1 && words[1][0] == '-' && words[1] != "--":
		r.refuse(n, "exec "+words[1], "use env, or a link of that name")
	}
	for _, w := range words[1:] {
		if name, _, _ := strings.Cut(w, "["); words[0] == "unset" && r.refs[name] {
			r.refuse(n, "unset of a name that stands for another", "use unset with that one")
		}
		if jobSpec(w) && (words[0] == "kill" || words[0] == "wait" || words[0] == "disown" || words[0] == "jobs") {
			r.refuse(n, words[0]+" "+w, "use the process that $! names")
		}
	}
}

// shopts are the options of shopt that the interpreter has, idle those that change nothing in a script.
var (
	shopts = strings.Fields("nullglob globstar dotglob extglob nocaseglob expand_aliases")
	idle   = strings.Fields("checkwinsize cmdhist histappend interactive_comments progcomp promptvars sourcepath checkhash huponexit lithist")
)

// Idle reports whether an option of shopt changes nothing in a script.
func Idle(option string) bool { return slices.Contains(idle, option) }

func (r *runnable) shopt(n *syntax.CallExpr, words []string) {
	for _, w := range words {
		switch {
		case strings.HasPrefix(w, "-") && strings.Trim(w, "-su") != "":
			r.refuse(n, "shopt "+w, "use shopt -s or -u")
		case !strings.HasPrefix(w, "-") && !slices.Contains(shopts, w) && !Idle(w):
			r.refuse(n, "shopt "+w, "write the pattern so that it does not need it")
		}
	}
}

// jobSpec reports whether a word names a job: %1, %+, %name.
func jobSpec(w string) bool { return strings.HasPrefix(w, "%") }

// contains reports whether an option or word is among words; an option may stand in a cluster.
func contains(words []string, arg string) bool {
	for _, w := range words {
		if w == arg {
			return true
		}
		if len(arg) == 2 && arg[0] == '-' && len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.Contains(w[1:], arg[1:]) {
			return true
		}
	}
	return false
}

// decl refuses attributes that the interpreter does not know.
func (r *runnable) decl(n *syntax.DeclClause) {
	if len(n.Args) == 0 {
		r.refuse(n, n.Variant.Value+" alone", "use env, or declare -p with a name")
	}
	for i, a := range n.Args {
		r.keyed(n, a)
		if braced(a.Value) {
			r.refuse(n, "{a,b} in "+n.Variant.Value, "write the last value alone")
		}
		var word string
		switch {
		case a.Name != nil && a.Value == nil && a.Array == nil:
			word = a.Name.Value
		case a.Value != nil && a.Name == nil:
			word = spelled(a.Value)
		}
		if len(word) > 1 && word[0] == '+' {
			r.refuse(n, n.Variant.Value+" "+word, "use another variable")
		}
		if word == "-" {
			r.refuse(n, n.Variant.Value+" -", "use ( ) around what sets options")
		}
		if len(word) < 2 || word[0] != '-' || word == "-F" && i == 0 && (n.Variant.Value == "declare" || n.Variant.Value == "typeset") {
			continue
		}
		known := "xraAngfp"
		if n.Variant.Value == "export" {
			known = ""
		} else if n.Variant.Value == "readonly" {
			known = "aA"
		}
		if bad := strings.Trim(word[1:], known); bad != "" {
			r.refuse(n, n.Variant.Value+" "+word, "use plain variables, $(( )) for numbers, ${x^^} and ${x,,} for case")
		}
	}
}

// keyed refuses elements without keys for an associative array.
func (r *runnable) keyed(n *syntax.DeclClause, a *syntax.Assign) {
	if a.Array == nil || !slices.ContainsFunc(a.Array.Elems, func(e *syntax.ArrayElem) bool { return e.Index == nil }) {
		return
	}
	if slices.ContainsFunc(n.Args, func(o *syntax.Assign) bool {
		return o.Name == nil && o.Value != nil && strings.HasPrefix(o.Value.Lit(), "-") && strings.Contains(o.Value.Lit(), "A")
	}) {
		r.refuse(n, n.Variant.Value+" -A name=(key value)", "use name=([key]=value)")
	}
}

// refers notes the names that a declaration makes stand for others.
func (r *runnable) refers(n *syntax.DeclClause) {
	if !slices.ContainsFunc(n.Args, func(o *syntax.Assign) bool {
		return o.Name == nil && o.Value != nil && strings.HasPrefix(o.Value.Lit(), "-") && strings.Contains(o.Value.Lit(), "n")
	}) {
		return
	}
	if r.refs == nil {
		r.refs = map[string]bool{}
	}
	for _, a := range n.Args {
		if a.Name != nil {
			r.refs[a.Name.Value] = true
		}
	}
}
