//go:build unix

package tools

import (
	"os"
	"strings"
	"testing"

	"tricode/workdir/sandbox"
)

// hostile makes the directory a repository whose configuration names programs wherever git can be told one, with a
// submodule and a repository beside it that do the same. It returns a file that exists once one of the programs ran.
func (p *place) hostile() (ran string) {
	p.t.Helper()
	p.put("a", "a\n")
	p.put("sub/b", "b\n")
	p.put("nested/c", "c\n")
	evil := p.t.TempDir()
	if err := os.WriteFile(evil+"/evil", []byte("#!/bin/sh\ntouch "+evil+"/ran\n"), 0o755); err != nil {
		p.t.Fatal(err)
	}
	setup := `set -e
		for dir in sub nested .; do (
			add=.; [ $dir != . ] || add='a sub'
			cd $dir; name=${PWD##*/}; git init -q; git config user.name n; git config user.email e; git add $add; git commit -qm m
			echo "* diff=$name filter=$name" > .git/info/attributes
			cp "$EVIL/evil" .git/hooks/post-index-change
			for key in core.fsmonitor core.pager pager.diff pager.log gpg.program core.sshCommand core.editor core.askPass \
				diff.external diff.$name.command diff.$name.textconv filter.$name.clean filter.$name.process filter.$name.smudge
			do git config "$key" "$EVIL/evil"; done
			git config filter.$name.required true; git config log.showSignature true; git config diff.submodule diff; git config status.submoduleSummary true
		) >&2; done
		sleep 0.01; echo b > a; echo x > sub/b; echo y > nested/c; rm -f "$EVIL/ran"`
	var out strings.Builder
	if status, err := p.w.Box.Run(p.t.Context(), sandbox.Cmd{Args: []string{"sh", "-c", setup}, Env: []string{"EVIL=" + evil}, Stdout: &out, Stderr: &out}); status != 0 || err != nil {
		p.t.Fatal(status, err, out.String())
	}
	return evil + "/ran"
}

// Nobody is asked about a command that only reads, so nothing that git's configuration names may run in it.
func TestGitOff(t *testing.T) {
	p := withSessions(t)
	ran := p.hostile()
	for _, tool := range []Tool{RunCommand(p.w), StartSession(p.w)} {
		for command, want := range map[string]string{
			"git status --short": " M a", "git diff": "+b", "git log -p": "+a", "git show HEAD": "+a", "git diff HEAD sub": "-dirty",
			"git log --oneline -1": " m", "git ls-files": "a", "git diff HEAD": "-a", "git blame a": "b", "git status -v": "modified:",
		} {
			got, err := p.do(tool, object("command", command))
			if _, gone := os.Stat(ran); err != nil || !strings.Contains(got, want) || gone == nil || p.yes.asked > 0 {
				t.Errorf("%s %s: %q, %v, asked %d times; something ran: %v", tool.Name, command, got, err, p.yes.asked, gone == nil)
			}
			os.Remove(ran)
		}
		p.yes.asked = 0
		for i, command := range []string{"cd sub && git log -p", "git -C nested diff", "cd nested; git diff", "git diff --submodule=diff"} {
			if _, err := p.do(tool, object("command", command)); err != nil || p.yes.asked != i+1 {
				t.Errorf("%s %s: %v, asked %d times", tool.Name, command, err, p.yes.asked-i)
			}
			os.Remove(ran)
		}
		p.yes.asked = 0
	}
}
