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
	if _, _, err := approval.Compile(nil, map[string]approval.Verdict{"run_comand": approval.Allow}, "/work", ""); err == nil || !strings.Contains(err.Error(), "did you mean") {
		t.Errorf("a default for an unknown tool: %v", err)
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

// The names that other agents use mean the tools that do the same.
func TestToolSynonyms(t *testing.T) {
	for name, calls := range map[string]string{
		"Bash": "rm x|start_session: rm x", "shell": "rm x", "shell_command": "rm x", "run_shell_command": "rm x", "execute_command": "start_session: rm x",
		"Write": "create_file: a|edit_file: a|mkdir: a", "FileWrite": "create_file: a", "write_file": "mkdir: a",
		"Edit": "edit_file: a", "FileEdit": "edit_file: a", "MultiEdit": "edit_file: a", "NotebookEdit": "edit_file: a", "patch_file": "edit_file: a",
		"Read": "read_file: a", "FileRead": "read_file: a", "Grep": "search_context: a", "Glob": "search_context: a", "grep_files": "search_context: a",
		"LS": "list_directory: a", "ListDir": "list_directory: a", "list_dir": "list_directory: a", "WebFetch": "fetch_url: a", "TodoWrite": "plan: x", "update_plan": "plan: x", "mcp__gh__issue": "gh__issue: x",
	} {
		check(t, approval.ModeBypass, parseRules(t, "tool "+name+" deny"), approval.Deny, strings.Split(calls, "|")...)
		check(t, approval.ModeBypass, parseRules(t, "deny "+name), approval.Deny, append(strings.Split(calls, "|"), "!close_session: x")...)
	}
}
