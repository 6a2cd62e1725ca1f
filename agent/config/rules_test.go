package config

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"tricode/approval"
)

func TestRules(t *testing.T) {
	cfg, err := Load(written(t, `
[permissions.tools]
write_file = "allow"
"mcp:*" = "ask"

[[permissions.rules]]
tool = "run_command"
action = "deny"
command_prefix = ["rm", "-rf"]
reason = "no"

[[permissions.rules]]
action = "allow"
tool = "Read"
path = "~/notes/**"

[[permissions.tests]]
tool = "run_command"
args = "rm -rf x"
expect = "deny"

[[permissions.tests]]
tool = "read_file"
expect = "allow"
[permissions.tests.args]
path = "a"
`))
	want := Permissions{
		Tools: map[string]approval.Verdict{"write_file": approval.Allow, "mcp:*": approval.Ask},
		Rules: []approval.Rule{
			{Tool: "run_command", Action: approval.Deny, Prefix: []string{"rm", "-rf"}, Reason: "no", Source: "config.toml:6"},
			{Tool: "Read", Action: approval.Allow, Path: "~/notes/**", Source: "config.toml:12"},
		},
		Tests: []Test{
			{Tool: "run_command", Args: "rm -rf x", Expect: approval.Deny, Source: "config.toml:17"},
			{Tool: "read_file", Args: map[string]any{"path": "a"}, Expect: approval.Allow, Source: "config.toml:22"},
		},
		Sources: map[string]string{"tools.write_file": "config.toml:3", "tools.mcp:*": "config.toml:4"},
	}
	if err != nil || !reflect.DeepEqual(cfg.Permissions, want) {
		t.Errorf("Load = %+v, %v\nwant %+v", cfg.Permissions, err, want)
	}
}

// Without trust, a project's deny and ask rules count, before the person's own, and nothing of it allows anything.
func TestUntrustedProjectOnlyTightens(t *testing.T) {
	const project = `
[permissions]
rules = [{ tool = "Bash", action = "allow" }, { tool = "Bash", action = "ask", pattern = "git push" }]
[permissions.tools]
mkdir = "deny"
edit_file = "allow"
`
	own := approval.Rule{Tool: "Bash", Action: approval.Allow, Pattern: "git *"}
	for _, tt := range []struct{ otherwise, want approval.Verdict }{
		{approval.Ask, approval.Ask},
		{approval.Deny, approval.Deny}, // where the default is to deny, a question would be less
	} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, ".tricode"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, ".tricode", "config.toml"), []byte(project), 0o644); err != nil {
			t.Fatal(err)
		}
		cfg := Config{Permissions: Permissions{Default: tt.otherwise, Rules: []approval.Rule{own}}}
		p, err := cfg.ReadProject(dir)
		if err != nil {
			t.Fatal(err)
		}
		cfg.AddProject(p)
		want := []approval.Rule{
			{Tool: "Bash", Action: tt.want, Pattern: "git push", Source: ".tricode/config.toml:3"},
			{Tool: "mkdir", Action: approval.Deny, Source: ".tricode/config.toml:5"},
			own,
		}
		if !reflect.DeepEqual(cfg.Permissions.Rules, want) || cfg.Permissions.Tools != nil {
			t.Errorf("AddProject makes %+v\nwant rules %+v", cfg.Permissions, want)
		}
	}
}
