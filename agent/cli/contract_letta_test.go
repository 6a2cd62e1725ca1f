//go:build unix

package cli

import "testing"

// What people know from Letta Code.
func TestLettaCodesFeatures(t *testing.T) {
	holds(t, []statement{
		{says: "command-line allow and deny lists", flags: `--allowedTools 'Bash(make *),Edit(src/**)' --disallowedTools 'Bash(rm:*),mkdir'`, want: `
			allow/8 make x
			allow/8 edit_file src/main.go
			deny/4 rm x
			deny/4 mkdir new
			ask/11 touch x`},
		{says: "additional directories", config: `permissions.additional_directories = ["@ROOT@/lib"]`, flags: "--permission-mode accept_edits", want: `
			allow/10 read_file ../lib/x
			allow/10 cat ../lib/x
			allow/10 create_file ../lib/new
			deny/2 create_file ../beside/new`},
		{says: "permission hooks", config: leave, want: "allow/12 touch new"},
		{says: "read-only shell commands without a question", want: each("allow/10", "ls -la|cat old.txt | head -n 1|grep -rn x src|git status|git log --oneline|find . -name '*.go'|wc -l old.txt && pwd|sort < old.txt")},
	})
	w := newContractWorld(t)
	w.looks(t, []looked{
		{says: "trace of every stage with the matched rule", line: "permissions explain --ask 'Bash(touch *)' --allow 'Bash(ls *)' run_command 'touch old.txt'", want: `
			layers for touch old.txt:
			  1 tool list: -
			  2 work directory: -
			  3 protected paths: -
			  4 deny rules: -
			  5 mode: -
			  7 bypass: -
			  8 rules: ask, ask rule Bash(touch *) (--ask)`},
	})
	t.Run("session rules", func(t *testing.T) {
		talk, j, err := w.judge(t, statement{flags: "--ask 'Bash(touch *)'"})
		if err != nil {
			t.Fatal(err)
		}
		said := &dialogue{c: &commandLine{}, world: j.world, gate: &talk.gate}
		if reply, changed := said.command("/permissions rule Bash(touch *) allow"); !changed {
			t.Fatal(reply)
		}
		talk.call(t, j, "allow/8", "touch new # allow rule Bash(touch *) (this session)")
	})
}
