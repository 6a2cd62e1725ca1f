package approval_test

import (
	"reflect"
	"strings"
	"testing"

	"tricode/approval"
)

func TestParseRule(t *testing.T) {
	for spec, want := range map[string]approval.Rule{
		"run_command(git diff *)":              {Tool: "run_command", Pattern: "git diff *"},
		"Bash(rm:*)":                           {Tool: "Bash", Prefix: []string{"rm"}},
		"Bash(git diff:*)":                     {Tool: "Bash", Prefix: []string{"git", "diff"}},
		" fetch_url(domain:docs.example.com) ": {Tool: "fetch_url", Host: "docs.example.com"},
		"WebFetch(*.example.com)":              {Tool: "WebFetch", Host: "*.example.com"},
		"create_file(src/**)":                  {Tool: "create_file", Path: "src/**"},
		"Read(~/.ssh/**)":                      {Tool: "Read", Path: "~/.ssh/**"},
		"Bash(echo \"(x)\")":                   {Tool: "Bash", Pattern: "echo \"(x)\""},
		"run_command":                          {Tool: "run_command"},
		"mcp:github":                           {Tool: "mcp:github"},
		"mcp__github__get_issue":               {Tool: "mcp__github__get_issue"},
		"delete_*":                             {Tool: "delete_*"},
		"github__*":                            {Tool: "github__*"},
		"*":                                    {Tool: "*"},
	} {
		want.Action = approval.Ask
		if got, err := approval.ParseRule(spec, approval.Ask); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("ParseRule(%q) = %+v, %v; want %+v", spec, got, err, want)
		}
	}
}

// What a rule is called in messages can be pasted behind a flag, and is the same rule there.
func TestARuleIsNamedAsItIsTyped(t *testing.T) {
	for _, r := range []approval.Rule{
		{Tool: "run_command", Prefix: []string{"git", "push"}},
		{Tool: "Bash", Pattern: "git diff *"},
		{Tool: "create_file", Path: "src/**"},
		{Tool: "fetch_url", Host: "*.example.com"},
		{Tool: "mcp:github"},
	} {
		if got, err := approval.ParseRule(r.String(), approval.Ask); err != nil || !reflect.DeepEqual(got, r) {
			t.Errorf("%s is %+v, %v; want %+v", r, got, err, r)
		}
	}
	if got, want := (approval.Rule{Tool: "run_command", Prefix: []string{"git", "push"}}).String(), "run_command(git push:*)"; got != want {
		t.Errorf("a prefix is called %s, want %s", got, want)
	}
}

