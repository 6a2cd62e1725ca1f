package shell

import (
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
