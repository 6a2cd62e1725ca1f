//go:build unix

package cli

import "testing"

func TestPolicySection5(t *testing.T) {
	const rest = `
		model = "m"
		[permissions]
		mode = "plan"
		default = "deny"
		max_untracked_deletes = 1
		additional_directories = ["../../lib"]
		tools = {create_file = "allow", delete_file = "ask"}
		rules = [{tool = "Bash", action = "allow"}]
		[agent]
		plan = "required"`
	holds(t, []statement{
		{says: "command line before project before user", flags: "--allow 'Bash(make a)'", trusted: true,
			project: `permissions.rules = [{tool = "Bash", action = "ask", command = "make a"}, {tool = "Bash", action = "ask", command = "make b"}]`,
			config:  `permissions.rules = [{tool = "Bash", action = "allow", pattern = "make *"}]`, want: `
			allow make a
			ask make b
			allow make c`},
		{says: "without trust a project's deny rules apply", flags: "--trust", project: `permissions.rules = [{tool = "Bash", action = "deny", command_prefix = ["rm"]}]`, want: "deny/4 rm x"},
		{says: "without trust a project's ask rules apply", flags: "--trust", project: `permissions.rules = [{tool = "Bash", action = "ask", command_prefix = ["rm"]}]`, want: "ask/8 rm x"},
		{says: "without trust a project's protected paths apply", flags: "--trust", project: `permissions.protected = ["src/**"]`, want: "deny/3 create_file src/x"},
		{says: "without trust nothing else applies, not even what is stricter", project: rest, want: `
			ask/11 create_file new
			ask/11 delete_file old.txt
			ask/11 touch new
			deny/2 read_file ../lib/x`},
		{says: "without trust ask in [permissions.tools] is no ask rule", project: `permissions.tools = {read_file = "ask"}`, want: "allow/10 read_file old.txt"},
		{says: "without trust hooks wait", project: `hooks = [{event = "before_tool", command = ["echo", '{"decision":"deny"}']}]`, want: "ask/11 touch new"},
		{says: "with trust hooks count", project: `hooks = [{event = "before_tool", command = ["echo", '{"decision":"deny"}']}]`, trusted: true, want: "deny/6 touch new"},
		{says: "with trust the rest applies", project: rest, trusted: true, want: `
			deny/5 create_file new
			deny/5 touch new
			allow/10 read_file ../lib/x`},
		{says: "with trust its plan applies", flags: "--trust", project: `agent.plan = "required"`, trusted: true, want: "refused touch new"},
		{says: "with trust its default applies", project: `permissions.default = "deny"`, trusted: true, want: "deny/11 touch new"},
		{says: "with trust its bound of deletions applies", flags: "--trust", project: `permissions.max_untracked_deletes = 1`, trusted: true, want: "ask:catastrophic rm old.txt src/main.go"},
		{says: "with trust a mode counts where it is the stricter one", config: `permissions.mode = "accept_edits"`, project: `permissions.mode = "ask"`, trusted: true, want: "ask create_file new"},
		{says: "with trust a mode does not count where it is not", project: `permissions.mode = "accept_edits"`, trusted: true, want: "ask create_file new"},
		{says: "the command line's mode before the project's", flags: "--permission-mode accept_edits", project: `permissions.mode = "plan"`, trusted: true, want: "allow create_file new"},
		{says: "with trust a project's allow rules apply, but lift no limit", project: `permissions.rules = [{tool = "*", action = "allow"}]`, trusted: true, want: `
			allow/8 touch new
			deny/2 create_file ../new
			deny/3 create_file .git/x`},
		{says: "a project's rules do not soften the person's deny rules", config: `permissions.tools = {mkdir = "deny"}`,
			project: "[permissions]\ntools = {mkdir = 'allow'}\nrules = [{tool = 'mkdir', action = 'allow'}]", trusted: true, want: "deny/4 mkdir new"},
		{says: "a provider in the project's file is an error", project: `provider = "x"`, trusted: true, want: "error .tricode/config.toml:1:1: provider can be set in your own configuration only"},
		{says: "providers in the project's file are errors", project: "[providers.x]\nmodel = 'm'", trusted: true, want: "error providers can be set in your own configuration only"},
		{says: "a base URL in the project's file is an error", project: `providers.openai.base_url = "https://evil.example"`, want: "error providers can be set in your own configuration only"},
		{says: "a key in the project's file is an error", project: `providers.openai.api_key_command = "cat x"`, want: "error providers can be set in your own configuration only"},
		{says: "environment in the project's file is an error", project: `sandbox.env = ["LD_PRELOAD"]`, trusted: true, want: "error sandbox"},
		{says: "sandbox settings in the project's file are errors", project: "[sandbox]\nnetwork = true", trusted: true, want: "error sandbox"},
	})
}
