//go:build unix

package cli

import "testing"

func TestPolicySection4(t *testing.T) {
	holds(t, []statement{
		{says: "the sample", config: `
			[permissions]
			mode = "ask"
			additional_directories = ["../shared-lib"]
			protected = ["infra/prod/**"]
			max_untracked_deletes = 50

			[permissions.tools]
			create_file = "allow"
			"github__*" = "ask"
			"mcp:*" = "ask"

			[[permissions.rules]]
			tool = "run_command"
			command_prefix = ["git", "push"]
			action = "ask"
			reason = "pushes are mine"`, want: `
			ask/8 git push origin main # pushes are mine
			allow/8 create_file new
			allow/8 create_file @HOME@/.config/shared-lib/new
			deny/3 create_file infra/prod/new
			ask/8 github__read_issue
			ask/8 slack__send`},
		{says: "mode", config: `permissions.mode = "read_only"`, want: "deny/5 touch new"},
		{says: "tool: a name", flags: "--trust --deny delete_file", want: `
			deny/4 delete_file old.txt
			allow delete_path src`},
		{says: "tool: a prefix*", flags: "--trust --deny 'delete_*'", want: `
			deny/4 delete_file old.txt
			deny/4 delete_path src
			allow mkdir new`},
		{says: "tool: mcp:*", flags: "--trust --deny 'mcp:*'", want: `
			deny/4 github__read_issue
			deny/4 slack__send
			allow mkdir new`},
		{says: "tool: mcp:github", flags: "--trust --deny mcp:github", want: `
			deny/4 github__read_issue
			allow slack__send`},
		{says: "tool: *", flags: "--trust --deny '*'", want: each("deny/4", `github__read_issue|mkdir new|read_file old.txt|ls`)},
		{says: "reason", config: `permissions.rules = [{tool = "mkdir", action = "deny", reason = "no more of them"}]`, want: "deny/4 mkdir new # no more of them"},
		{says: "additional_directories are relative to the file's directory, and the work directory's equals", flags: "--permission-mode accept_edits",
			config: `permissions.additional_directories = ["../../../lib"]`, want: `
			allow read_file ../lib/x
			allow create_file ../lib/new
			allow create_file @ROOT@/lib/new
			ask touch ../lib/new
			deny/3 create_file ../lib/.git/x
			deny/2 create_file ../beside/new`},
		{says: "protected", flags: "--trust", config: `permissions.protected = ["src/**"]`, want: `
			deny/3 create_file src/new
			deny/3 touch src/new
			allow read_file src/main.go`},
		{says: "max_untracked_deletes", flags: "--trust", config: `permissions.max_untracked_deletes = 61`, want: "allow delete_path many"},
		{says: "max_untracked_deletes is 50 unless said", flags: "--trust", want: "ask delete_path many"},
		{says: "tools: create_file = allow", config: `permissions.tools.create_file = "allow"`, want: `
			allow create_file new
			ask edit_file old.txt`},
		{says: "at most one of command, command_prefix, pattern, path, host", config: `
			permissions.rules = [{tool = "Bash", action = "ask", command = "a", path = "b"}]`,
			want: "error at most one of command, command_prefix, pattern, path and host"},
		{says: "none of them is the whole tool", config: `permissions.rules = [{tool = "mkdir", action = "allow"}]`, want: `
			allow mkdir new
			allow mkdir src/new`},
		{says: "command is exactly this command", config: `permissions.rules = [{tool = "Bash", action = "allow", command = "make a"}]`, want: `
			allow make a
			ask make a b
			ask make`},
		{says: "command_prefix are the first words", config: `permissions.rules = [{tool = "Bash", action = "allow", command_prefix = ["npm", "test"]}]`, want: `
			allow npm test
			allow npm test -- x
			ask npm testing
			ask npm run test`},
		{says: "pattern is a glob over the words", config: `permissions.rules = [{tool = "Bash", action = "allow", pattern = "make *x"}]`, want: `
			allow make x
			allow make a  b/x
			ask make y`},
		{says: "a trailing blank and * also match nothing", config: `permissions.rules = [{tool = "Bash", action = "allow", pattern = "make *"}]`, want: `
			allow make
			allow make x
			ask makefile x`},
		{says: "a trailing blank and * also match nothing behind another *", config: `permissions.rules = [{tool = "Bash", action = "allow", pattern = "make *x *"}]`, want: `
			allow make ax
			allow make ax y
			ask make a`},
		{says: "pattern for file tools is a path", config: `permissions.rules = [{tool = "Write", action = "allow", pattern = "src/*"}]`, want: `
			allow create_file src/new
			ask create_file src/a/new`},
		{says: "path: ** crosses directories, * does not", flags: "--allow 'create_file(src/**)' --allow 'create_file(*.md)'", want: `
			allow create_file src/a/b/c
			allow create_file README.md
			ask create_file doc/README.md`},
		{says: "path: the cleaned path relative to the work directory", flags: "--allow 'create_file(src/**)'", want: `
			allow create_file ./src//a/../b
			allow create_file @ROOT@/work/src/new
			ask create_file src/../new`},
		{says: "path: the target when a link leads elsewhere", flags: "--deny 'read_file(secrets/**)' --allow 'edit_file(link/**)'", want: `
			deny/4 read_file link/key
			deny/4 cat link/key
			ask edit_file link/key`},
		{says: "path: an absolute or ~/ glob is the absolute path", flags: "--deny 'read_file(@ROOT@/work/src/**)' --deny 'read_file(~/.config/**)' --bypass-work-directory-limit", want: `
			deny/4 read_file src/main.go
			deny/4 read_file @HOME@/.config/x
			allow read_file old.txt`},
		{says: "path: names that do not exist yet", flags: "--trust --deny 'create_file(later/**)'", want: `
			deny/4 create_file later/a/b
			deny/4 echo x > later/a`},
		{says: "host", flags: "--allow 'fetch_url(domain:example.com)' --deny 'WebFetch(*.evil.example)' --allow 'fetch_url(docs.example.org)'", want: `
			allow fetch_url https://EXAMPLE.com/x
			allow fetch_url https://docs.example.org
			ask fetch_url https://www.example.com
			ask fetch_url https://example.com.example.net
			deny/4 fetch_url https://a.evil.example`},
		{says: "host: deny and ask rules bind the effect, addresses in commands included", flags: "--trust --deny 'WebFetch(*.evil.example)' --ask 'fetch_url(slow.example)'", want: `
			deny/4 curl https://a.evil.example
			deny/4 curl -fsS A.EVIL.example:8080/x
			deny/4 X=https://me@b.evil.example/x; wget "$X"
			deny/4 git clone https://a.evil.example/x.git
			deny/4 sh -c 'curl --url=http://a.evil.example'
			ask/8 curl slow.example
			allow curl https://evil.example https://example.com/a.evil.example`},
		{says: "host: allow rules hold for the named tools only", flags: "--allow '*(domain:example.com)'", want: `
			ask/11 curl https://example.com`},
		{says: "host in a file", flags: "--trust", config: `permissions.rules = [{tool = "fetch_url", host = "*.example.com", action = "deny"}]`, want: `
			deny/4 fetch_url https://a.b.example.com
			allow fetch_url https://example.com`},
		{says: "any other tool is an error with the nearest name", flags: "--allow 'run_comand(x)'", want: `error did you mean "run_command"?`},
		{says: "any other tool in a file is an error with the nearest name", config: `permissions.rules = [{tool = "writefile", action = "ask"}]`, want: `error did you mean "write_file"?`},
		{says: "any other tool in [permissions.tools] is an error with the nearest name", config: `permissions.tools = {mkdri = "ask"}`, want: `error did you mean "mkdir"?`},
		{says: "names of later tools are known", config: `permissions.tools = {spawn_agent = "ask", collect_agent_results = "ask", "mcp:*" = "ask", "mcp:github" = "deny", "github__*" = "ask", mcp__github__issue = "deny"}`, want: "ask touch new"},
		{says: "--allow, --deny and --ask are repeatable", flags: "--allow 'Bash(make *)' --allow mkdir --deny 'Bash(rm *)' --deny 'Bash(mv *)' --ask 'read_file(src/*)' --ask 'read_file(go.lock)'", want: `
			allow make
			allow mkdir new
			deny rm x
			deny mv x y
			ask read_file src/main.go
			ask read_file go.lock`},
		{says: "--allowedTools and --disallowedTools are accepted", flags: "--allowedTools 'Bash(make *)' --disallowedTools 'Bash(rm *)'", want: `
			allow make
			deny rm x`},
		{says: "in the parentheses: X:* is the prefix X", flags: "--allow 'Bash(git diff:*)' --allow 'Bash(make:*)'", want: `
			allow/8 make x
			allow/8 make
			ask makes`},
		{says: "in the parentheses: the path glob for file tools", flags: "--allow 'create_file(src/*)'", want: `
			allow create_file src/new
			ask create_file new`},
		{says: "an allow rule lifts no limit of the layers 2 to 4", flags: "--allow '*' --allow 'create_file(**)' --allow 'create_file(@ROOT@/**)' --deny mkdir", want: `
			deny/2 create_file ../new
			deny/3 create_file .git/x
			deny/4 mkdir new`},
		{says: "an allow rule lifts no limit of layer 5", flags: "--permission-mode plan --allow '*' --allow 'create_file(**)'", want: "deny/5 create_file new"},
		{says: "an unknown key is refused with file, line and column", config: "\n[permissions]\n  mod = 'ask'", want: `error ~/.config/tricode/config.toml:3:3: unknown key "mod"`},
		{says: "an unknown key of a rule is refused with file, line and column", config: "[[permissions.rules]]\ntool = 'Bash'\naction = 'ask'\nglob = 'x'", want: `error config.toml:4:1: unknown key "glob"`},
		{says: "an unknown action is refused with file, line and column", config: "[[permissions.rules]]\ntool = 'Bash'\naction = 'alow'", want: `error config.toml:3:10: action "alow" is not one of allow, ask, deny`},
		{says: "a bad glob is refused with file, line and column", config: "[[permissions.rules]]\ntool = 'Read'\npath = 'a[b'\naction = 'ask'", want: `error config.toml:3:8: "a[b" is not a glob`},
		{says: "a deny rule that can match nothing is an error: a prefix written as one word", config: "[[permissions.rules]]\ntool = 'Bash'\naction = 'deny'\ncommand_prefix = ['rm -rf']",
			want: "error config.toml:4:1: deny rule can match nothing"},
		{says: "a deny rule that can match nothing is an error: a glob no command can meet", flags: "--deny 'Bash(curl * | sh)'", want: "error can match nothing"},
		{says: "other dead rules are no errors", flags: "--allow 'Bash(curl * | sh)'", want: "ask touch new"},
	})
}
