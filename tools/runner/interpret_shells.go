package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
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

// shellAt reads what a program at a path would interpret: a shell with its arguments, or a script for one. ok is false for
// programs; an error refuses the start. What others installed is a program whatever it is written in, and so is a script of
// ours that cannot be interpreted: both may be as they like inside their box.
func (s *subshell) shellAt(ctx context.Context, program string, args []string) (inv invocation, ok bool, err error) {
	if isShell(filepath.Base(program)) {
		inv, err = s.invocation(filepath.Base(program), args)
	} else {
		name, options, is := s.shebang(ctx, program)
		if !is {
			return inv, false, nil
		}
		inv, err = s.invocation(name, slices.Concat([]string{name}, options, []string{program}, args[1:]))
	}
	if err == nil && s.depth >= maxNesting {
		err = fmt.Errorf("more than %d shells within each other", maxNesting)
	}
	return inv, true, err
}

func isShell(name string) bool { return name == "sh" || name == "bash" || name == "dash" }

// shebang tells which shell interprets the script at a path, if this interpreter is to do it.
func (s *subshell) shebang(ctx context.Context, program string) (name string, options []string, ok bool) {
	f, err := openRegular(program)
	if err != nil {
		return "", nil, false
	}
	defer f.Close()
	var head [256]byte
	n, _ := io.ReadFull(f, head[:])
	line, _, _ := bytes.Cut(head[:n], []byte("\n"))
	rest, ok := strings.CutPrefix(string(line), "#!")
	if !ok {
		return "sh", nil, n > 0 && bytes.IndexByte(line, 0) < 0 && head[0] != 0x7f // the system refuses it, then a shell tries
	}
	words := strings.Fields(rest)
	if len(words) > 1 && path.Base(words[0]) == "env" {
		words = words[1:]
		if words[0] == "-S" {
			words = words[1:]
		}
	}
	if len(words) == 0 || !isShell(path.Base(words[0])) || !s.ours(ctx, program) {
		return "", nil, false
	}
	return path.Base(words[0]), words[1:], true
}

// openRegular opens a file to read it. What is none, such as a FIFO, would let everybody wait, and is no program.
func openRegular(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, errors.Join(err, fs.ErrInvalid)
	}
	return f, nil
}

// ours reports whether a script lies in a directory whose scripts are interpreted, and can be.
func (s *subshell) ours(ctx context.Context, program string) bool {
	real, err := filepath.EvalSymlinks(program)
	if err != nil || !slices.ContainsFunc(s.script.Ours, func(dir string) bool { return strings.HasPrefix(real, strings.TrimSuffix(dir, "/")+"/") }) {
		return false
	}
	f, err := openRegular(real)
	if err != nil {
		return false
	}
	defer f.Close()
	text, err := s.all(ctx, f)
	return err == nil && shell.Interpretable(text) == nil
}

// invocation understands the arguments of sh(1) and bash(1).
func (s *subshell) invocation(name string, args []string) (invocation, error) {
	inv := invocation{frame: frame{zero: args[0], depth: s.depth + 1}}
	rest, command := args[1:], false
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
			return inv, fmt.Errorf("%s %s is not interpreted; %s", name, word, shell.RealShell)
		}
		letters := word[1:]
		command, inv.stdin = command || strings.Contains(letters, "c"), inv.stdin || strings.Contains(letters, "s")
		letters = strings.Map(drop("clsiBhEThm"), letters)
		if unknown := strings.Trim(letters, "aefnuxo"); unknown != "" {
			return inv, fmt.Errorf("%s -%s is not interpreted; %s", name, unknown, shell.RealShell)
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
	inv.dir, inv.env = hc.Dir, append(pairs(env), fileVars(hc.Env)...)
	status, err := s.shell(ctx, file, inv.frame, stdio{hc.Stdin, hc.Stdout, hc.Stderr})
	if err == nil && status != 0 {
		err = interp.ExitStatus(status)
	}
	return err
}