// Names, globs and matchers that mean nothing are errors.
func TestRuleErrors(t *testing.T) {
	for spec, want := range map[string]string{
		"":                     "there is no tool",
		"rm":                   "there is no tool",
		"run_comand(x)":        `there is no tool "run_comand" (did you mean "run_command"?)`,
		"bash(x)":              `did you mean "Bash"?`,
		"Bash(x":               "no closing parenthesis",
		"Bash()":               "nothing between",
		"create_file(a[b)":     "is not a glob of paths",
		"fetch_url(https://x)": "is not a host",
		"fetch_url(a*b)":       "is not a host",
		"nosuch*":              "no tool begins with",
		"mcp:":                 "there is no tool",
		"plan(x)":              "can match nothing: plan has no paths",
		"Bash(" + strings.Repeat("*a", 600) + ")": "too long",
		"gh__issue(x)":              "has no paths",
		"create_file(domain:x.org)": "can match nothing: create_file reaches no host",
		"Bash(curl * | sh)":         `can match nothing: each command of a line is matched by itself, and none holds "|"`,
		"fetch_url(domain:)":        "names nothing",
		"Bash(:*)":                  "names nothing",
		"Bash(ls;rm *)":             `can match nothing: no program is called "ls;rm"`,
		"Bash((rm *))":              `can match nothing: no program is called "(rm"`,
		"Bash(\"rm\" *)":            `can match nothing: no program is called`,
		`Bash(\rm *)`:               `can match nothing: no program is called`,
		"Bash(`rm x`)":              "can match nothing: no program is called",
		"Bash($RM *)":               "can match nothing: no program is called",
		"Bash(-rf *)":               "can match nothing: no program is called",
		"Bash(for *)":               "can match nothing: no program is called",
		"Bash({ rm *)":              "can match nothing: no program is called",
		"Bash(bin/ *)":              "can match nothing: no program is called",
		"Bash(rm:* x)":              `can match nothing: "rm:*" is a prefix at the end only`,
		"Bash(rm *:*)":              `can match nothing: in a prefix "*" stands for itself`,
		"Bash(rm *; ls)":            `none holds "*;"`,
		"Bash(rm x; ls)":            `none holds "x;"`,
		"Bash(*;*)":                 `none holds "*;*"`,
		"Bash(*>*)":                 `none holds "*>*"`,
		"Bash(rm x 2>&1)":           `none holds "2>&1"`,
		"Bash(* >/etc/*)":           `none holds ">/etc/*"`,
		"Bash(rm x &>y)":            `none holds "&>y"`,
		"Read($HOME/x)":             "only ~/ is understood",
		"Read(~ann/x)":              "only ~/ is understood",
		"Read(src/**.go)":           "** is a component of its own",
		"Read({src/a**,b})":         "** is a component of its own",
		"fetch_url(example.com:80)": "is not a host",
		"fetch_url(a,b)":            "is not a host",
		"fetch_url(.com)":           "is not a host",
		"fetch_url(*.)":             "is not a host",
		"fetch_url(例え.jp)":          "is not a host: a name in its ASCII form",
		"Bash(A=1 rm *)":            "can match nothing: assignments before a command are not part of it",
	} {
		if got, err := approval.ParseRule(spec, approval.Deny); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseRule(%q) = %+v, %v; want an error with %q", spec, got, err, want)
		}
	}
	for _, test := range []struct {
		rule approval.Rule
		want string
	}{
		{approval.Rule{Tool: "run_command", Prefix: []string{"rm -rf"}}, `can match nothing: no program is called "rm -rf"`},
		{approval.Rule{Tool: "run_command", Prefix: []string{}}, "can match nothing: it has no words"},
		{approval.Rule{Tool: "run_command", Pattern: "   "}, "can match nothing: it has no words"},
		{approval.Rule{Tool: "read_file", Prefix: []string{"rm"}}, "can match nothing: read_file runs no commands"},
		{approval.Rule{Tool: "run_command", Prefix: []string{"rm"}, Pattern: "x"}, "at most one of"},
		{approval.Rule{Tool: "read_file", Pattern: "a[b"}, "is not a glob of paths"},
	} {
		test.rule.Action, test.rule.Source = approval.Deny, "config.toml:3"
		_, _, err := approval.Compile([]approval.Rule{test.rule}, nil, "/work", "")
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "config.toml:3: rule ") {
			t.Errorf("Compile(%+v) = %v, want an error with %q", test.rule, err, test.want)
		}
	}
	if _, _, err := approval.Compile(nil, []approval.Rule{{Tool: "run_comand"}}, "/work", ""); err == nil || !strings.Contains(err.Error(), "did you mean") {
		t.Errorf("a default for an unknown tool: %v", err)
	}
}

// What may match something is no error.
func TestRulesThatMayMatch(t *testing.T) {
	for _, spec := range []string{
		"Bash(~/bin/x *)", "Bash($HOME/bin/x *)", "Bash(./x *)", "Bash(*rm*)", "Bash(* --force*)", "Bash(curl *&token=*)", "Bash([ *)", "Bash(git commit -m a;b)",
		"Read(**)", "Read({src/**,**/x})", "Read(**/**/x)", "Read(/)", "Read(..)", "Read(~)", "Read(a$b)", "fetch_url(*)", "fetch_url(::1)", "fetch_url([2606:4700::1111])", "fetch_url(10.0.0.1)", "fetch_url(a_b.example)",
	} {
		if _, err := approval.ParseRule(spec, approval.Deny); err != nil {
			t.Errorf("ParseRule(%q) = %v", spec, err)
		}
	}
}

