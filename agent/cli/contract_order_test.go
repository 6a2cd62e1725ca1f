//go:build unix

package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestPolicySection3(t *testing.T) {
	holds(t, []statement{
		{says: "1 tool list: a tool not on it is denied, first of all", flags: "--tools read_file,list_directory --dangerously-skip-permissions", want: `
			deny/1 create_file ../new
			deny/1 touch new
			deny/1 search_context x
			allow read_file old.txt`},
		{says: "2 work directory: file tools deny a path that resolves outside, links followed", flags: "--trust", want: `
			deny/2 read_file ../beside/x
			deny/2 read_file out/x
			deny/2 create_file out/new
			deny/2 delete_path out/x
			deny/2 list_directory /
			deny/2 create_file @HOME@/new
			deny/2 search_context {"pattern":"x","path":"../beside"}
			deny/2 move_path {"source":"old.txt","destination":"../beside/y"}
			allow/7 delete_path out`},
		{says: "2 work directory: commands deny a known write or delete outside", flags: "--trust", want: `
			deny/2 touch ../new
			deny/2 rm ../beside/x
			deny/2 echo x > ../new
			deny/2 cp old.txt out/
			deny/2 cd .. && touch new
			deny/2 tee ~/new`},
		{says: "2 work directory: a known read outside is outside, and asked", want: `
			ask/11 cat ../beside/x
			ask/11 cat < out/x
			ask/11 ls /`},
		{says: "3 protected and system paths before deny rules and hooks, in every mode", flags: "--trust --deny create_file", want: `
			deny/3 create_file .git/x
			deny/3 create_file src/node_modules/x
			deny/3 touch .husky/x`},
		{says: "3 system paths", flags: "--dangerously-skip-permissions --bypass-work-directory-limit", want: `
			deny/3 echo x > /etc/x
			deny/3 sudo tee /usr/x`},
		{says: "4 deny rules before the mode and every allow", flags: "--deny 'Bash(touch *)' --allow 'Bash(touch *)' --permission-mode plan", want: `
			deny/4 touch new
			deny/5 make`},
		{says: "4 deny rules: from the command line", flags: "--deny mkdir --trust", want: "deny/4 mkdir new"},
		{says: "4 deny rules: from the person's file", flags: "--trust", config: `permissions.rules = [{tool = "mkdir", action = "deny"}]`, want: "deny/4 mkdir new"},
		{says: "4 deny rules: from [permissions.tools]", flags: "--trust --allow mkdir", config: `permissions.tools = {mkdir = "deny"}`, want: "deny/4 mkdir new"},
		{says: "4 deny rules: from a project that nobody trusts", flags: "--trust --allow mkdir", project: `permissions.rules = [{tool = "mkdir", action = "deny"}]`, want: "deny/4 mkdir new"},
		{says: "4 deny rules: from [permissions.tools] of a project that nobody trusts", flags: "--trust --allow mkdir", project: `permissions.tools = {mkdir = "deny"}`, want: "deny/4 mkdir new"},
		{says: "4 deny rules hold for reading", flags: "--deny 'read_file(secrets/**)'", want: `
			deny/4 read_file secrets/key
			deny/4 read_file link/key
			allow read_file old.txt`},
		{says: "5 mode floor before bypass rules, answers and everything below", flags: "--permission-mode plan --allow '*'", want: "deny/5 touch new"},
		{says: "6 hooks before a call: deny or ask, before bypass and every rule", flags: "--trust --allow '*'", config: `
			hooks = [
				{event = "before_tool", tools = ["mkdir", "read_file"], command = ["echo", '{"decision":"deny"}']},
				{event = "before_tool", tools = ["create_file"], command = ["echo", '{"decision":"ask","reason":"look"}']},
			]`, want: `
			deny/6 mkdir new
			deny/6 read_file old.txt
			ask/6 create_file new # look
			allow/7 touch new`},
		{says: "6 hooks before a call: never allow", config: `
			hooks = [{event = "before_tool", command = ["echo", '{"decision":"allow"}']}]`, want: `
			ask/11 mkdir new
			deny/2 create_file ../new`},
		{says: "6 hooks after the layers 1 to 5", flags: "--permission-mode plan --deny mkdir", config: `
			hooks = [{event = "before_tool", command = ["echo", '{"decision":"ask"}']}]`, want: `
			deny/2 create_file ../new
			deny/3 create_file .git/x
			deny/4 mkdir new
			deny/5 touch new`},
		{says: "7 bypass: allow unless an ask rule matches or the action is catastrophic", flags: "--trust --ask 'Bash(make *)'", want: `
			allow/7 touch new
			ask/8 make
			ask/11 delete_path .`},
		{says: "7 bypass: skip flag: allow", flags: "--dangerously-skip-permissions --ask 'Bash(make *)'", want: `
			allow/7 make
			allow/7 delete_path .`},
		{says: "8 rules: the first match wins", flags: "--ask 'Bash(git push *)' --allow 'Bash(git *)' --ask 'Bash(git commit *)'", want: `
			ask/8 git push
			allow/8 git commit -m x`},
		{says: "8 rules: command line, project, user", flags: "--allow 'Bash(make a)'", trusted: true,
			project: `permissions.rules = [{tool = "Bash", action = "ask", command = "make a"}, {tool = "Bash", action = "allow", command = "make b"}]`,
			config:  `permissions.rules = [{tool = "Bash", action = "ask", command = "make b"}, {tool = "Bash", action = "allow", pattern = "make *"}, {tool = "Bash", action = "ask", pattern = "make c"}]`, want: `
			allow/8 make a
			allow/8 make b
			allow/8 make c`},
		{says: "8 rules: a project's ask rules count always, its allow rules when trusted",
			project: `permissions.rules = [{tool = "Bash", action = "ask", command = "make a"}, {tool = "Bash", action = "allow", command = "make b"}]`,
			config:  `permissions.rules = [{tool = "Bash", action = "allow", command = "make a"}]`, want: `
			ask/8 make a
			ask/11 make b`},
		{says: "8 [permissions.tools] after the rules: exact name, longest prefix, *", flags: "--ask 'create_file(old*)'",
			config: `permissions.tools = {"*" = "ask", "create_*" = "ask", "create_f*" = "allow", mkdir = "allow", "mk*" = "ask"}`, want: `
			ask/8 create_file oldest
			allow/8 create_file new
			allow/8 mkdir new
			ask/8 touch new`},
		{says: "8 [permissions.tools]: mcp:server, mcp:*, *", config: `
			permissions.tools = {"*" = "ask", "mcp:*" = "allow", "mcp:github" = "ask", github__read_issue = "allow", "gitlab__r*" = "ask"}`, want: `
			allow/8 github__read_issue
			ask/8 github__merge
			allow/8 slack__send
			ask/8 gitlab__read
			allow/8 gitlab__merge
			ask/8 mkdir new`},
		{says: "8 ask or allow, as far as 1 says who can lift what", flags: "--allow '*'", want: `
			allow/8 rm -rf src
			ask/11 cat .env
			ask/11 sh x.sh
			ask/11 delete_path .`},
		{says: "8 before 10: an ask rule asks about reading", flags: "--ask 'read_file(src/**)'", want: `
			ask/8 read_file src/main.go
			ask/8 cat src/main.go`},
		{says: "9 session answers", want: `
			2 create_file new
			allow/9 create_file other
			ask/11 edit_file old.txt`},
		{says: "9 after 8: an ask rule asks again", flags: "--ask 'create_file(src/**)'", want: `
			2 create_file new
			2 create_file src/new
			ask/8 create_file src/other`},
		{says: "10 built in: reading tools, commands that only read, accept_edits", flags: "--permission-mode accept_edits", want: `
			allow/10 read_file old.txt
			allow/10 ls
			allow/10 create_file new`},
		{says: "11 default: ask", want: "ask/11 touch new"},
		{says: "11 default: deny", config: `permissions.default = "deny"`, want: "deny/11 touch new"},
		{says: "12 on ask: permission hooks, then the person", config: `
			hooks = [
				{event = "permission", tools = ["mkdir"], command = ["echo", '{"decision":"allow"}']},
				{event = "permission", tools = ["create_file"], command = ["echo", '{"decision":"deny"}']},
				{event = "permission", tools = ["edit_file"], command = ["true"]},
			]`, want: `
			allow/12 mkdir new
			deny/12 create_file new
			1 edit_file old.txt
			n delete_file old.txt`},
		{says: "only rules and --ask are ask rules; bypass lifts ask in [permissions.tools]", flags: "--trust",
			config: "[permissions]\ntools = {mkdir = 'ask', create_file = 'ask'}\nrules = [{tool = 'mkdir', action = 'ask'}]", want: `
			ask/8 mkdir new
			allow/7 create_file new`},
		{says: "deny in [permissions.tools] is a deny rule", flags: "--dangerously-skip-permissions", config: `permissions.tools = {mkdir = "deny"}`, want: "deny/4 mkdir new"},
		{says: "a command line is decided for each of its simple commands, the strictest counts", flags: "--allow 'Bash(make *)' --ask 'Bash(make b)' --deny 'Bash(make c)'", want: `
			allow make a; ls
			ask make a | touch new
			deny make a && make c
			deny echo $(make c) | make a`},
		{says: "each redirect is a write or a read of its target", flags: "--allow 'Bash(make *)' --deny 'create_file(src/**)' --deny 'read_file(secrets/**)'", want: `
			deny/4 make > src/x
			deny/4 make < secrets/key
			deny/4 make 2>> src/x
			ask make < .env
			ask make < ../beside/x`},
		{says: "an allow rule covers every part, a deny or ask rule needs any part", flags: "--ask 'Bash(git push *)' --allow 'Bash(git *)' --deny 'Bash(rm *)'", want: `
			allow git add old.txt && git commit -m x
			ask git add old.txt && make
			ask git add old.txt && git push
			deny git add old.txt; rm x`},
		{says: "a redirect inside the work directory is covered by an allow for the command's tool", flags: "--allow Bash", want: `
			allow make > new
			allow make >> old.txt
			deny/2 make > ../new
			deny/3 make > .git/x`},
		{says: "with --require-plan a gated call without a plan decision is refused", flags: "--require-plan --trust", want: `
			refused create_file new
			refused touch new
			allow read_file old.txt
			allow ls`},
		{says: "such a refusal comes after the layers 1 to 4", flags: "--require-plan --trust --tools run_command,create_file,mkdir --deny mkdir", want: `
			deny/1 delete_file old.txt
			deny/2 create_file ../new
			deny/3 create_file .git/x
			deny/4 mkdir new
			refused create_file new`},
		{says: "such a refusal comes after layer 5", flags: "--require-plan --permission-mode plan", want: "deny/5 create_file new"},
		{says: "[agent] plan = required is --require-plan", config: `agent.plan = "required"`, want: "refused create_file new"},
		{says: "[agent] plan = optional is the default", config: `agent.plan = "optional"`, want: "ask/11 create_file new"},
		{says: "a plan decision is create", flags: "--require-plan", done: true, want: `
			refused create_file new
			allow plan {"action":"create","steps":["make it"]}
			ask create_file new`},
		{says: "a plan decision is skip", flags: "--require-plan", done: true, want: `
			allow plan {"action":"skip"}
			ask create_file new`},
		{says: "such a refusal is not a denial", flags: "--require-plan", done: true, want: `
			refused create_file new
			refused create_file new
			refused create_file new
			allow plan {"action":"skip"}
			1 create_file made`},
		{says: "denied before: the same tool with the same subjects, without a question", want: `
			n create_file new
			deny/4 create_file new
			ask mkdir new
			ask create_file other
			n rm  -r src
			deny/4 rm -r src
			deny/4 'rm' -r src
			ask rm -r secrets`},
		{says: "denied before: however the subject is spelt", want: `
			n delete_path src
			deny/4 delete_path ./src/
			n read_file .env
			deny/4 read_file @ROOT@/work/src/../.env
			n fetch_url https://example.com
			deny/4 fetch_url https://EXAMPLE.com/other
			n edit_file secrets/key
			deny/4 edit_file link/key
			n move_path old.txt
			deny/4 move_path ./old.txt`},
		{says: "denied before: what a file becomes counts, so that a correction is asked about", want: `
			n create_file {"path":"new","content":"one"}
			deny/4 create_file {"path":"./new","content":"one"}
			ask create_file {"path":"new","content":"two"}
			n edit_file {"path":"old.txt","mode":"overwrite","content":"one"}
			deny/4 edit_file {"path":"old.txt","mode":"overwrite","content":"one"}
			ask edit_file {"path":"old.txt","mode":"overwrite","content":"two"}`},
	})
}

