package shell

import (
	"slices"
	"testing"

	"tricode/approval"
)

// A secret that git tracks is printed by commands that do not name it.
func TestGitSecrets(t *testing.T) {
	d := project(t)
	tracked := d
	tracked.secrets = []string{d.work + "/keys/.env"}
	unsaid := d
	unsaid.unsaid = true
	for text, want := range map[string]approval.Verdict{"git show": approval.Ask, "git log -p": approval.Ask, "git status": approval.Allow, "git diff a.txt": approval.Allow} {
		if got, _ := decide(unsaid, approval.ModeAsk, text); got.Verdict != want {
			t.Errorf("%s where git does not say what it tracks: %v, want %v", text, got.Verdict, want)
		}
	}
	for text, want := range map[string]approval.Verdict{
		"git grep X": approval.Ask, "git show": approval.Ask, "git show HEAD": approval.Ask, "git log -p": approval.Ask, "git log -p -- '*.e*'": approval.Ask, "git log -p -- 'k*v'": approval.Ask,
		"git diff HEAD~1": approval.Ask, "git show 0123abcd": approval.Ask, "git cat-file -p 0123abcd": approval.Ask, "git diff -- keys": approval.Ask, "git diff keys": approval.Ask, "git diff .": approval.Ask, "git diff --stat -p": approval.Ask, "git status -v": approval.Ask,
		"git log -L1,2:keys/.env": approval.Ask, "git stash show -p": approval.Ask, "git diff -- ':!a.txt'": approval.Ask, "git grep X -- ':(top)'": approval.Ask, "git show HEAD:a.txt HEAD": approval.Ask, "git show 'HEAD^{/a:b}'": approval.Ask,
		"git status": approval.Allow, "git log": approval.Allow, "git log --stat": approval.Allow, "git diff --stat": approval.Allow, "git diff a.txt": approval.Allow, "git diff HEAD -- a.txt src": approval.Allow, "git grep X -- '*.go'": approval.Allow, "git grep X src": approval.Allow,
		"git show HEAD:a.txt": approval.Allow, "git log -p src": approval.Allow, "git cat-file -t HEAD": approval.Allow, "git ls-files": approval.Allow, "git blame a.txt": approval.Allow,
	} {
		if got, a := decide(tracked, approval.ModeAsk, text); got.Verdict != want {
			t.Errorf("%s: %v, want %v; %+v", text, got.Verdict, want, a.Subjects)
		}
		if got, a := decide(d, approval.ModeAsk, text); got.Verdict != approval.Allow && text != "git log -L1,2:keys/.env" {
			t.Errorf("%s without tracked secrets: %v; %+v", text, got.Verdict, a.Subjects)
		}
	}
}

// A secret that left the index is still printed from where it was.
func TestGitSecretsOfThePast(t *testing.T) {
	d := project(t)
	before := d
	before.past = []string{d.work + "/keys/.env"}
	for text, want := range map[string]approval.Verdict{
		"git show": approval.Ask, "git show HEAD~3": approval.Ask, "git log -p": approval.Ask, "git diff HEAD~1": approval.Ask, "git diff --cached": approval.Ask, "git diff a b": approval.Ask, "git grep X HEAD~1": approval.Ask, "git stash show -p": approval.Ask, "git cat-file -p 0123abcd": approval.Ask,
		"git show 0123abcd -- a.txt": approval.Ask, "git diff 0123abcd a.txt": approval.Ask, "git diff 0123abcd..4567abcd -- a.txt": approval.Ask, "git show 'HEAD^{/x}:keys/.env'": approval.Ask, "git show 'HEAD@{2020-01-01 00:00}:a.txt'": approval.Ask, "git log -p --follow a.txt": approval.Ask, "git log -p -- keys": approval.Ask,
		"git grep X 0123abcd -- a.txt": approval.Ask, "git cat-file --batch": approval.Ask, "git cat-file --batch-all-objects --batch": approval.Ask, "git --no-replace-objects log": approval.Ask, "git for-each-ref --format='%(raw)'": approval.Ask, "git reflog -p": approval.Ask, "git status -v": approval.Ask, "git range-diff a b c": approval.Ask,
		"git diff": approval.Allow, "git diff a.txt": approval.Allow, "git grep X": approval.Allow, "git diff HEAD -- a.txt": approval.Allow, "git diff main -- a.txt src": approval.Allow, "git log -p -- src": approval.Allow, "git show HEAD:a.txt": approval.Allow, "git show HEAD~2 -- a.txt": approval.Allow, "git show 0123abcd~1 -- a.txt": approval.Allow,
		"git log --stat": approval.Allow, "git show --stat 0123abcd": approval.Allow, "git diff --name-only a b": approval.Allow, "git diff main...HEAD -- a.txt": approval.Allow,
	} {
		if got, a := decide(before, approval.ModeAsk, text); got.Verdict != want {
			t.Errorf("%s: %v, want %v; %+v", text, got.Verdict, want, a.Subjects)
		}
	}
}

