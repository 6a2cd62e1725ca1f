//go:build unix

package tools

import (
	"os"
	"slices"
	"strings"
	"testing"

	"tricode/workdir/sandbox"
)

// A repository whose files are elsewhere is not looked at unasked; one that says in so many words where it is, is.
func TestGitWorkTree(t *testing.T) {
	p := withSessions(t)
	p.put("a", "a\n")
	outside := t.TempDir()
	if err := os.WriteFile(outside+"/a", []byte("not yours\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[string]string{outside: "core.worktree leads elsewhere", p.dir: "-a"} {
		setup := `set -e; git init -q; git config user.name n; git config user.email e; git config core.worktree ..; git add a
			git commit -qm m || true; git config core.worktree "$AT"; test "$AT" != "$PWD" || echo b > a`
		var out strings.Builder
		if status, err := p.w.Box.Run(t.Context(), sandbox.Cmd{Args: []string{"sh", "-c", setup}, Env: []string{"AT=" + at}, Stdout: &out, Stderr: &out}); status != 0 || err != nil {
			t.Fatal(status, err, out.String())
		}
		got, err := p.do(RunCommand(p.w), object("command", "git diff -- a"))
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) || strings.Contains(got, "not yours") || p.yes.asked > 0 {
			t.Errorf("work tree at %s: %q, %v; want %q", at, got, err, want)
		}
		os.RemoveAll(p.dir + "/.git")
		p.put("a", "a\n")
	}
}

// A committed secret is asked about where git may print it, one that is only there is not.
func TestGitSecrets(t *testing.T) {
	p := withSessions(t)
	p.put("a", "a\n")
	p.put("sub/.env", "KEY=1\n")
	git, asked := p.script, p.askedAbout
	git("git init -q; git config user.name n; git config user.email e; git add a; git commit -qm m")
	if got := asked("git diff", "git log -p", "git show"); got != 0 {
		t.Errorf("asked %d times about a secret that git does not track", got)
	}
	git("git add sub/.env; git commit -qm m")
	if got := asked("git diff HEAD~1", "git log -p", "git show", "git grep KEY"); got != 4 {
		t.Errorf("asked %d times about a committed secret, want 4", got)
	}
	git("mkdir pem; for i in $(seq 30); do echo $i > pem/$i.pem; done; git add pem; git commit -qm m")
	if got := asked("git grep KEY sub"); got != 1 {
		t.Errorf("asked %d times about a secret behind many others, want 1", got)
	}
	git("git rm -q --cached -r sub pem; git commit -qm m")
	if got := asked("git diff --cached", "git log -p", "git show", "git show HEAD~1", "git diff HEAD~1", "git log -p -- sub"); got != 6 {
		t.Errorf("asked %d times about a secret of the past, want 6", got)
	}
	if got := asked("git diff", "git grep KEY", "git log -p -- a", "git diff HEAD~1 -- a"); got != 0 {
		t.Errorf("asked %d times about what does not reach back", got)
	}
	git("git config stash.showPatch true; echo changed > a; git stash -q")
	if got, err := p.do(RunCommand(p.w), object("command", "git stash show")); err != nil || strings.Contains(got, "changed\n") {
		t.Errorf("the configuration made git print contents: %q, %v", got, err)
	}
	p.w.History = &History{}
	p.w.Guards = func(name string) bool { return strings.HasSuffix(name, "/a") }
	for _, past := range []bool{true, true, false} {
		if names, known := guarded(t.Context(), p.w, past); !known || len(names) == 0 || !slices.Contains(names, p.w.Dir.Name()+"/a") || slices.Contains(names, p.w.Dir.Name()+"/sub/.env") != past {
			t.Errorf("guarded names, the past %v: %v, %v", past, names, known)
		}
	}
	if got := asked("git status", "git log", "git diff a", "git show HEAD:a"); got != 0 {
		t.Errorf("asked %d times about what does not print it", got)
	}
}

// A repository that says that its history lies elsewhere is not believed unasked.
func TestGitOutside(t *testing.T) {
	p := withSessions(t)
	p.put("a", "a\n")
	elsewhere := t.TempDir()
	p.script("git init -q " + elsewhere + "; git -C " + elsewhere + " config user.name n; git -C " + elsewhere + " config user.email e; git -C " + elsewhere + " commit -q --allow-empty -m private")
	if got := p.askedAbout("git --version"); got != 0 {
		t.Errorf("asked %d times where there is no repository", got)
	}
	for _, setup := range []string{"echo gitdir: " + elsewhere + "/.git > .git", "ln -s " + elsewhere + "/.git .git"} {
		p.script("rm -rf .git; " + setup)
		if got := p.askedAbout("git log", "git status", "ls && git diff"); got != 3 {
			t.Errorf("%s: asked %d times, want 3", setup, got)
		}
	}
	p.script("rm -rf .git; git -C " + elsewhere + " worktree add -q -f --detach " + elsewhere + "/tree; mv " + elsewhere + "/tree/.git .; git worktree repair")
	if got := p.askedAbout("git log", "git status"); got != 0 {
		t.Errorf("asked %d times in a worktree", got)
	}
}

// What is in the store of objects but in no branch has no name by which a secret could be told.
func TestGitStrayObjects(t *testing.T) {
	p := withSessions(t)
	p.put("a", "a\n")
	p.put("sub/.env", "KEY=1\n")
	stray := strings.Fields(p.script(`git init -q; git config user.name n; git config user.email e; git add a; git commit -qm m; git branch kept
		git add sub/.env; git rev-parse :sub/.env; tree=$(git write-tree); git reset -q; echo $tree; git commit-tree -m stray $tree`))
	for _, object := range stray {
		if got := p.askedAbout("git show "+object, "git cat-file -p "+object, "git grep KEY "+object); got != 3 {
			t.Errorf("asked %d times about %s, which no branch holds, want 3", got, object)
		}
	}
	if got := p.askedAbout("git show stash", "git show v1-2-gabcdef", "git show abcdef", "git show FETCH_HEAD", "git show nosuch@{1}"); got != 5 {
		t.Errorf("asked %d times about what may come to be there, want 5", got)
	}
	if got := p.askedAbout("git show HEAD", "git show kept", "git log -p kept..HEAD", "git cat-file -p HEAD^{tree}", "git show -s "+stray[2], "git diff main...HEAD", "git diff origin/dev-2 -- a", "git log -p nosuch"); got != 0 || len(stray) != 3 {
		t.Errorf("asked %d times about what a branch holds or is not printed; objects %q", got, stray)
	}
}

// script runs a text in the directory and returns what it prints.
func (p *place) script(text string) string {
	p.t.Helper()
	var out strings.Builder
	if status, err := p.w.Box.Run(p.t.Context(), sandbox.Cmd{Args: []string{"sh", "-ec", text}, Stdout: &out, Stderr: &out}); status != 0 || err != nil {
		p.t.Fatal(status, err, out.String())
	}
	return out.String()
}

// askedAbout runs commands and returns how many questions they were.
func (p *place) askedAbout(commands ...string) int {
	p.t.Helper()
	p.yes.asked = 0
	for _, command := range commands {
		if _, err := p.do(RunCommand(p.w), object("command", command)); err != nil {
			p.t.Error(command, err)
		}
	}
	return p.yes.asked
}
