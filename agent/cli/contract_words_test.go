//go:build unix

package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"tricode/approval"
)

func TestPolicySection1(t *testing.T) {
	holds(t, []statement{
		{says: "gated tools are asked about", want: `
			ask/11 create_file new
			ask/11 edit_file old.txt
			ask/11 delete_file old.txt
			ask/11 delete_path src
			ask/11 mkdir new
			ask/11 move_path old.txt
			ask/11 touch new
			ask/11 start_session touch new
			ask/11 fetch_url https://example.com`},
		{says: "gated tools: send_input and close_session", done: true, want: `
			allow/10 start_session cat
			ask/11 send_input {"session_id":"s1","input_text":"x"}
			ask/11 close_session s1
			allow/10 read_output {"session_id":"s1","timeout":0}`},
		{says: "gated tools: later spawn_agent, collect_agent_results and every MCP tool", want: `
			ask/11 spawn_agent
			ask/11 collect_agent_results
			ask/11 github__read_issue`},
		{says: "an action is complete or not", flags: "--allow Bash", want: `
			allow/8 touch new
			ask/11:exec-opaque sh x.sh`},
		{says: "exec-project: make, npm test, go test, ./script", want: each("ask/11:exec-project", `make|npm test|go test ./...|./ours`)},
		{says: "exec-opaque makes the action incomplete", flags: "--allow Bash", want: `
			ask:exec-opaque touch new; $X`},
		{says: "reading tools are not", want: `
			allow/10 read_file old.txt
			allow/10 list_directory
			allow/10 search_context x
			allow/10 list_sessions
			allow/10 plan {"action":"skip"}`},
		{says: "any allow lifts what is gated but harmless", flags: "--allow Bash --permission-mode accept_edits", want: `
			allow/8 touch new
			allow/10 create_file new
			2 delete_file old.txt
			allow/9 delete_file src/main.go
			1 move_path old.txt
			ask move_path old.txt`},
		{says: "dangerous and history: a person's 1", want: `
			1 rm -rf src
			1 git rebase main
			ask rm -rf src`},
		{says: "dangerous and history: an allow rule", flags: "--allow Bash", want: `
			allow/8 rm -rf src
			allow/8 git rebase main`},
		{says: "dangerous and history: bypass", flags: "--trust", want: `
			allow/7 rm -rf src
			allow/7 git push --force`},
		{says: "dangerous and history: not 2", want: `
			2 touch new
			ask rm -rf src
			ask git rebase main
			ask:history git rebase --continue
			allow/9 touch other`},
		{says: "dangerous and history: not a mode", flags: "--permission-mode accept_edits", want: `
			ask rm -rf src
			ask git rebase main`},
		{says: "secret and outside: a person's 1", want: `
			1 cat .env
			1 read_file .env
			1 cat ../beside/x`},
		{says: "secret and outside: an allow rule that names the path", config: `
			permissions.rules = [{tool = "Bash", action = "allow", path = ".env"}, {tool = "Bash", action = "allow", path = "@ROOT@/beside/*"}]`, want: `
			allow cat .env
			allow cat ../beside/x
			ask read_file .env`},
		{says: "secret and outside: no other allow rule", flags: "--allow Bash --allow read_file --allow 'Bash(cat *)'", want: `
			ask cat .env
			ask read_file .env
			ask cat ../beside/x`},
		{says: "secret and outside: a rule that reaches the path by a wildcard only does not name it",
			flags:  "--allow 'read_file(**)' --allow 'read_file(.*)' --allow 'read_file(secrets/**)'",
			config: `permissions.rules = [{tool = "Bash", action = "allow", path = "/**"}, {tool = "Bash", action = "allow", path = "**/*"}]`, want: `
			ask read_file .env
			ask read_file secrets/server.pem
			ask cat .env
			ask cat ../beside/x
			allow cat old.txt`},
		{says: "secret and outside: a glob can name it", flags: "--allow 'read_file(.env*)' --allow 'read_file(**/*.pem)'",
			config: `permissions.rules = [{tool = "Bash", action = "allow", path = "~/.ssh/**"}, {tool = "Bash", action = "allow", path = "../beside/**"}]`, want: `
			allow read_file .env
			allow read_file secrets/server.pem
			allow cat ~/.ssh/config
			allow cat ../beside/x
			ask cat ~/x`},
		{says: "secret and outside: bypass", flags: "--trust", want: `
			allow/7 cat .env
			allow/7 cat ../beside/x`},
		{says: "secret and outside: not 2", want: `
			2 touch new
			ask cat .env
			ask cat ../beside/x
			2 read_file .env
			ask read_file .env`},
		{says: "secret and outside: not a mode", flags: "--permission-mode accept_edits", want: `
			ask cat .env
			ask read_file .env
			ask cat ../beside/x`},
		{says: "incomplete: a person's 1", want: `
			1 sh x.sh
			ask sh x.sh`},
		{says: "incomplete: an allow rule equal to the whole text", config: `
			permissions.rules = [{tool = "Bash", action = "allow", command = "sh x.sh"}]`, want: `
			allow/8 sh x.sh
			ask sh  x.sh
			ask sh x.sh y
			ask sh x.sh; ls`},
		{says: "incomplete: not where a deny or ask rule for commands exists", flags: "--ask 'Bash(rm *)'", config: `
			permissions.rules = [{tool = "Bash", action = "allow", command = "sh x.sh"}]`, want: `
			ask sh x.sh`},
		{says: "incomplete: no other allow rule", flags: "--allow Bash --allow 'Bash(sh *)'", want: `
			ask sh x.sh
			ask $X`},
		{says: "incomplete: bypass", flags: "--trust", want: `
			allow/7 sh x.sh
			allow/7 $X`},
		{says: "incomplete: not 2 and not a mode", flags: "--permission-mode accept_edits", want: `
			2 touch new
			ask sh x.sh`},
		{says: "a second hard link: a person's 1, but not 2 and not accept_edits", flags: "--permission-mode accept_edits", want: `
			1 edit_file one
			2 edit_file two
			ask edit_file one`},
		{says: "a second hard link: not 2 for what a command writes", want: `
			2 touch new
			allow make >> old.txt
			ask make >> one
			1 sh -c 'echo >> two'`},
		{says: "a second hard link: an allow rule", flags: "--allow edit_file --allow Bash", want: `
			allow/8 edit_file one
			allow/8 make >> one`},
		{says: "a second hard link: bypass", flags: "--trust", want: `
			allow/7 edit_file one`},
		{says: "catastrophic: a person's 1", flags: "--trust", want: `
			1 delete_path .
			1 rm -rf .
			ask delete_path .`},
		{says: "catastrophic: not a rule, 2, a mode or bypass", flags: "--trust --allow '*' --allow 'delete_path(**)'", want: `
			2 delete_path .
			ask delete_path .
			ask delete_path many`},
		{says: "catastrophic: the skip flag", flags: "--dangerously-skip-permissions", want: `
			allow/7 delete_path .
			allow/7 rm -rf .`},
		{says: "nobody lifts the limits of layers 2, 3 and 4", flags: "--dangerously-skip-permissions --allow '*' --allow 'create_file(**)' --deny mkdir", want: `
			deny/2 create_file ../new
			deny/3 create_file .git/x
			deny/4 mkdir new`},
	})
}

