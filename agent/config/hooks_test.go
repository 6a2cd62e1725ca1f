package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"tricode/agent"
	"tricode/approval"
	"tricode/approval/hook"
)

func TestHooks(t *testing.T) {
	p := written(t, `
[[hooks]]
event = "before_tool"
command = ["./here", "x"]
[[hooks]]
event = "permission"
tools = ["Bash", "mcp:*"]
command = ["./elsewhere"]
timeout = "1m30s"
[[hooks]]
event = "after_tool"
command = ["sh", "./here"]
`)
	here := filepath.Join(filepath.Dir(p.File), "here")
	if err := os.WriteFile(here, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	cfg, err := Load(p)
	if err != nil {
		t.Fatal(err)
	}
	want := []hook.Hook{
		{Event: hook.BeforeTool, Command: []string{here, "x"}, Timeout: 10 * time.Second, Source: "config.toml:2"},
		{Event: hook.Permission, Tools: []string{"Bash", "mcp:*"}, Command: []string{"./elsewhere"}, Timeout: 90 * time.Second, Source: "config.toml:5"},
		{Event: hook.AfterTool, Command: []string{"sh", "./here"}, Timeout: 10 * time.Second, Source: "config.toml:10"},
	}
	if !reflect.DeepEqual(cfg.Hooks, want) {
		t.Errorf("hooks are %+v\nwant %+v", cfg.Hooks, want)
	}
}

func TestMistakesInHooks(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"[[hooks]]\ncommand = ['x']", `1:3: the hook has no event`},
		{"[[hooks]]\nevent = 'permission'", `1:3: the hook has no command`},
		{"[[hooks]]\nevent = 'before'\ncommand = ['x']", `2:9: event "before" is not one of before_tool, permission, after_tool`},
		{"[[hooks]]\nevent = 'permission'\ncommand = []", `3:1: command must be a program and its arguments`},
		{"[[hooks]]\nevent = 'permission'\ncommand = ['']", `3:1: command must be a program and its arguments`},
		{"[[hooks]]\nevent = 'permission'\ncommand = ['x', \"\\u0000\"]", `3:1: command must be a program and its arguments`},
		{"[[hooks]]\nevent = 'permission'\ncommand = 'x'", `3:11: command must be an array of strings, not a string`},
		{"[[hooks]]\nevent = 'permission'\ncommand = ['x']\ntools = ['Bsh']", `4:1: tools has a mistake in it: there is no tool "Bsh" (did you mean "Bash"?)`},
		{"[[hooks]]\nevent = 'permission'\ncommand = ['x']\ntools = []", `4:1: tools names no tool; without it the hook is for all`},
		{"[[hooks]]\nevent = 'permission'\ncommand = ['x']\ntimeout = '10'", `4:11: timeout "10" is not a time up to 10m0s, such as "10s"`},
		{"[[hooks]]\nevent = 'permission'\ncommand = ['x']\ntimeout = '0s'", `4:11: timeout "0s" is not a time up to 10m0s, such as "10s"`},
		{"[[hooks]]\nevent = 'permission'\ncommand = ['x']\ntimeout = 10", `4:11: timeout must be a string, not a whole number`},
		{"[hooks]\nevent = 'permission'", `1:2: hooks must be an array of tables, not a table`},
		{strings.Repeat("[[hooks]]\nevent = 'permission'\ncommand = ['x']\n", 101), `301:3: more than 100 hooks`},
	} {
		if _, err := Load(written(t, tt.text)); err == nil || err.Error() != "config.toml:"+tt.want {
			t.Errorf("%.80q: %v\nwant %s", tt.text, err, tt.want)
		}
	}
}