// What rules speak of makes what git prints a tree that may hold it.
func TestGitGuarded(t *testing.T) {
	d := project(t)
	d.past = []string{d.work + "/src/util.go"}
	for text, want := range map[string]bool{"git log -p": true, "git log -p -- src": true, "git show": true, "git log -p -- docs": false, "git diff": false, "git log": false} {
		tree := slices.ContainsFunc(Analyze(text, d).Subjects, func(s approval.Subject) bool { return s.Tree })
		if tree != want {
			t.Errorf("%s: a tree is read: %v, want %v", text, tree, want)
		}
	}
}

// What no branch holds may be anything, whatever the names of all files are.
func TestGitStrayObjects(t *testing.T) {
	d := project(t)
	for text, want := range map[string]approval.Verdict{
		"git show deadbeef": approval.Ask, "git show deadbeef -- a.txt": approval.Ask, "git show deadbeef^{}": approval.Ask, "git show deadbeef^{tree}": approval.Ask, "git diff deadbeef HEAD": approval.Ask, "git diff main..deadbeef": approval.Ask, "git diff main...deadbeef -- a.txt": approval.Ask, "git log -p ^main deadbeef": approval.Ask,
		"git cat-file -p deadbeef": approval.Ask, "git cat-file blob deadbeef": approval.Ask, "git cat-file --batch": approval.Ask, "echo deadbeef | git cat-file --batch": approval.Ask, "git grep X deadbeef": approval.Ask, "git diff-tree -p deadbeef": approval.Ask, "git stash show -p deadbeef": approval.Ask, "git range-diff main deadbeef HEAD": approval.Ask,
		"git log -1 deadbeef": approval.Allow, "git show --stat deadbeef": approval.Allow, "git cat-file -t deadbeef": approval.Allow, "echo deadbeef | git cat-file --batch-check": approval.Allow, "git show deadbeef:a.txt": approval.Allow, "git show main": approval.Allow, "git show HEAD~2^2": approval.Allow, "git cat-file -p HEAD^{tree}": approval.Allow, "git cat-file commit HEAD": approval.Allow, "git stash show -p stash@{0}": approval.Allow, "git diff main...HEAD": approval.Allow,
	} {
		if got, a := decide(d, approval.ModeAsk, text); got.Verdict != want {
			t.Errorf("%s: %v, want %v; %+v", text, got.Verdict, want, a.Subjects)
		}
	}
}

// git grep looks into files that it does not track where it is told to.
func TestGitUntrackedSecrets(t *testing.T) {
	d := project(t)
	for text, want := range map[string]approval.Verdict{
		"git grep --untracked X": approval.Ask, "git grep --untracked X keys": approval.Ask, "git grep --untracked X -- '*'": approval.Ask, "git grep --untracked X keys/.env": approval.Ask,
		"git grep --untracked X a.txt": approval.Allow, "git grep --untracked X -- a.txt src/main.go": approval.Allow, "git grep X": approval.Allow,
	} {
		if got, a := decide(d, approval.ModeAsk, text); got.Verdict != want {
			t.Errorf("%s: %v, want %v; %+v", text, got.Verdict, want, a.Subjects)
		}
	}
}
