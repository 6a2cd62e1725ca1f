//go:build unix

package cli

import "testing"

func TestPolicySection2(t *testing.T) {
	holds(t, []statement{
		{says: "ask is the default: reading inside the work directory, commands that only read", want: `
			allow/10 read_file old.txt
			allow/10 ls src | wc -l
			ask/11 create_file new
			ask/11 cat ../beside/x
			ask/11 touch new`},
		{says: "balanced is ask", config: `permissions.mode = "accept_edits"`, flags: "--permission-mode balanced", want: `
			allow read_file old.txt
			ask create_file new`},
		{says: "accept_edits: the same and create_file, edit_file, mkdir inside the work directory", flags: "--permission-mode accept_edits", want: `
			allow/10 read_file old.txt
			allow/10 cat old.txt
			allow/10 create_file new
			allow/10 edit_file old.txt
			allow/10 mkdir new
			deny/2 create_file ../new
			deny/2 create_file out/new
			ask delete_file old.txt
			ask move_path old.txt
			ask touch new
			ask echo x > new
			ask cat ../beside/x`},
		{says: "edit is accept_edits", flags: "--permission-mode edit", want: `
			allow create_file new
			ask touch new`},
		{says: "plan: the same as read_only", flags: "--permission-mode plan", want: `
			allow read_file old.txt
			allow cat old.txt
			deny/5 create_file new # mode plan
			deny/5 touch new
			deny/5 read_file .env
			deny/5 cat ../beside/x
			deny/5 fetch_url https://example.com`},
		{says: "read_only: everything but reading is denied, secret and outside reading included", flags: "--permission-mode read_only --allow '*'", want: `
			allow read_file old.txt
			allow cat old.txt
			deny/5 create_file new
			deny/5 touch new
			deny/5 read_file .env
			deny/5 cat .env
			deny/5 cat ../beside/x
			deny/5 start_session sh
			deny/5 fetch_url https://example.com`},
		{says: "deny is read_only", flags: "--permission-mode deny", want: "deny/5 touch new # mode read_only"},
		{says: "safe is read_only", flags: "--permission-mode safe", want: "deny/5 touch new # mode read_only"},
		{says: "bypass: everything that no layer, no ask rule and no catastrophe stops", flags: "--permission-mode bypass --ask 'Bash(make *)' --deny 'Bash(sudo *)'", want: `
			allow/7 create_file new
			allow/7 rm -rf src
			allow/7 cat .env
			allow/7 fetch_url https://example.com
			ask/8 make x
			ask delete_path .
			deny/4 sudo ls
			deny/2 create_file ../new
			deny/3 create_file .git/x`},
		{says: "bypass: what layers 1 to 6 stop", flags: "--permission-mode bypass --tools run_command,mkdir --deny 'Bash(sudo *)'", config: `
			hooks = [{event = "before_tool", tools = ["mkdir"], command = ["echo", '{"decision":"ask"}']}]`, want: `
			allow/7 touch new
			deny/1 create_file new
			deny/2 touch ../new
			deny/3 touch .git/x
			deny/4 sudo ls
			ask/6 mkdir new`},
		{says: "allow is bypass", flags: "--permission-mode allow", want: "allow/7 rm -rf src"},
		{says: "trust is bypass", flags: "--permission-mode trust", want: "allow/7 rm -rf src"},
		{says: "a mode in the person's own configuration", config: `permissions.mode = "accept_edits"`, want: "allow create_file new"},
		{says: "the command line's mode comes before it", config: `permissions.mode = "accept_edits"`, flags: "--permission-mode ask", want: "ask create_file new"},
		{says: "profile is another name of mode", config: `permissions.profile = "accept_edits"`, want: "allow create_file new"},
		{says: "default_mode is another name of mode", config: `permissions.default_mode = "accept_edits"`, want: "allow create_file new"},
		{says: "two names with different values", config: "[permissions]\nmode = 'ask'\ndefault_mode = 'plan'", want: "error contradicts mode, which is another name of it"},
		{says: "two names with the same value", config: "[permissions]\nmode = 'ask'\ndefault_mode = 'balanced'", want: "ask touch new"},
		{says: "default is the answer of layer 11", config: `permissions.default = "deny"`, want: `
			deny/11 touch new
			allow read_file old.txt`},
		{says: "default = ask never makes reading ask", config: `permissions.default = "ask"`, want: `
			ask/11 touch new
			allow read_file old.txt`},
		{says: "mode = bypass in a file names the flag", config: `permissions.mode = "bypass"`, want: "error --bypass-permission"},
		{says: "mode = allow in a file names the flag", config: `permissions.mode = "allow"`, want: "error --bypass-permission"},
		{says: "profile = trust in a file names the flag", config: `permissions.profile = "trust"`, want: "error --bypass-permission"},
		{says: "default = allow in a file names the flag", config: `permissions.default = "allow"`, want: "error --bypass-permission"},
		{says: "trust_mode in a file names the flag", config: `permissions.trust_mode = true`, want: "error --bypass-permission"},
		{says: "trust_mode at the top of a file names the flag", config: `trust_mode = true`, want: "error --bypass-permission"},
		{says: "bypass in the project's file names the flag", project: `permissions.mode = "bypass"`, trusted: true, want: "error --bypass-permission"},
		{says: "hyphens are underscores", flags: "--permission-mode read-only", want: "deny/5 touch new # mode read_only"},
		{says: "hyphens are underscores in a file", config: `permissions.mode = "accept-edits"`, want: "allow create_file new"},
		{says: "--bypass-permission is bypass: ask rules and catastrophes are asked", flags: "--bypass-permission --ask 'Bash(make *)'", want: `
			allow/7 rm -rf src
			ask make x
			ask rm -rf .`},
		{says: "--trust is --bypass-permission", flags: "--trust --ask 'Bash(make *)'", want: `
			allow/7 rm -rf src
			ask make x
			ask rm -rf .`},
		{says: "--dangerously-skip-permissions asks nothing at all", flags: "--dangerously-skip-permissions --ask 'Bash(make *)'", want: `
			allow/7 make x
			allow/7 rm -rf .
			allow/7 delete_path many`},
		{says: "in bypass deny rules, the work-directory limit and protected directories hold", flags: "--trust --deny 'Bash(rm *)'", want: `
			deny/4 rm x
			deny/2 create_file ../new
			deny/2 touch ../new
			deny/3 create_file .git/x
			deny/3 touch .git/x`},
		{says: "under skip too", flags: "--dangerously-skip-permissions --deny 'Bash(rm *)'", want: `
			deny/4 rm x
			deny/2 create_file ../new
			deny/2 touch ../new
			deny/3 create_file .git/x
			deny/3 touch .git/x`},
		{says: "--bypass-permission contradicts another mode", flags: "--bypass-permission --permission-mode ask", want: "error contradict"},
		{says: "--trust contradicts another mode", flags: "--permission-mode plan --trust", want: "error contradict"},
		{says: "skip contradicts another mode", flags: "--dangerously-skip-permissions --permission-mode accept_edits", want: "error contradict"},
		{says: "a bypass flag and mode bypass do not contradict each other", flags: "--trust --permission-mode bypass", want: "allow/7 touch new"},
		{says: "--config naming one file and TRICODE_CONFIG another", flags: "--config @ROOT@/work/mine.toml", env: "TRICODE_CONFIG=@ROOT@/work/old.txt", want: "error name different files"},
		{says: "--config and TRICODE_CONFIG naming one file", flags: "--config @ROOT@/work/mine.toml", env: "TRICODE_CONFIG=@ROOT@/work/linked.toml", want: "ask/11 touch new"},
		{says: "both bypass flags together are skip", flags: "--trust --dangerously-skip-permissions", want: "allow/7 delete_path ."},
		{says: "--bypass-work-directory-limit lifts layer 2", flags: "--trust --bypass-work-directory-limit", want: `
			allow/7 create_file ../new
			allow/7 touch ../new
			allow/7 read_file ../beside/x`},
		{says: "--bypass-work-directory-limit lifts nothing else", flags: "--trust --bypass-work-directory-limit --deny mkdir", want: `
			deny/3 create_file ../x/.git/x
			deny/3 touch /etc/x
			deny/3 create_file /etc/x
			deny/4 mkdir ../new
			deny/3 create_file @HOME@/.local/state/tricode/x
			ask rm -rf .`},
		{says: "--bypass-work-directory-limit is no mode", flags: "--bypass-work-directory-limit --permission-mode accept_edits", want: `
			ask create_file ../new
			ask touch ../new
			ask cat ../beside/x
			ask read_file ../beside/x`},
	})
}