// Every layer that was consulted appears in the trace.
func TestPolicySection3Trace(t *testing.T) {
	w := newContractWorld(t)
	const hooks = `hooks = [
		{event = "before_tool", command = ["true"]},
		{event = "before_tool", tools = ["mkdir"], command = ["echo", '{"decision":"ask"}']},
	]`
	for _, tt := range []struct{ flags, want, call, trace string }{
		{"--tools read_file", "deny", "create_file ../new", "1"},
		{"", "deny", "create_file ../new", "1 2"},
		{"", "deny", "create_file .git/x", "1 2 3"},
		{"--deny mkdir", "deny", "mkdir new", "1 2 3 4"},
		{"--permission-mode plan", "deny", "mkdir new", "1 2 3 4 5"},
		{"--trust", "n", "mkdir new", "1 2 3 4 5 6 12"},
		{"--trust", "allow", "create_file new", "1 2 3 4 5 6 7"},
		{"--allow create_file", "allow", "create_file new", "1 2 3 4 5 6 7 8"},
		{"", "allow", "read_file old.txt", "1 2 3 4 5 6 7 8 9 10"},
		{"", "1", "create_file new", "1 2 3 4 5 6 7 8 9 10 11 12"},
		{"", "allow", "echo a; echo b", "1 2 3 4 5 6 7 8 9 10 1 2 3 4 5 6 7 8 9 10"},
	} {
		t.Run(strings.TrimSpace(tt.flags+" "+tt.call), func(t *testing.T) {
			c, j, err := w.judge(t, statement{flags: tt.flags, config: hooks})
			if err != nil {
				t.Fatal(err)
			}
			c.call(t, j, tt.want, tt.call)
			var got []string
			for _, step := range c.last.Trace {
				got = append(got, fmt.Sprint(int(step.Layer)))
			}
			if want := strings.Fields(tt.trace); !slices.Equal(got, want) {
				t.Errorf("%s: layers %q, want %q", tt.call, got, want)
			}
		})
	}
}
