package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/interp"

	"tricode/approval/shell"
)

// invocation is a shell that a script starts.
type invocation struct {
	frame
	text  string
	stdin bool // the text comes from standard input
}

// shellAt reads what a program would interpret: a shell with its arguments, or a script for one. ok is false for programs; an
// error refuses the start. What others installed is a program whatever it is written in, and so is a script of ours that
// cannot be interpreted: both may be as they like inside their box.
func (s *subshell) shellAt(ctx context.Context, st Start) (inv invocation, ok bool, err error) {
	if isShell(filepath.Base(st.Program)) {
		inv, err = s.invocation(filepath.Base(st.Program), st.Args)
	} else {
		name, options, is := s.shebang(ctx, st.Program)
		if !is {
			return inv, false, s.checkScript(ctx, st)
		}
		script := st.Program
		if strings.Contains(st.Args[0], "/") {
			script = st.Args[0] // as it was written, for $0
		}
		inv, err = s.invocation(name, slices.Concat([]string{name}, options, []string{script}, st.Args[1:]))
	}
	if err == nil && s.depth >= maxNesting {
		err = fmt.Errorf("more than %d shells within each other", maxNesting)
	}
	return inv, true, err
}

func isShell(name string) bool { return name == "sh" || name == "bash" || name == "dash" }

// invocation understands the arguments of sh(1) and bash(1).
func (s *subshell) invocation(name string, args []string) (invocation, error) {
	inv := invocation{frame: frame{zero: args[0], depth: s.depth + 1}}
	command, rest, err := inv.set(name, args[1:])
	if err != nil {
		return inv, err
	}
	switch {
	case command && len(rest) == 0:
		return inv, errors.New("-c: option requires an argument")
	case command:
		inv.text, rest = rest[0], rest[1:]
		if len(rest) > 0 {
			inv.zero, rest = rest[0], rest[1:]
		}
	case len(rest) > 0 && !inv.stdin:
		inv.zero, inv.source, rest = rest[0], rest[0], rest[1:]
	default:
		inv.stdin = true
	}
	inv.args = rest
	return inv, nil
}

// set understands the options; command says that a text follows them.
func (inv *invocation) set(name string, rest []string) (command bool, args []string, err error) {
	for len(rest) > 0 && len(rest[0]) > 1 && (rest[0][0] == '-' || rest[0][0] == '+') {
		word := rest[0]
		rest = rest[1:]
		if word == "--" {
			break
		}
		switch word {
		case "--norc", "--noprofile", "--posix", "--login":
			continue
		}
		if strings.HasPrefix(word, "--") {
			return false, nil, fmt.Errorf("%s %s is not interpreted; %s", name, word, shell.RealShell)
		}
		letters := word[1:]
		command, inv.stdin = command || strings.Contains(letters, "c"), inv.stdin || strings.Contains(letters, "s")
		letters = strings.Map(drop("clsiBhEThm"), letters)
		if unknown := strings.Trim(letters, "aefnuxo"); unknown != "" {
			return false, nil, fmt.Errorf("%s -%s is not interpreted; %s", name, unknown, shell.RealShell)
		}
		if before, ok := strings.CutSuffix(letters, "o"); ok && len(rest) > 0 {
			inv.options, letters = append(inv.options, word[:1]+"o", rest[0]), before
			rest = rest[1:]
		}
		if letters != "" {
			inv.options = append(inv.options, word[:1]+letters)
		}
	}
	if len(rest) > 0 && rest[0] == "-" {
		rest = rest[1:]
	}
	return command, rest, nil
}

// nested interprets what a shell would.
func (s *subshell) nested(ctx context.Context, hc interp.HandlerContext, inv invocation, env map[string]string) error {
	text, err := inv.text, error(nil)
	switch {
	case inv.source != "":
		name := inv.source
		if !filepath.IsAbs(name) {
			name = filepath.Join(hc.Dir, name)
		}
		text, err = s.session.text(ctx, name)
	case inv.stdin:
		in, _ := hc.Stdin.(*os.File)
		text, err = s.all(ctx, in)
		hc.Stdin = nil
	}
	if err != nil {
		fmt.Fprintf(hc.Stderr, "%s: %s: %v\n", s.zero, inv.zero, reason(err))
		return interp.ExitStatus(127)
	}
	file, err := shell.ParseToRun(text)
	if err == nil {
		err = shell.Runnable(file)
	}
	if err != nil {
		fmt.Fprintf(hc.Stderr, "%s: denied: %v\n", inv.zero, err)
		return interp.ExitStatus(126)
	}
	inv.dir, inv.env, inv.asked = hc.Dir, append(pairs(env), fileVars(hc.Env)...), s.asked
	inv.ignored = s.ignored(hc)
	out, settle, err := s.outlet(ctx, file, hc.Stdout)
	if err != nil {
		return err
	}
	status, err := s.shell(ctx, file, inv.frame, stdio{hc.Stdin, out, hc.Stderr})
	settle()
	if err == nil && status != 0 {
		err = interp.ExitStatus(status)
	}
	return err
}
