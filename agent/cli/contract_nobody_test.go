//go:build unix

package cli

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"tricode/approval"
)

// What only a run shows of section 9, that nobody is waited for, the exit statuses and standard input, is in
// examples/nobody.txtar, examples/status.txtar and examples/input.txtar.
func TestPolicySection9(t *testing.T) {
	w := newContractWorld(t)
	for _, tt := range []struct{ says, flags, config, call, hint string }{
		{says: "the smallest rule: a file", call: "create_file new", hint: "--allow 'create_file(new)' would have allowed it"},
		{says: "the smallest rule: a file whose name a shell and a glob read otherwise", call: `create_file {"path":"it's [a] *,(b).txt","content":""}`, hint: `--allow 'create_file(it'\''s \[a] \*,(b).txt)' would have allowed it`},
		{says: "the smallest rule: a file whose name cannot stand on a line", call: `create_file {"path":"a\nb\u001b","content":""}`, hint: "rules = [{ tool = \"create_file\", path = \"a\\nb\\u001B\", action = \"allow\" }] under [permissions] would have allowed it"},
		{says: "the smallest rule: a secret", call: "read_file .env", hint: "--allow 'read_file(.env)' would have allowed it"},
		{says: "the smallest rule: a command", call: "touch a.txt", hint: "--allow 'run_command(touch a.txt)' would have allowed it"},
		{says: "the smallest rule: a command and what it writes", call: "echo x > new", hint: `rules = [{ tool = "run_command", path = "new", action = "allow" }] under [permissions] would have allowed it`},
		{says: "the smallest rule: several commands, of which one reads", call: `ls && git commit -m "fix it" && git push`, hint: "--allow 'run_command(git commit -m *)' --allow 'run_command(git push)' would have allowed it"},
		{says: "the smallest rule: words that a pattern cannot spell", call: `touch "it's"`, hint: "--allow 'run_command(touch *)' would have allowed it"},
		{says: "the smallest rule: a secret of a command", call: "cat .env", hint: `rules = [{ tool = "run_command", path = ".env", action = "allow" }] under [permissions] would have allowed it`},
		{says: "the smallest rule: what cannot be analysed", call: `sh ./x.sh "a"`, hint: `rules = [{ tool = "run_command", command = "sh ./x.sh \"a\"", action = "allow" }] under [permissions] would have allowed it`},
		{says: "the smallest rule: what cannot be analysed, beside rules of the file", config: "[[permissions.rules]]\ntool = \"mkdir\"\naction = \"allow\"\n", call: "sh ./x.sh",
			hint: "at the end of ~/.config/tricode/config.toml this would have allowed it:\n[[permissions.rules]]\ntool = \"run_command\"\ncommand = \"sh ./x.sh\"\naction = \"allow\""},
		{says: "the smallest rule: a host", call: "fetch_url https://example.org/x", hint: "--allow 'fetch_url(domain:example.org)' would have allowed it"},
		{says: "the smallest rule: a session", call: "start_session make", hint: "--allow 'start_session(make)' would have allowed it"},
		{says: "the smallest rule: beside an ask rule of the file", config: `permissions.rules = [{tool = "Bash", action = "ask", pattern = "touch *"}]`, call: "touch x", hint: "--allow 'run_command(touch x)' would have allowed it"},
		{says: "the smallest rule: beside an ask rule of the command line", flags: "--ask 'Bash(touch *)'", call: "touch x", hint: "--allow 'run_command(touch x)' would have allowed it, in front of the other flags"},
		{says: "the smallest rule: under bypass", flags: "--trust --ask create_file", call: "create_file new", hint: "--allow 'create_file(new)' would have allowed it, in front of the other flags"},
		{says: "no rule: beside rules that cannot tell", flags: "--deny 'Bash(rm *)'", call: "sh x.sh", hint: "no rule can allow this; --bypass-permission would have allowed it, and nearly everything else"},
		{says: "only a person can: a catastrophe", call: "delete_path .", hint: onlyPerson},
		{says: "only a person can: a catastrophe under bypass", flags: "--trust", call: "rm -rf .", hint: onlyPerson},
	} {
		t.Run(tt.says, func(t *testing.T) {
			c, j, err := w.judge(t, statement{flags: tt.flags, config: tt.config})
			if err != nil {
				t.Fatal(err)
			}
			c.call(t, j, "ask", tt.call)
			hint := j.least(j.plan(t, tt.call))
			if hint != tt.hint {
				t.Errorf("%s: %s\nwant %s", tt.call, hint, tt.hint)
			}
			w.paste(t, statement{flags: tt.flags, config: tt.config}, tt.call, hint)
		})
	}
}

// paste does what a hint says, and holds that it is enough and that less of it is not.
func (w *contractWorld) paste(t *testing.T, s statement, call, hint string) {
	t.Helper()
	line, front := strings.CutSuffix(hint, ", in front of the other flags")
	verdict := func(flags []string, config string) approval.Verdict {
		t.Helper()
		all := slices.Concat(words(s.flags), flags)
		if front {
			all = slices.Concat(flags, words(s.flags))
		}
		_, j, err := w.typed(t, statement{config: config}, all)
		if err != nil {
			t.Fatalf("%v\n%q\n%s", err, flags, config)
		}
		return j.policy.Decide(j.plan(t, call), nil).Verdict
	}
	var flags []string
	config := s.config
	line, isLine := strings.CutSuffix(line, " would have allowed it")
	_, lines, _ := strings.Cut(hint, "\n")
	switch rules, inFile := strings.CutSuffix(line, " under [permissions]"); {
	case hint == onlyPerson:
		if got := verdict([]string{"--allow", "*"}, config); got != approval.Ask {
			t.Errorf("%s is %s by a rule", call, got)
		}
		return
	case lines != "":
		config += lines
	case inFile:
		config = "[permissions]\n" + rules
	case strings.HasPrefix(line, "--allow"):
		out, err := exec.Command("sh", "-c", `printf '%s\n' `+line).Output()
		if err != nil {
			t.Fatal(err)
		}
		flags = strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	default:
		flags = []string{"--bypass-permission"}
	}
	if got := verdict(flags, config); got != approval.Allow || !isLine && lines == "" && flags == nil {
		t.Errorf("%s: with what %q says it is %s", call, hint, got)
	}
	for i := 0; i+1 < len(flags); i += 2 {
		if got := verdict(slices.Concat(flags[:i], flags[i+2:]), config); got == approval.Allow {
			t.Errorf("%s: %s is not needed", call, flags[i+1])
		}
	}
}