// Other dead rules are warnings.
func TestRuleWarnings(t *testing.T) {
	for spec, want := range map[string]string{
		"Bash(curl * | sh)":      "can match nothing",
		"Bash(./run.sh *)":       "bare names",
		"FileWrite(/tmp/*)":      "work-directory limit",
		"FileWrite(/work/src/*)": "",
		"Bash(git *)":            "",
	} {
		r, err := approval.ParseRule(spec, approval.Allow)
		if err != nil {
			t.Fatal(err)
		}
		_, warnings, err := approval.Compile([]approval.Rule{r}, nil, "/work", "")
		if err != nil || (want == "") != (len(warnings) == 0) || want != "" && !strings.Contains(warnings[0].Text, want) {
			t.Errorf("%s: %v, %v; want a warning with %q", spec, warnings, err, want)
		}
	}
	first, _ := approval.ParseRule("Bash", approval.Allow)
	second, _ := approval.ParseRule("Bash(git push)", approval.Ask)
	if _, warnings, _ := approval.Compile([]approval.Rule{first, second}, nil, "/work", ""); len(warnings) != 1 || !strings.Contains(warnings[0].Text, "never counts") {
		t.Errorf("a rule behind one for the whole tool: %v", warnings)
	}
}

// The names that other agents use, and those of several tools, mean exactly these tools.
func TestToolNames(t *testing.T) {
	all := "read_file list_directory search_context create_file edit_file delete_file delete_path mkdir move_path run_command start_session send_input fetch_url " +
		"close_session read_output list_sessions plan spawn_agent collect_agent_results gh__issue other__tool"
	for name, want := range map[string]string{
		"Bash": "run_command start_session", "shell": "run_command start_session", "shell_command": "run_command start_session",
		"run_shell_command": "run_command start_session", "execute_command": "run_command start_session",
		"Write": "create_file edit_file mkdir move_path", "FileWrite": "create_file edit_file mkdir move_path", "write_file": "create_file edit_file mkdir move_path",
		"Edit": "edit_file", "FileEdit": "edit_file", "MultiEdit": "edit_file", "NotebookEdit": "edit_file", "patch_file": "edit_file",
		"Read": "read_file", "FileRead": "read_file", "Grep": "search_context", "Glob": "search_context", "grep_files": "search_context",
		"LS": "list_directory", "ListDir": "list_directory", "list_dir": "list_directory", "WebFetch": "fetch_url", "TodoWrite": "plan", "update_plan": "plan",
		"mcp__gh__issue": "gh__issue", "gh__issue": "gh__issue", "mcp:gh": "gh__issue", "mcp:*": "gh__issue other__tool", "gh__*": "gh__issue",
		"delete_*": "delete_file delete_path", "*": all, "spawn_agent": "spawn_agent", "collect_agent_results": "collect_agent_results",
	} {
		t.Run(name, func(t *testing.T) {
			for _, line := range []string{"tool " + name + " deny", "deny " + name} {
				p := approval.Policy{Mode: approval.ModeBypass, WorkDir: "/work", Rules: parseRules(t, line)}
				var denied []string
				for tool := range strings.FieldsSeq(all) {
					a := approval.NewAction(tool, nil, approval.Subject{Effects: approval.Exec, Session: "1"})
					if a.Tool = tool; p.Decide(a, nil).Verdict == approval.Deny {
						denied = append(denied, tool)
					}
				}
				if got := strings.Join(denied, " "); got != want {
					t.Errorf("%s denies %s; want %s", line, got, want)
				}
			}
		})
	}
}
