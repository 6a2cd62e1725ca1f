//go:build unix

package cli

import "testing"

// Most of section 6 is tested where the tools and the analysis of commands are; this is what only flags show.
func TestPolicySection6(t *testing.T) {
	holds(t, []statement{
		{says: "where no look box is enforced, commands that could run configured programs ask", flags: "--sandbox=off", want: `
			ask/11 git status
			ask/11 ls && git diff HEAD
			ask/11 git -C src log | head
			ask/11 find . -name x -exec git log {} +
			ask/11 go version
			ask/11 go env GOPATH
			allow/10 ls
			allow/10 cat old.txt
			allow/10 grep -n x old.txt | head`},
		{says: "where no look box is enforced, an allow rule is enough", flags: "--sandbox=off --allow 'Bash(git status *)'", want: `
			allow/8 git status
			ask git log`},
	})
}
