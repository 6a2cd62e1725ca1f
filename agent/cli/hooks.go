package cli

import (
	"context"
	"fmt"
	"io"
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
			return unchanged(cfg.Programs, programs(w.box, h.Command))
		}
		return unchanged(known, programs(w.box, h.Command))
	}
	return hook.New(cfg.Hooks, run, hook.Setting{WorkDir: w.dir.Name(), Session: w.session, Intact: intact})
}

// programs lists the files in the Box's directory that a command runs, absolute: its program if it lies there,
// otherwise every argument that names a file, for the program may be an interpreter.
func programs(box *sandbox.Box, command []string) []string {
	if at, err := box.LookPath(command[0]); err == nil && inside(box.Dir, at) {
		return []string{at}
	}
	var files []string
	for _, arg := range command[1:] {
		at := filepath.FromSlash(arg)
		if !filepath.IsAbs(at) {
			at = filepath.Join(box.Dir, at)
		}
		if info, err := os.Stat(at); err == nil && info.Mode().IsRegular() && inside(box.Dir, at) {
			files = append(files, at)
		}
	}
	return files
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

// protectedPaths are the programs, with links followed and as they are named, also where nothing is there yet.
func protectedPaths(box *sandbox.Box, command []string) []string {
	paths := programs(box, command)
	if name := filepath.FromSlash(command[0]); len(paths) == 0 && strings.ContainsRune(name, filepath.Separator) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(box.Dir, name)
		}
		if below(box.Dir, name) {
			paths = append(paths, name)
		}
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

// unchanged returns an error if one of the files is not as it is known.
func unchanged(known map[string]string, files []string) error {
	now := map[string]string{}
	if err := sums(now, files); err != nil {
		return err
	}
	for _, name := range files {
		if known[name] != now[name] {
			return fmt.Errorf("%s changed since it was trusted", name)
		}
	}
	return nil
}
