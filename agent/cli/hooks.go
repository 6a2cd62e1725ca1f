package cli

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tricode/agent/config"
	"tricode/approval"
	"tricode/approval/hook"
	"tricode/workdir/sandbox"
)

// newHooks prepares the hooks of a run; nil if there are none. Their programs in the work directory must be the ones
// that the person knows: for the project's hooks those that were trusted, for the person's own those that are there
// now.
func (w *world) newHooks(cfg *config.Config) (approval.Hooks, error) {
	if len(cfg.Hooks) == 0 {
		return nil, nil
	}
	known := map[string]string{}
	for _, h := range cfg.Hooks {
		if h.Project {
			continue
		}
		if err := sums(known, programs(w.box, h.Command)); err != nil {
			return nil, &usageError{fmt.Sprintf("%s: %v", &h, err)}
		}
	}
	run := func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
		return w.box.Run(ctx, sandbox.Cmd{Args: args, Stdin: stdin, Stdout: stdout, Stderr: stderr})
	}
	intact := func(h *hook.Hook) error {
		if h.Project {
			return unchanged(cfg.Programs, programs(w.box, h.Command), "you trusted it")
		}
		return unchanged(known, programs(w.box, h.Command), "the run began")
	}
	return hook.New(cfg.Hooks, run, hook.Setting{WorkDir: w.dir.Name(), Session: w.session, Intact: intact})
}

// programs lists the files in the Box's directory that a command runs, absolute.
func programs(box *sandbox.Box, command []string) []string {
	return slices.DeleteFunc(named(box, command), func(path string) bool { return !inside(box.Dir, path) })
}

// named lists the files that a command runs, absolute: its program and, unless that lies in the Box's directory, every
// argument that is the name of a file or has that of an executable one in it, for the program may be an interpreter.
func named(box *sandbox.Box, command []string) []string {
	var files []string
	if at, err := box.LookPath(command[0]); err == nil {
		if files = append(files, at); inside(box.Dir, at) {
			return files
		}
	}
	add := func(name string, wanted fs.FileMode) {
		at := absolute(box, name)
		if info, err := os.Stat(at); err == nil && info.Mode().IsRegular() && info.Mode()&wanted == wanted {
			files = append(files, at)
		}
	}
	for _, arg := range command[1:] {
		add(arg, 0)
		for word := range strings.FieldsFuncSeq(arg, func(r rune) bool { return strings.ContainsRune(" \t\n;|&()<>='\"`", r) }) {
			if word != arg {
				add(word, 0o100)
			}
		}
	}
	return files
}

func absolute(box *sandbox.Box, name string) string {
	name = filepath.FromSlash(name)
	if !filepath.IsAbs(name) {
		name = filepath.Join(box.Dir, name)
	}
	return name
}

// inside reports whether a path, or what it leads to, lies in the directory.
func inside(dir, path string) bool {
	real, err := filepath.EvalSymlinks(path)
	return below(dir, path) || err == nil && below(dir, real)
}

func below(dir, path string) bool {
	rel, err := filepath.Rel(filepath.FromSlash(dir), path)
	return err == nil && filepath.IsLocal(rel)
}

// protectedPaths are the files that a command runs, with links followed and as they are named, its program also where
// nothing is there yet.
func protectedPaths(box *sandbox.Box, command []string) []string {
	paths := named(box, command)
	if strings.ContainsRune(filepath.FromSlash(command[0]), filepath.Separator) {
		paths = append(paths, absolute(box, command[0]))
	}
	for _, path := range slices.Clone(paths) {
		if real, err := filepath.EvalSymlinks(path); err == nil && real != path {
			paths = append(paths, real)
		}
	}
	for i := range paths {
		paths[i] = filepath.ToSlash(paths[i])
	}
	return paths
}

// sums adds the sums of files.
func sums(to map[string]string, files []string) error {
	for _, name := range files {
		sum, err := config.SumFile(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		to[name] = sum
	}
	return nil
}

// unchanged returns an error if one of the files is not as it is known since something.
func unchanged(known map[string]string, files []string, since string) error {
	now := map[string]string{}
	if err := sums(now, files); err != nil {
		return err
	}
	for _, name := range files {
		if known[name] != now[name] {
			return fmt.Errorf("%s changed since %s", name, since)
		}
	}
	return nil
}