// project makes a work directory with a configuration.
func project(t *testing.T, text string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".tricode"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".tricode", "config.toml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// trusting is a configuration whose owner trusts a text in a directory.
func trusting(t *testing.T, dir, text string) Config {
	t.Helper()
	cfg := Config{Paths: Paths{State: filepath.Join(t.TempDir(), "state")}}
	known := Trust{dir: {Config: Sum([]byte(text)), Programs: map[string]string{"/p": "s"}}}
	if err := SaveTrust(cfg.Paths, known); err != nil {
		t.Fatal(err)
	}
	return cfg
}

func TestTrustedProject(t *testing.T) {
	const text = `
model = "m"
[permissions]
mode = "plan"
default = "deny"
max_untracked_deletes = 5
additional_directories = ["../lib"]
protected = ["a"]
tools = { mkdir = "allow", plan = "allow" }
rules = [{ tool = "Bash", action = "allow", pattern = "x" }]
[agent]
plan = "required"
max_turns = 7
[[hooks]]
event = "before_tool"
command = ["./check"]
`
	dir := project(t, text)
	cfg := trusting(t, dir, text)
	own := approval.Rule{Tool: "Bash", Action: approval.Ask}
	cfg.Permissions = Permissions{Rules: []approval.Rule{own}, Tools: map[string]approval.Verdict{"mkdir": approval.Deny}}
	p, err := cfg.ReadProject(dir)
	if err != nil || !p.Trusted || p.Changed {
		t.Fatalf("ReadProject = %+v, %v; want it trusted", p, err)
	}
	paths := cfg.Paths
	cfg.AddProject(p)
	sources := cfg.Permissions.Sources
	cfg.Permissions.Sources = nil
	want := Config{
		Paths: paths, Model: "m", Programs: map[string]string{"/p": "s"},
		Agent: Agent{PlanRequired: true, Limits: agent.Limits{Turns: 7}},
		Permissions: Permissions{
			Mode: approval.ModePlan, Default: approval.Deny, MaxUntrackedDeletes: 5,
			AdditionalDirectories: []string{filepath.Join(dir, "lib")}, Protected: []string{"a"},
			Tools: map[string]approval.Verdict{"mkdir": approval.Deny, "plan": approval.Allow},
			Rules: []approval.Rule{{Tool: "Bash", Action: approval.Allow, Pattern: "x", Source: ".tricode/config.toml:10"}, own},
		},
		Hooks: []hook.Hook{{Event: hook.BeforeTool, Command: []string{"./check"}, Timeout: hook.DefaultTimeout, Project: true, Source: ".tricode/config.toml:14"}},
	}
	if !reflect.DeepEqual(cfg, want) {
		t.Errorf("AddProject makes %+v\nwant %+v", cfg, want)
	}
	for key, want := range map[string]string{
		"mode": ":4", "tools.mkdir": "", "max_untracked_deletes": ":6", "additional_directories." + filepath.Join(dir, "lib"): ":7", "protected.a": ":8",
	} {
		if got := strings.TrimPrefix(sources[key], ".tricode/config.toml"); got != want {
			t.Errorf("the source of %s is %q; want %q", key, got, want)
		}
	}
}

// A trusted project's mode and limits count only where they are the stricter ones.
func TestTrustedProjectIsStricter(t *testing.T) {
	for _, tt := range []struct{ own, project, want string }{
		{"ask", "mode = 'accept_edits'", "ask"},
		{"accept_edits", "mode = 'ask'", "ask"},
		{"accept_edits", "protected = []", "accept_edits"},
		{"accept_edits", "default_mode = 'plan'", "plan"},
		{"plan", "profile = 'read-only'", "read_only"},
		{"read_only", "mode = 'plan'", "read_only"},
	} {
		text := "[permissions]\nmax_untracked_deletes = 1000\n" + tt.project
		dir := project(t, text)
		cfg := trusting(t, dir, text)
		cfg.Permissions.Mode, _ = approval.ParseMode(tt.own)
		p, err := cfg.ReadProject(dir)
		if err != nil {
			t.Fatal(err)
		}
		cfg.AddProject(p)
		if got := cfg.Permissions; got.Mode.String() != tt.want || got.MaxUntrackedDeletes != 0 {
			t.Errorf("%s and %s make %v, %d deletes; want %s and what it was", tt.own, tt.project, got.Mode, got.MaxUntrackedDeletes, tt.want)
		}
	}
}

func TestTrustOfAnotherText(t *testing.T) {
	dir := project(t, "model = 'm'")
	cfg := trusting(t, dir, "model = 'n'")
	p, err := cfg.ReadProject(dir)
	if err != nil || p.Trusted || !p.Changed || p.Programs != nil {
		t.Errorf("ReadProject = %+v, %v; want a changed one", p, err)
	}
	cfg.AddProject(p)
	if cfg.Model != "" {
		t.Error("what changed counts")
	}
}

func TestTrustFile(t *testing.T) {
	p := Paths{State: filepath.Join(t.TempDir(), "a", "b")}
	if got, err := LoadTrust(p); err != nil || len(got) != 0 {
		t.Errorf("LoadTrust = %v, %v; want nothing", got, err)
	}
	want := Trust{"/work": {Config: Sum(nil), Programs: map[string]string{"/work/x": "y"}}}
	for range 2 {
		if err := SaveTrust(p, want); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := LoadTrust(p); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("LoadTrust = %v, %v; want %v", got, err, want)
	}
	files, _ := filepath.Glob(filepath.Join(p.State, "*"))
	hidden, _ := filepath.Glob(filepath.Join(p.State, ".*"))
	if info, err := os.Stat(files[0]); len(files)+len(hidden) != 1 || err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the state holds %q %q, %v, %v; want one file that only the person can read", files, hidden, info, err)
	}
	for _, broken := range []string{"", "{", "[]", `{"/work": {"trust": true}}`, "{}\n{}", "null"} {
		if err := os.WriteFile(files[0], []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := LoadTrust(p); err == nil || got != nil {
			t.Errorf("LoadTrust of %q = %v, %v; want an error", broken, got, err)
		}
	}
}

func TestSumFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	if _, err := SumFile(name); err == nil {
		t.Error("SumFile of nothing is no error")
	}
	if _, err := SumFile(filepath.Dir(name)); err == nil {
		t.Error("SumFile of a directory is no error")
	}
	if err := os.WriteFile(name, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := SumFile(name); err != nil || got != Sum([]byte("abc")) || !strings.HasSuffix(got, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") {
		t.Errorf("SumFile = %s, %v", got, err)
	}
}
