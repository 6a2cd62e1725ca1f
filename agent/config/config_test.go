package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"tricode/agent"
	"tricode/approval"
	"tricode/providers"
	"tricode/workdir/sandbox"
)

// written is the paths of a file with the given text.
func written(t *testing.T, text string) Paths {
	t.Helper()
	p := Paths{File: filepath.Join(t.TempDir(), "config.toml"), Named: true, Home: "/home/ann", shown: "config.toml"}
	if err := os.WriteFile(p.File, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLoad(t *testing.T) {
	p := written(t, "\uFEFF"+`# mine
provider = "local"
model = "fallback"

[providers.local]
base_url = "http://127.0.0.1:8080/v1"
api_key_command = "pass show local"
headers = { X-Title = "tricode" }
query.version = "2"

[providers."my.other"]
base_url = "https://example.com/v1"
api_key_env = "OTHER_KEY"
api_key_command = ["secret tool", "get"]
model = "m"

[permissions]
profile = "accept-edits"
default_mode = "edit"
trust_mode = false
default = "deny"
protected = ["infra/**", "*.lock", "~/.bashrc"]
max_untracked_deletes = 7
additional_directories = ["../lib", "~/notes", "/opt/shared/"]

[agent]
plan = "required"
max_turns = 30
max_tokens = 2_000_000
max_cost = 2.5
max_time = "30m"

[sandbox]
mode = "require"
network = false
writable = ["~/.cache/own", "../out"]
readable = ["~/.aws/config"]
secrets = true
caches = true
sockets = ["/run/x.sock"]
env = ["CI_TOKEN"]
shell = "/bin/bash"

[terminal]
notify = true
`)
	cfg, err := Load(p)
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Paths: p, Provider: "local", Model: "fallback", Notify: true,
		Providers: map[string]providers.Config{
			"local": {Name: "local", BaseURL: "http://127.0.0.1:8080/v1", KeyCommand: []string{"pass", "show", "local"},
				Headers: map[string]string{"X-Title": "tricode"}, Query: map[string]string{"version": "2"}},
			"my.other": {Name: "my.other", BaseURL: "https://example.com/v1", KeyEnv: "OTHER_KEY", Model: "m",
				KeyCommand: []string{"secret tool", "get"}},
		},
		Permissions: Permissions{
			Mode: approval.ModeAcceptEdits, Default: approval.Deny, Protected: []string{"infra/**", "*.lock", "/home/ann/.bashrc"}, MaxUntrackedDeletes: 7,
			AdditionalDirectories: []string{filepath.Join(filepath.Dir(filepath.Dir(p.File)), "lib"), "/home/ann/notes", "/opt/shared"},
			Sources: map[string]string{
				"profile": "config.toml:18", "default_mode": "config.toml:19", "trust_mode": "config.toml:20", "default": "config.toml:21",
				"protected": "config.toml:22", "max_untracked_deletes": "config.toml:23", "additional_directories": "config.toml:24",
			},
		},
		Agent: Agent{PlanRequired: true, Limits: agent.Limits{Turns: 30, Tokens: 2_000_000, Cost: 2.5, Time: 30 * time.Minute}},
		Sandbox: Sandbox{
			Config: sandbox.Config{
				Mode: sandbox.Require, NoNetwork: true, Secrets: true, Env: []string{"CI_TOKEN"}, Shell: "/bin/bash",
				Writable: []string{"/home/ann/.cache/own", filepath.Join(filepath.Dir(filepath.Dir(p.File)), "out")}, Readable: []string{"/home/ann/.aws/config"}, Sockets: []string{"/run/x.sock"},
			},
			Sources: map[string]string{
				"mode": "config.toml:34", "network": "config.toml:35", "writable": "config.toml:36", "readable": "config.toml:37", "secrets": "config.toml:38",
				"caches": "config.toml:39", "sockets": "config.toml:40", "env": "config.toml:41", "shell": "config.toml:42",
			},
		},
	}
	if !reflect.DeepEqual(cfg, want) {
		t.Errorf("Load = %+v\nwant %+v", cfg, want)
	}
}

func TestLoadOfNothing(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{filepath.Join(dir, "none", "config.toml"), filepath.Join(blocked, "config.toml")} {
		p := Paths{File: file}
		if cfg, err := Load(p); err != nil || !reflect.DeepEqual(cfg, Config{Paths: p}) {
			t.Errorf("Load(%s) = %+v, %v; want an empty configuration", file, cfg, err)
		}
		p.Named = true
		var wrong *Error
		if _, err := Load(p); !errors.As(err, &wrong) || wrong.File != file {
			t.Errorf("Load(%s) = %v; want an error, as the file was named", file, err)
		}
	}
}

func TestLoadOfWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := Load(Paths{File: dir, shown: "here"}); err == nil || err.Error() != "here: it is a directory" {
		t.Errorf("Load(a directory) = %v", err)
	}
	big := written(t, strings.Repeat("#\n", maxFile/2)+"#")
	if _, err := Load(big); err == nil || err.Error() != "config.toml: it has more than 131072 bytes" {
		t.Errorf("Load(a large file) = %v", err)
	}
}

