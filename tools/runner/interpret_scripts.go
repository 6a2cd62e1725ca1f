package runner

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tricode/approval/shell"
)

// shebang tells which shell interprets the script at a path, if this interpreter is to do it.
func (s *subshell) shebang(ctx context.Context, program string) (name string, options []string, ok bool) {
	line, ok := firstLine(program)
	rest, script := strings.CutPrefix(line, "#!")
	if !script {
		return "sh", nil, ok && !strings.ContainsRune(line, 0) && !strings.HasPrefix(line, "\x7f") // the system refuses it, then a shell tries
	}
	name, options, ok = shellNamed(rest)
	return name, options, ok && s.ours(program) && s.interpretable(ctx, program)
}

// shellNamed is the shell that a first line names, behind "#!".
func shellNamed(rest string) (name string, options []string, ok bool) {
	words := strings.Fields(rest)
	if len(words) > 1 && path.Base(words[0]) == "env" {
		words = words[1:]
		if words[0] == "-S" {
			words = words[1:]
		}
	}
	if len(words) == 0 || !isShell(path.Base(words[0])) {
		return "", nil, false
	}
	return path.Base(words[0]), words[1:], true
}

// firstLine is how a file begins, as far as the system looks at it to find what interprets a script (execve(2)); ok is
// false if it is empty or none.
func firstLine(path string) (line string, ok bool) {
	f, err := openRegular(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	var head [256]byte
	n, _ := io.ReadFull(f, head[:])
	line, _, _ = strings.Cut(string(head[:n]), "\n")
	return line, n > 0
}

// maxInterpreters is how often the interpreter of a script may be a script itself (execve(2)).
const maxInterpreters = 5

// checkScript asks about the program that the system starts for a script of ours: rules may speak of that. Of a shell that
// cannot be interpreted they say nothing more than of the script.
func (s *subshell) checkScript(ctx context.Context, st Start) error {
	for range maxInterpreters {
		line, _ := firstLine(st.Program)
		rest, script := strings.CutPrefix(line, "#!")
		name, words := strings.Trim(rest, " \t"), []string{}
		if end := strings.IndexAny(name, " \t"); end >= 0 {
			name, words = name[:end], []string{strings.Trim(name[end:], " \t")} // all of it is one word
		}
		if _, _, is := shellNamed(rest); !script || is || name == "" || !s.ours(st.Program) {
			return nil
		}
		st.Args = slices.Concat([]string{name}, words, []string{st.Program}, st.Args[1:])
		if st.Program = name; !filepath.IsAbs(name) {
			st.Program = filepath.Join(st.Dir, name)
		}
		if err := s.check(ctx, st); err != nil {
			return err
		}
	}
	return nil
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

// ours reports whether a script lies in a directory whose scripts are interpreted.
func (s *subshell) ours(program string) bool {
	real, err := filepath.EvalSymlinks(program)
	return err == nil && slices.ContainsFunc(s.script.Ours, func(dir string) bool {
		return strings.HasPrefix(real, strings.TrimSuffix(dir, "/")+"/")
	})
}

// interpretable reports whether a script can be interpreted.
func (s *subshell) interpretable(ctx context.Context, program string) bool {
	f, err := openRegular(program)
	if err != nil {
		return false
	}
	defer f.Close()
	text, err := s.all(ctx, f)
	return err == nil && shell.Interpretable(text) == nil
}
