package approval_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tricode/approval"
)

// The commands that random policies speak of, and what random rules say of them.
var (
	importedCommands = rapid.SampledFrom([]string{"git", "git push", "git push origin", "git push -f origin", "git fetch", "git fetch x", "gitk", "make", "make x y", "npm run test", "npm run testing", "npm test", "npmx"})
	importedPatterns = rapid.SampledFrom([]string{"*", "git", "git *", "git*", "git push *", "git push", "git push*", "* origin", "g*", "make *", "make x *", "npm run test*", "npm run test *", "npm *", "git p??h*", "n?m *"})
	importedPrefixes = rapid.SampledFrom([]string{"git", "git push", "git push -f", "make", "make x", "npm", "npm run", "npm run test", "n"})
	importedPaths    = rapid.SampledFrom([]string{"a", ".env", "a.env", "src/a", "src/.env", "src/b/a", "src/b/c.key", "srcs/a", "x/src/a", "src"})
	importedGlobs    = rapid.SampledFrom([]string{"*", "**", "*.env", "src/*", "src/**", "src*", "*a", "s*/a", "src/*.key", "src/**/a", "s?c/a", "*/a", "src/b*", "?", "src", "s*c*"})
	importedVerdicts = rapid.SampledFrom([]string{"allow", "ask", "deny"})
)

// reference is a small evaluator of another agent: what it decides, empty where nothing matches.
type reference struct {
	name string
	file bool // its rules are about edited files
	// draw makes a random policy: its text or table, and its evaluator.
	draw func(t *rapid.T) (text string, table map[string]any, decide func(command string) string)
}

// foreignRule is a rule of a reference.
type foreignRule struct {
	what, verdict string
	matches       func(command string) bool
}

// wildcards matches * and, where one is set, ?; " *" at the end also matches nothing.
func wildcards(pattern string, question bool) func(string) bool {
	expr := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*")
	if question {
		expr = strings.ReplaceAll(expr, `\?`, ".")
	}
	if rest, ok := strings.CutSuffix(expr, " .*"); ok {
		expr = rest + "( .*)?"
	}
	return regexp.MustCompile("^(?s:" + expr + ")$").MatchString
}

func prefixed(prefix string) func(string) bool {
	return func(c string) bool { return c == prefix || strings.HasPrefix(c, prefix+" ") }
}

// strictest decides by the strictest rule that matches.
func strictest(rules []foreignRule) func(string) string {
	return func(command string) string {
		for _, v := range []string{"deny", "ask", "allow"} {
			for _, r := range rules {
				if r.verdict == v && r.matches(command) {
					return v
				}
			}
		}
		return ""
	}
}

// firstOf decides by the first rule that matches.
func firstOf(rules []foreignRule) func(string) string {
	return func(command string) string {
		for _, r := range rules {
			if r.matches(command) {
				return r.verdict
			}
		}
		return ""
	}
}

func reversed(rules []foreignRule) []foreignRule {
	var all []foreignRule
	for i := len(rules) - 1; i >= 0; i-- {
		all = append(all, rules[i])
	}
	return all
}

// drawForeign makes a few rules of one kind.
func drawForeign(t *rapid.T, what *rapid.Generator[string], matches func(string) func(string) bool) []foreignRule {
	var rules []foreignRule
	for range rapid.IntRange(1, 5).Draw(t, "rules") {
		w := what.Draw(t, "what")
		rules = append(rules, foreignRule{w, importedVerdicts.Draw(t, "verdict"), matches(w)})
	}
	return rules
}