func TestMistakes(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"syntax", "provider = local", `1:12: unexpected character U+006C 'l' at start of value`},
		{"end of file", "[providers.x", `1:12: expected ']' to close table name`},
		{"the first mistake counts", "a = 1\nb = 'x", `1:1: unknown key "a"`},
		{"unclosed string", "model = 'x", `1:10: unterminated literal string`},
		{"backslash", `model = "C:\Users"`, `1:12: unicode escape sequence is too short (write a backslash as \\, or use 'single quotes')`},
		{"duplicate", "model = 'a'\nmodel = 'b'", `2:1: key model is already defined`},
		{"duplicate table", "[agent]\n[agent]", `2:2: table agent already exists`},
		{"characters, not bytes", "model = 'äöü' x", `1:15: expected newline but got U+0078 'x'`},
		{"not UTF-8", "# fine\n#\tso \xff", `2:6: the file is not text in UTF-8`},
		{"UTF-16", "\xff\xfep\x00", `1:1: the file is not text in UTF-8`},

		{"unknown key", "modle = 'x'", `1:1: unknown key "modle" (did you mean "model"?)`},
		{"unknown key in a table", "[providers.x]\nmodel = 'm'\n  apikey = 'sk-secret'", `3:3: unknown key "apikey" in [providers.x] (did you mean "api_key"?)`},
		{"unknown key in an inline table", "providers = { x = { url = 'y' } }", `1:21: unknown key "url" in [providers.x]`},
		{"unknown dotted key", "agent.turns = 1", `1:7: unknown key "turns" in [agent]`},
		{"unknown table", "\n[ui]\ncolor = 'x'", `2:2: unknown key "ui"`},
		{"letter case", "[permissions]\nMode = 'ask'", `2:1: unknown key "Mode" in [permissions] (did you mean "mode"?)`},
		{"letter case of a table", "[Agent]", `1:2: unknown key "Agent" (did you mean "agent"?)`},
		{"unsafe and long key", "\"\\u001b[2J" + strings.Repeat("x", 50) + "\" = 1", `1:1: unknown key "\x1b[2J` + strings.Repeat("x", 36) + `…"`},

		{"string wanted", "provider = 1", `1:12: provider must be a string, not a whole number`},
		{"string wanted, array", "model = ['x']", `1:1: model must be a string, not an array`},
		{"string wanted, table", "[model]", `1:2: model must be a string, not a table`},
		{"string wanted, dotted", "model.name = 'x'", `1:7: model must be a string, not a table`},
		{"string wanted, date", "model = 2026-01-01", `1:9: model must be a string, not a date or time`},
		{"number wanted", "[agent]\nmax_turns = '5'", `2:13: max_turns must be a whole number, not a string`},
		{"whole number wanted", "[agent]\nmax_turns = 1.5", `2:13: max_turns must be a whole number, not a number with a fraction`},
		{"truth wanted", "trust_mode = 'no'", `1:14: trust_mode must be true or false, not a string`},
		{"array wanted", "[permissions]\nprotected = 'x'", `2:13: protected must be an array of strings, not a string`},
		{"array of strings wanted", "[permissions]\nprotected = ['x', 1]", `2:1: protected must be an array of strings`},
		{"table wanted", "providers = 'x'", `1:13: providers must be a table, not a string`},
		{"provider is a table", "[providers]\nlocal = 'http://x'", `2:9: local must be a table, not a string`},
		{"array of tables", "[[providers]]", `1:3: providers must be a table, not an array of tables`},
		{"command", "[providers.x]\napi_key_command = 1", `2:19: api_key_command must be a string or an array of strings, not a whole number`},
		{"headers", "[providers.x.headers]\n\"X.Y\" = 1", `2:9: X.Y must be a string, not a whole number`},
		{"a time", "[providers.x]\ntimeout = 5", `2:11: timeout must be a string, not a whole number`},
		{"no time", "[providers.x]\ntimeout = 'soon'", `2:11: "soon" is not a time such as "90s"`},
		{"a number", "[providers.x]\ntemperature = 'hot'", `2:15: temperature must be a number, not a string`},
		{"models are tables", "[providers.x]\nmodels = ['m']", `2:1: models must be an array of tables`},
		{"a key of a model", "[[providers.x.models]]\nname = 'm'", `2:1: unknown key "name" in [providers.x.models[0]]`},
		{"huge number", "[agent]\nmax_turns = 99999999999999999999", `2:13: decimal number is too large to fit in a 64-bit signed integer`},

		{"mode", "[permissions]\nmode = 'alow'", `2:8: mode "alow" is not one of ask, accept_edits, plan, read_only`},
		{"empty mode", "[permissions]\nmode = ''", `2:8: mode "" is not one of ask, accept_edits, plan, read_only`},
		{"bypass", "[permissions]\nmode = 'bypass'", `2:8: mode "bypass" can be chosen on the command line only: --bypass-permission`},
		{"allow", "permissions.profile = 'allow'", `1:23: profile "allow" can be chosen on the command line only: --bypass-permission`},
		{"trust", "permissions = { default_mode = 'trust' }", `1:32: default_mode "trust" can be chosen on the command line only: --bypass-permission`},
		{"default allow", "[permissions]\ndefault = 'allow'", `2:11: default "allow" can be chosen on the command line only: --bypass-permission`},
		{"default", "[permissions]\ndefault = 'no'", `2:11: default "no" is not one of ask, deny`},
		{"trust_mode", "[permissions]\ntrust_mode = true", `2:14: trust_mode can be chosen on the command line only: --bypass-permission`},
		{"trust_mode at the top", "trust_mode = true", `1:14: trust_mode can be chosen on the command line only: --bypass-permission`},
		{"two modes", "[permissions]\nmode = 'ask'\nprofile = 'plan'", `3:11: profile "plan" contradicts mode, which is another name of it`},
		{"protected", "[permissions]\nprotected = ['']", `2:1: protected: "" is not a glob of paths`},
		{"bad glob", "[permissions]\nprotected = ['ok', 'a[b']", `2:1: protected: "a[b" is not a glob of paths`},
		{"directories", "[permissions]\nadditional_directories = ['']", `2:1: additional_directories has an empty path in it`},
		{"NUL", "[permissions]\nadditional_directories = [\"a\\u0000\"]", `2:1: additional_directories has a path with a NUL in it`},
		{"no deletes", "[permissions]\nmax_untracked_deletes = 0", `2:25: max_untracked_deletes must be between 1 and 2147483647`},
		{"verdict of a tool", "[permissions.tools]\nplan = 'perhaps'", `2:8: plan "perhaps" is not one of allow, ask, deny`},
		{"unknown tool", "[permissions.tools]\n  writefile = 'ask'", `2:3: there is no tool "writefile" (did you mean "write_file"?)`},
		{"rules are an array", "[permissions.rules]", `1:14: rules must be an array of tables, not a table`},
		{"rules are tables", "[permissions]\nrules = ['x']", `2:1: rules must be an array of tables`},
		{"unknown key of a rule", "[[permissions.rules]]\ntool = '*'\naction = 'ask'\n[[permissions.rules]]\nprefix = []", `5:1: unknown key "prefix" in [permissions.rules[1]]`},
		{"rule without a tool", "\n[[permissions.rules]]\naction = 'ask'", `2:15: the rule has no tool; "*" stands for all`},
		{"rule without an action", "[[permissions.rules]]\ntool = '*'", `1:15: there is no action; it is one of allow, ask, deny`},
		{"action", "[[permissions.rules]]\ntool = '*'\naction = 'alow'", `3:10: action "alow" is not one of allow, ask, deny`},
		{"action as a number", "[[permissions.rules]]\ntool = '*'\naction = 1", `3:10: action must be a string, not a whole number`},
		{"tool of a rule", "[[permissions.rules]]\naction = 'deny'\ntool = 'bash'", `3:8: there is no tool "bash" (did you mean "Bash"?)`},
		{"two matchers", "[[permissions.rules]]\ntool = 'Bash'\naction = 'deny'\ncommand = 'x'\npattern = 'y *'", `5:11: at most one of command, command_prefix, pattern, path and host`},
		{"empty command", "[[permissions.rules]]\ntool = 'Bash'\naction = 'allow'\ncommand = ' '", `4:11: command is empty; a rule without it speaks of the whole tool`},
		{"empty prefix", "[[permissions.rules]]\ntool = 'Bash'\naction = 'allow'\ncommand_prefix = []", `4:1: command_prefix is empty`},
		{"glob", "[[permissions.rules]]\ntool = 'Read'\naction = 'deny'\npath = 'a[b'", `4:8: "a[b" is not a glob of paths`},
		{"dead deny rule", "[[permissions.rules]]\ntool = 'Bash'\naction = 'deny'\ncommand_prefix = ['rm -rf']", `4:1: deny rule can match nothing: no program is called "rm -rf"`},
		{"inline rules", "permissions.rules = [{ tool = 'Bash', action = 'no' }]", `1:48: action "no" is not one of allow, ask, deny`},
		{"test", "[[permissions.tests]]\nexpect = 'ask'", `1:15: the test has no tool`},
		{"expectation", "[[permissions.tests]]\ntool = 'x'\nexpect = 'maybe'", `3:10: expect "maybe" is not one of allow, ask, deny`},
		{"arguments of a test", "[[permissions.tests]]\ntool = 'x'\nexpect = 'ask'\nargs = 1", `4:8: args must be a table of arguments, or a string`},
		{"turns", "[agent]\nmax_turns = -1", `2:13: max_turns must be between 1 and 2147483647`},
		{"tokens", "[agent]\nmax_tokens = 0", `2:14: max_tokens must be between 1 and 2147483647`},
		{"cost", "[agent]\nmax_cost = 0", `2:12: max_cost must be an amount of US dollars, more than 0`},
		{"no number", "[agent]\nmax_cost = nan", `2:12: max_cost must be an amount of US dollars, more than 0`},
		{"time", "[agent]\nmax_time = '-1s'", `2:12: "-1s" is not a time such as "90s"`},
		{"time as a number", "[agent]\nmax_time = 90", `2:12: max_time must be a string, not a whole number`},
		{"keyring", "[providers.x]\nkeyring = 'x'", `2:11: keyring must be "SERVICE/USER"`},
		{"two ways to a key", "[providers.x]\nkeyring = 'a/b'\napi_key_command = 'x'", `2:11: keyring and api_key_command contradict each other`},
		{"model without a name", "[[providers.x.models]]\ncontext_window = 1", `1:15: the model has no id`},
		{"model twice", "[providers.x]\nmodels = [{id='a'},{id='a'}]", `2:24: id "a" is there already`},
		{"window", "[[providers.\"a.b\".models]]\nid='a'\ncontext_window = -1", `3:18: context_window must be between 1 and 2147483647`},
		{"price", "[[providers.x.models]]\nid='a'\ncached_price = -0.5", `3:16: cached_price must be US dollars for a million tokens`},
		{"temperature", "[providers.x]\ntemperature = nan", `2:15: temperature must be a number from 0 on`},
		{"longest answer", "[providers.x]\nmax_tokens = 0", `2:14: max_tokens must be between 1 and 2147483647`},
		{"extra body", "[providers.x]\nextra_body = { a = { b = inf } }", `2:16: extra_body has a value in it that JSON does not have`},
		{"header", "[providers.x]\nheaders = { \"X Y\" = 'a' }", `2:13: "X Y" is no header of a request`},
		{"value of a header", "[providers.x]\nheaders.X = \"sk-secret\\n\"", `2:9: "X" is no header of a request`},
		{"fallback", "[providers.x]\nfallback = ['x']", `2:1: fallback has "x" in it, which is no other provider of this file`},
		{"plan", "[agent]\nplan = true", `2:8: plan must be a string, not true or false`},
		{"sandbox mode", "[sandbox]\nmode = 'on'", `2:8: mode "on" is not one of auto, require, off`},
		{"sandbox key", "[sandbox]\nnetworks = true", `2:1: unknown key "networks" in [sandbox] (did you mean "network"?)`},
		{"sandbox network", "[sandbox]\nnetwork = 'none'", `2:11: network must be true or false, not a string`},
		{"sandbox path", "[sandbox]\nwritable = ['']", `2:1: writable has an empty path in it`},
		{"sandbox root", "[sandbox]\nwritable = ['/tmp/..']", `2:1: writable has the root directory in it; mode = "off" enforces nothing`},
		{"sandbox variable", "[sandbox]\nenv = ['AWS_*']", `2:1: env has "AWS_*" in it, which is no name of a variable`},
		{"sandbox shell", "[sandbox]\nshell = 'bash'", `2:9: shell must be an absolute path`},
		{"plan value", "[agent]\nplan = 'never'", `2:8: plan "never" is not one of optional, required`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(written(t, tt.text))
			var wrong *Error
			if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), "config.toml:"+tt.want) {
				t.Errorf("Load(%q) = %v\nwant config.toml:%s", tt.text, err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "sk-secret") {
				t.Errorf("the error tells a key: %v", err)
			}
		})
	}
}

