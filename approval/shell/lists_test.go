package shell

import (
	"testing"

	"tricode/approval"
)

// Names that a command lists are read unasked only where they are names of files below the places that were looked at.
func TestListedNamesAreNotForged(t *testing.T) {
	d := project(t)
	for _, text := range []string{
		// parts of names
		"find src -name main.go | grep -oE '/main' | xargs cat", "find src | grep -ohE x | xargs cat", "find src | grep --only-matching x | xargs cat", "find src | rg --only-matching x | xargs cat", "find src | tail -c12 | xargs cat", "find src | tail --bytes=12 | xargs cat", "find src | head -c7 | xargs cat",
		"find src | xargs -d x cat", "find src | xargs -0 -d x cat", "find src -type f | while read -r -d e f; do cat \"$f\"; done", "find src | cut -c1-5 | xargs cat",
		// something before or in place of them
		"git ls-files --format=/etc/passwd | xargs cat", "for f in $(git ls-files --format=/etc/passwd src); do cat $f; done", "git diff --name-only --line-prefix=/etc/ | xargs cat", "git ls-files -cs | xargs cat", "rg --type-add 'x:../outside/secret.txt' --type-list -l | xargs cat", "grep -l x --label=/etc/passwd src/main.go - < a.txt | xargs cat",
		"find src | grep -H x --label=/etc/passwd | xargs cat", "find src | rg -ir/etc/passwd . | xargs cat", "find src -print -printf x | xargs cat", "rg -l --path-separator x y src | xargs cat", "fd --format x | xargs cat",
		// what files hold
		"grep -hrel src | xargs cat", "rg -Iel src | xargs cat", "find src | head -1 a.txt | xargs cat", "find src | sort - a.txt | xargs cat", "find src | grep x a.txt | xargs cat", "find src | sort < a.txt | xargs cat", "find src | grep -f a.txt | xargs cat", "grep -l x src/main.go < a.txt | xargs cat",
		// elsewhere
		"cd src; git ls-files .. | xargs cat", "cd src; git ls-files :/ | xargs cat", "find -H out/ | xargs cat", "grep -rl x out | xargs cat",
	} {
		if got, a := decide(d, approval.ModeAsk, text); got.Verdict == approval.Allow {
			t.Errorf("%s: allowed (%s); %+v", text, got.Reason, a.Subjects)
		}
	}
	for _, text := range []string{
		"find src -name '*.go' | xargs cat", "find src -type f | sort -r | head -3 | xargs wc -l", "find src ! -name x -newer a.txt 2>/dev/null | grep -v util | xargs -d '\\n' head -2", "rg -l x src | xargs -n1 head", "grep -rl x src | sort -u | xargs cat", "rg --files -g '*.go' src | xargs wc -l", "fd -e go | head -1 | xargs echo",
	} {
		if got, a := decide(d, approval.ModeAsk, text); got.Verdict != approval.Allow {
			t.Errorf("%s: %v (%s); %+v", text, got.Verdict, got.Reason, a.Subjects)
		}
	}
}