var references = []reference{
	{"claude-code", false, func(t *rapid.T) (string, map[string]any, func(string) string) {
		rules := drawForeign(t, importedPatterns, func(w string) func(string) bool { return wildcards(w, false) })
		return claudeText(rules, func(w string) string { return w }), nil, strictest(rules)
	}},
	{"letta-code", false, func(t *rapid.T) (string, map[string]any, func(string) string) {
		rules := drawForeign(t, importedPrefixes, func(w string) func(string) bool {
			return func(c string) bool { return strings.HasPrefix(c, w) }
		})
		decide := func(command string) string {
			for _, v := range []string{"deny", "allow", "ask"} {
				for _, r := range rules {
					if r.verdict == v && r.matches(command) {
						return v
					}
				}
			}
			return ""
		}
		return claudeText(rules, func(w string) string { return w + ":*" }), nil, decide
	}},
	{"codex", false, func(t *rapid.T) (string, map[string]any, func(string) string) {
		rules := drawForeign(t, importedPrefixes, prefixed)
		var b strings.Builder
		for _, r := range rules {
			words, _ := json.Marshal(strings.Fields(r.what))
			fmt.Fprintf(&b, "prefix_rule(pattern=%s, decision=%q)\n", words, map[string]string{"allow": "allow", "ask": "prompt", "deny": "forbidden"}[r.verdict])
		}
		return b.String(), nil, strictest(rules)
	}},
	{"opencode", false, func(t *rapid.T) (string, map[string]any, func(string) string) {
		return opencodeText(t, "bash", importedPatterns)
	}},
	{"opencode", true, func(t *rapid.T) (string, map[string]any, func(string) string) {
		return opencodeText(t, "edit", importedGlobs)
	}},
	{"gemini", false, func(t *rapid.T) (string, map[string]any, func(string) string) {
		rules := drawForeign(t, importedPrefixes, prefixed)
		var list []any
		for i, r := range rules {
			rule := map[string]any{"toolName": "run_shell_command", "priority": int64(100 - i), "decision": map[string]string{"allow": "allow", "ask": "ask_user", "deny": "deny"}[r.verdict]}
			if rapid.Bool().Draw(t, "regex") {
				rule["commandRegex"] = r.what
				rules[i].matches = func(c string) bool { return strings.HasPrefix(c, r.what) }
			} else {
				rule["commandPrefix"] = r.what
			}
			list = append(list, rule)
		}
		return "", map[string]any{"rule": list}, firstOf(rules)
	}},
	{"packetcode", false, func(t *rapid.T) (string, map[string]any, func(string) string) {
		rules := drawForeign(t, importedPrefixes, prefixed)
		var list []any
		for _, r := range rules {
			list = append(list, map[string]any{"tool": "execute_command", "action": r.verdict, "command_prefix": anys(strings.Fields(r.what))})
		}
		table := map[string]any{"rules": list}
		ordered := reversed(rules)
		if v := importedVerdicts.Draw(t, "tool"); rapid.Bool().Draw(t, "tools") {
			table["tools"] = map[string]any{"execute_command": v}
			ordered = append([]foreignRule{{"", v, func(string) bool { return true }}}, ordered...)
		}
		return "", map[string]any{"permissions": table}, firstOf(ordered)
	}},
	{"agent-code", false, func(t *rapid.T) (string, map[string]any, func(string) string) {
		rules := drawForeign(t, importedPatterns, func(w string) func(string) bool { return wildcards(w, true) })
		var list []any
		for _, r := range rules {
			list = append(list, map[string]any{"tool": "Bash", "pattern": r.what, "action": r.verdict})
		}
		first := firstOf(rules) // what earlier releases did is the laxer one
		return "", map[string]any{"permissions": map[string]any{"rules": list}}, first
	}},
}

// opencodeText makes a map of patterns, each there once.
func opencodeText(t *rapid.T, tool string, patterns *rapid.Generator[string]) (string, map[string]any, func(string) string) {
	var unique []foreignRule
	var members []string
	seen := map[string]bool{}
	for _, r := range drawForeign(t, patterns, func(w string) func(string) bool { return wildcards(w, true) }) {
		if !seen[r.what] {
			seen[r.what] = true
			unique = append(unique, r)
			members = append(members, fmt.Sprintf("%q: %q", r.what, r.verdict))
		}
	}
	text := fmt.Sprintf(`{"permission": {%q: {%s}}}`, tool, strings.Join(members, ", "))
	return text, nil, firstOf(reversed(unique))
}

func anys(words []string) []any {
	var all []any
	for _, w := range words {
		all = append(all, w)
	}
	return all
}