func TestPolicySection1Effects(t *testing.T) {
	w := newContractWorld(t)
	_, j, err := w.judge(t, statement{})
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]string{
		"read": "cat old.txt", "write": "echo x > new", "delete": "rm old.txt", "exec": "touch new", "exec-project": "./ours", "exec-opaque": "sh x.sh",
		"network": "curl https://example.com", "dangerous": "rm -rf src", "history": "git rebase main", "outside": "cat ../beside/x", "protected": "touch .git/x",
		"secret": "cat .env", "hard-link": "edit_file one", "catastrophic": "delete_path .",
	}
	for effect, call := range calls {
		t.Run(effect, func(t *testing.T) {
			v := verdict{action: j.plan(t, call)}
			v.decision = j.policy.Decide(v.action, nil)
			if !slices.Contains(v.decision.Effects.Names(), effect) {
				t.Errorf("%s: effects %s, want %s among them", call, v.decision.Effects, effect)
			}
			if log, err := json.Marshal(v.decision); err != nil || !slices.Contains(v.effects(), effect) || !strings.Contains(string(log), effect) {
				t.Errorf("%s: explained as %q, logged as %s, %v; want %s in both", call, v.effects(), log, err, effect)
			}
		})
	}
	t.Run("one vocabulary", func(t *testing.T) {
		if all := ^approval.Effects(0); len(all.Names()) != len(calls) {
			t.Errorf("there are the effects %s", all)
		}
	})
}

func TestPolicySection1Subjects(t *testing.T) {
	w := newContractWorld(t)
	_, j, err := w.judge(t, statement{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ says, call, want string }{
		{"canonical paths", "read_file src/../link/key", "@ROOT@/work/secrets/key"},
		{"every simple command as an argument list, and its paths", "cd src && cat 'main.go' | sort >../new", "cd src|cat main.go|sort|@ROOT@/work/src|@ROOT@/work/src/main.go|@ROOT@/work/new"},
		{"hosts", "fetch_url https://Example.COM./x", "example.com"},
	} {
		t.Run(tt.says, func(t *testing.T) {
			var got []string
			for _, s := range j.plan(t, tt.call).Subjects {
				got = append(got, s.String())
			}
			want := strings.Split(w.places.Replace(tt.want), "|")
			for _, s := range want {
				if !slices.Contains(got, s) {
					t.Errorf("%s: subjects %q, want %s among them", tt.call, got, s)
				}
			}
		})
	}
}
