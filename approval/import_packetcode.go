package approval

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// packetcode's [permissions]. Source: docs/security.md and internal/permissions/policy.go of packetloss404/packetcode: a deny rule that matches always
// wins; of the others the last, where the rules come first, then default, then [permissions.tools] by how much they say.

var packetcodeTools = map[string]string{
	"execute_command": "command", "write_file": "create", "patch_file": "change", "read_file": "read", "search_codebase": "read",
	"list_directory": "read", "spawn_agent": "agent", "mcp:*": "mcp:*", "*": "*", "": "*",
}

var packetcodeModes = map[string]Mode{
	"balanced": ModeAsk, "ask": ModeAsk, "read_only": ModeReadOnly, "readonly": ModeReadOnly, "safe": ModeReadOnly,
	"edit": ModeAcceptEdits, "accept_edits": ModeAcceptEdits, "workspace_write": ModeAcceptEdits,
	"trusted": ModeBypass, "trust": ModeBypass, "bypass": ModeBypass, "full": ModeBypass, "bypass_permissions": ModeBypass,
}

// isPacketcode finds what agent-code does not have.
func isPacketcode(f *foreign) bool {
	table := tableOf(f)
	for _, key := range [...]string{"profile", "profiles", "default", "tools"} {
		if table[key] != nil {
			return true
		}
	}
	for _, r := range tablesOf(table["rules"]) {
		tool, _ := r["tool"].(string)
		if r["command_prefix"] != nil || packetcodeTools[tool] != "" && tool != "*" {
			return true
		}
	}
	return false
}

// tablesOf are the tables of an array.
func tablesOf(v any) []map[string]any {
	list, _ := v.([]any)
	var tables []map[string]any
	for _, item := range list {
		if table, ok := item.(map[string]any); ok {
			tables = append(tables, table)
		}
	}
	return tables
}

// ruleTables are the rules of a policy, each with its decision.
func ruleTables(f *foreign) ([]map[string]any, error) {
	table := tableOf(f)
	if table == nil {
		return nil, errors.New("there is no table permissions")
	}
	rules := tablesOf(table["rules"])
	if list, _ := table["rules"].([]any); len(list) != len(rules) || list == nil && table["rules"] != nil {
		return nil, errors.New("permissions.rules is not an array of tables")
	}
	return rules, nil
}

// tableOf is the table permissions.
func tableOf(f *foreign) map[string]any {
	table, _ := f.toml["permissions"].(map[string]any)
	return table
}

func importPacketcode(m *importer, f *foreign) error {
	rules, err := ruleTables(f)
	if err != nil {
		return err
	}
	table := tableOf(f)
	profile, err := stringOf("profile", table["profile"])
	if err != nil {
		return err
	}
	if profile != "" {
		m.mode(profile, packetcodeModes)
	}
	if f.toml["trust_mode"] == true || table["trust_mode"] == true {
		m.bypass("trust_mode")
	}
	if table["profiles"] != nil {
		m.warn("profiles are left out: tricode has modes only")
	}
	entries, err := m.packetcodeEntries(table, rules)
	if err != nil {
		return err
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(isDeny(b), isDeny(a)) })
	for _, e := range entries {
		if err := m.add(e); err != nil {
			return err
		}
	}
	return nil
}

func isDeny(e entry) int {
	if e.verdict == Deny {
		return 1
	}
	return 0
}

// packetcodeEntries lists what counts first first.
func (m *importer) packetcodeEntries(table map[string]any, rules []map[string]any) ([]entry, error) {
	var entries []entry
	tools, _ := table["tools"].(map[string]any)
	if tools == nil && table["tools"] != nil {
		return nil, errors.New("permissions.tools is not a table")
	}
	for name, v := range tools {
		e, err := packetcodeEntry(name, v)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(packetcodeRank(b.text), packetcodeRank(a.text)), cmp.Compare(b.text, a.text))
	})
	fallback, err := stringOf("default", table["default"])
	switch {
	case err != nil:
		return nil, err
	case fallback == "allow":
		m.bypass(`default = "allow"`)
	case fallback == "deny":
		m.out.Default = Deny
	}
	for i, r := range slices.Backward(rules) {
		e, err := packetcodeRule(r)
		if err != nil {
			return nil, fmt.Errorf("rule %d: %w", i+1, err)
		}
		if fallback != "" && e.verdict == Allow {
			m.warn("%s is left out: in packetcode default comes after it and counts", e.text)
			continue
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func packetcodeRank(tool string) int {
	switch {
	case tool == "*" || tool == "":
		return 0
	case tool == "mcp:*":
		return 1
	case strings.HasSuffix(tool, "*"):
		return 2
	}
	return 3
}

// packetcodeEntry reads the name of a tool and a decision.
func packetcodeEntry(tool string, action any) (entry, error) {
	word, err := stringOf("action", action)
	if err != nil {
		return entry{}, err
	}
	verdict, err := verdictOf(word, plainVerdicts)
	e := entry{text: tool, family: packetcodeTools[tool], verdict: verdict}
	if e.family == "" {
		e.family = strings.TrimPrefix(tool, "mcp:")
	}
	return e, err
}

func packetcodeRule(r map[string]any) (entry, error) {
	tool, err := stringOf("tool", r["tool"])
	if err != nil {
		return entry{}, err
	}
	e, err := packetcodeEntry(tool, r["action"])
	if err != nil {
		return e, err
	}
	if e.reason, err = stringOf("reason", r["reason"]); err != nil {
		return e, err
	}
	if e.exact, err = stringOf("command", r["command"]); err != nil {
		return e, err
	}
	if e.prefix, err = stringsOf("command_prefix", r["command_prefix"]); err != nil {
		return e, err
	}
	switch {
	case e.exact != "" && len(e.prefix) > 0:
		e.odd, e.exact, e.prefix = "it has both command and command_prefix", "", nil
	case e.exact != "" || len(e.prefix) > 0:
		if e.family != "command" && e.family != "*" {
			e.odd = "the tool runs no commands"
		}
		e.family = "command"
	}
	if e.prefix != nil {
		e.text += " " + strings.Join(e.prefix, " ")
	}
	e.text += " " + e.exact
	e.text = strings.TrimSpace(e.text)
	return e, nil
}
