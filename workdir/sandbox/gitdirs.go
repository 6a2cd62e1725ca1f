package sandbox

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxPointer bounds the files in which git writes down where a repository is, its configuration included, in bytes.
const maxPointer = 64 << 10

// GitDir returns the directory outside of a work tree in which git keeps what belongs to it: the common one of the
// repository whose worktree it is (git-worktree(1)), or that of a submodule (gitsubmodules(7)). It is empty where .git
// is a directory, and where what .git names does not itself name the work tree: a file that came with some archive must
// not open other directories.
func GitDir(tree string) string {
	named, ok := strings.CutPrefix(pointer(filepath.Join(tree, ".git")), "gitdir: ")
	if !ok {
		return ""
	}
	dir, err := filepath.EvalSymlinks(from(tree, named))
	if err != nil || inside(dir, tree) || pointer(filepath.Join(dir, "HEAD")) == "" {
		return ""
	}
	if back := pointer(filepath.Join(dir, "gitdir")); back != "" {
		if filepath.Base(filepath.Dir(dir)) == "worktrees" && sameFile(from(dir, back), filepath.Join(tree, ".git")) {
			return filepath.Dir(filepath.Dir(dir))
		}
		return ""
	}
	if back := coreWorktree(filepath.Join(dir, "config")); back != "" && sameFile(from(dir, back), tree) {
		return dir
	}
	return ""
}

// StrayGitDir returns what lies outside of a work tree and is read by git because of its .git, although nothing there names the work tree;
// empty if there is no such thing. It has slashes. A clone cannot bring such a .git, an archive can.
func StrayGitDir(tree string) string {
	if GitDir(tree) != "" {
		return ""
	}
	dir := filepath.Join(tree, ".git")
	if named, ok := strings.CutPrefix(pointer(dir), "gitdir: "); ok {
		dir = from(tree, named)
	}
	if common := pointer(filepath.Join(dir, "commondir")); common != "" {
		dir = from(dir, common)
	}
	for _, part := range [...]string{"", "objects", "refs", "packed-refs"} {
		at := filepath.Join(dir, part)
		if real, err := filepath.EvalSymlinks(at); err == nil {
			at = real
		}
		if !inside(at, tree) {
			return filepath.ToSlash(at)
		}
	}
	return ""
}

// pointer is what a small file says, without the end of its line; empty if it is none.
func pointer(name string) string {
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Size() > maxPointer {
		return ""
	}
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPointer))
	if err != nil || bytes.IndexByte(data, 0) >= 0 {
		return ""
	}
	return strings.TrimRight(string(data), "\r\n")
}

// coreWorktree is the setting core.worktree of a configuration file, as git writes it for a submodule: one line in the
// section [core].
func coreWorktree(name string) string {
	section := ""
	for line := range strings.Lines(pointer(name)) {
		line = strings.TrimSpace(line)
		key, value, _ := strings.Cut(line, "=")
		switch {
		case strings.HasPrefix(line, "["):
			section = strings.ToLower(line)
		case section == "[core]" && strings.EqualFold(strings.TrimSpace(key), "worktree"):
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// from is a path that is relative to a directory, or absolute.
func from(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

func inside(at, dir string) bool {
	rel, err := filepath.Rel(dir, at)
	return err == nil && filepath.IsLocal(rel)
}

func sameFile(a, b string) bool {
	first, err := os.Lstat(a)
	if err != nil {
		return false
	}
	second, err := os.Lstat(b)
	return err == nil && os.SameFile(first, second)
}
