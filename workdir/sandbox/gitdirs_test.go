package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What git itself made is found; what only claims to be a repository's, or lies in the work tree, is not.
func TestGitDir(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"liar/.git": "gitdir: ../repo/.git\n", "thief/.git": "gitdir: ../repo/.git/worktrees/tree\n", "home/.git": "gitdir: ../secret\n",
		"secret/HEAD": "ref: x\n", "none/.git": "gitdir: ../nosuch\n", "noise/.git": "hello\n",
		"within/.git": "gitdir: own/worktrees/w\n", "within/own/worktrees/w/gitdir": "../../../.git\n", "within/own/worktrees/w/HEAD": "ref: x\n",
		"sub/s": "s\n",
	} {
		at := filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", `
		git init -q sub; git -C sub add s; git -C sub commit -qm s
		git init -q repo; git -C repo commit -q --allow-empty -m r; git -C repo worktree add -q ../tree
		git -C repo -c protocol.file.allow=always submodule --quiet add ../sub mod`)
	cmd.Dir = base
	cmd.Env = append(os.Environ(), "HOME="+base, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for tree, want := range map[string]string{
		"repo": "", "tree": "repo/.git", "repo/mod": "repo/.git/modules/mod", "nosuch": "",
		"liar": "", "thief": "", "home": "", "none": "", "noise": "", "within": "",
	} {
		got := GitDir(filepath.Join(base, tree))
		if want != "" {
			want = filepath.Join(base, want)
		}
		if got != want {
			t.Errorf("GitDir(%s) = %q; want %q", tree, got, want)
		}
	}
	for link, to := range map[string]string{"linked/.git": "../repo/.git", "parts/.git/objects": "../../repo/.git/objects"} {
		at := filepath.Join(base, link)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(base, "parts/.git/HEAD"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(base, "within/own/worktrees/w/commondir"), []byte("../../../../repo/.git"), 0o644); err != nil {
		t.Fatal(err)
	}
	for tree, want := range map[string]string{
		"repo": "", "tree": "", "repo/mod": "", "nosuch": "", "noise": "",
		"liar": "repo/.git", "thief": "repo/.git", "home": "secret", "none": "nosuch", "within": "repo/.git", "linked": "repo/.git", "parts": "repo/.git/objects",
	} {
		if want != "" {
			want = filepath.ToSlash(filepath.Join(base, want))
		}
		if got := StrayGitDir(filepath.Join(base, tree)); got != want {
			t.Errorf("StrayGitDir(%s) = %q; want %q", tree, got, want)
		}
	}
}