func TestNeighboursAreNotTold(t *testing.T) {
	for _, line := range []string{"broken", "modle = 1", "api_key = 'again'", "base_url = 1", "headers = 'x'", `model = "\q"`} {
		_, err := Load(written(t, "[providers.x]\napi_key = 'sk-secret'\n"+line+"\n# sk-secret\n"))
		if err == nil || strings.Contains(err.Error(), "sk-secret") {
			t.Errorf("with %q: %v", line, err)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add("provider = 'a'\n[providers.a]\nbase_url = 'x'\napi_key_command = ['a']\n[permissions]\nmode = 'ask'")
	f.Add("[permissions]\nprotected = [ 'a', # c\n'b' ]\nadditional_directories=['~']\n[agent]\nplan='required'\nmax_turns=1")
	f.Add("providers.a = { headers = { A = 'b' }, query.\"c\" = '' }")
	f.Add("[[hooks]]\nevent = 'before_tool'\ntools = ['Bash']\ncommand = ['./a']\ntimeout = '1s'\n[[hooks]]\nhooks = [{event = 'x'}]")
	f.Add("\uFEFF# c\r\nmodel = \"\"\"\nx\"\"\"")
	f.Add("[[permissions.rules]]\ntool='*'\naction='ask'\n[[permissions.tests]]\ntool='x'\nexpect='deny'\nargs.a.b=[1,{c=2}]\n[permissions.tools]\nplan='deny'")
	f.Add("permissions.rules=[{tool='Bash',action='deny',command_prefix=['rm']},{tool='Read',action='allow',path='**'}]")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := parse("f", []byte(text))
		var cfg Config
		if err == nil {
			err = d.settle(&cfg)
		}
		if err == nil {
			if cfg.Permissions.Mode == approval.ModeBypass || cfg.Permissions.Default == approval.Allow {
				t.Errorf("a file bypasses permissions: %+v", cfg)
			}
			d.waiting(&cfg.Permissions)
			return
		}
		var wrong *Error
		if !errors.As(err, &wrong) || wrong.Line < 1 || wrong.Column < 1 || wrong.Line > strings.Count(text, "\n")+1 {
			t.Errorf("parse(%q) = %#v; want a place in the file", text, err)
		}
	})
}