func claudeText(rules []foreignRule, what func(string) string) string {
	lists := map[string][]string{}
	for _, r := range rules {
		lists[r.verdict] = append(lists[r.verdict], "Bash("+what(r.what)+")")
	}
	text, _ := json.Marshal(map[string]any{"permissions": lists})
	return string(text)
}

// TestImportIsNeverLooser holds what was imported against what the original decides.
func TestImportIsNeverLooser(t *testing.T) {
	ranks := map[string]int{"allow": 0, "": 1, "ask": 1, "deny": 2}
	for _, ref := range references {
		t.Run(fmt.Sprint(ref.name, ref.file), rapid.MakeCheck(func(t *rapid.T) {
			text, table, original := ref.draw(t)
			p, err := approval.Import(ref.name, approval.Foreign{Data: []byte(text), TOML: func([]byte) (map[string]any, error) { return table, nil }})
			if err != nil {
				t.Fatalf("%v\n%s %v", err, text, table)
			}
			rules, _, err := approval.Compile(p.Rules, nil, "/work", "/home/u")
			if err != nil {
				t.Fatalf("%v\n%s", err, p.TOML())
			}
			command := importedCommands.Draw(t, "command")
			want := original(command)
			if ref.file {
				path := importedPaths.Draw(t, "path")
				command, want = "edit_file: "+path, original(path)
			}
			if d := decide(p.Mode, rules, command); rank(d.Verdict) < ranks[want] {
				t.Fatalf("%q is decided %s by %s (%s), and was %q\n%s%v\n%s", command, d.Verdict, d.Layer, d.Reason, want, text, table, p.TOML())
			}
		}))
	}
}

// FuzzImport holds that no file is too much for the readers, and that what they make of it is a policy.
func FuzzImport(f *testing.F) {
	f.Add("claude-code", `{"permissions":{"allow":["Bash(git:*)"],"deny":["Read(./.env)"],"defaultMode":"plan"}}`)
	f.Add("letta-code", `{"permissions":{"allow":["Edit(src/**)"],"deny":["Bash(rm:*)"]}}`)
	f.Add("codex", "prefix_rule(pattern=[\"git\", ['a', \"\"\"b\"\"\"]], decision=\"prompt\") # x\n")
	f.Add("opencode", `{"permission":{"bash":{"*":"ask","git ?":"deny"},"edit":{"a*b/*":"deny"},/* */"x_*":"deny",}}`)
	f.Add("", "{}")
	f.Fuzz(func(t *testing.T, from, text string) {
		p, err := approval.Import(from, approval.Foreign{Data: []byte(text)})
		if err != nil {
			return
		}
		if _, _, err := approval.Compile(p.Rules, nil, "/work", "/home/u"); err != nil {
			t.Fatalf("%v\n%s", err, p.TOML())
		}
		if p.Mode == approval.ModeBypass {
			t.Fatal("bypass was imported")
		}
	})
}

// FuzzImportTables gives the readers of TOML what a decoder may hand them; JSON stands for it.
func FuzzImportTables(f *testing.F) {
	f.Add(`{"rule":[{"toolName":"run_shell_command","commandRegex":"git (push|pull).*","decision":"deny","priority":1}]}`)
	f.Add(`{"permissions":{"profile":"edit","default":"deny","tools":{"mcp:*":"ask"},"rules":[{"tool":"execute_command","action":"deny","command_prefix":["rm","-rf"]}]}}`)
	f.Add(`{"permissions":{"default_mode":"plan","rules":[{"tool":"FileWrite","pattern":"/tmp/*","action":"allow"}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var table map[string]any
		if json.Unmarshal([]byte(text), &table) != nil {
			return
		}
		p, err := approval.Import("", approval.Foreign{TOML: func([]byte) (map[string]any, error) { return table, nil }})
		if err != nil {
			return
		}
		if _, _, err := approval.Compile(p.Rules, nil, "/work", "/home/u"); err != nil {
			t.Fatalf("%v\n%s", err, p.TOML())
		}
	})
}
