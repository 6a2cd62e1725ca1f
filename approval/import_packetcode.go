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

func importPacketcode(m *importer, f *foreign) error {
	rules, err := ruleTables(f)
	if err != nil {
		return err
	}
	table := tableOf(f)
	behavior, _ := f.toml["behavior"].(map[string]any)
	if f.toml["trust_mode"] == true || table["trust_mode"] == true || behavior["trust_mode"] == true {
		m.bypass("trust_mode")
	}
	profile, err := m.packetcodeProfile(table)
	if err != nil {
		return err
	}
	entries, err := m.packetcodeEntries(table, rules, profile)
	if err != nil {
		return err
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(isDeny(b), isDeny(a)) })
	for _, e := range entries {
		add := m.add
		if strings.HasSuffix(e.family, "*") && !isMCPFamily(e.family) && e.family != "*" {
			add = m.packetcodeWild
		}
		if err := add(e); err != nil {
			return err
		}
	}
	if m.out.Default == Deny && !m.isClosed("read") { // which a default speaks of there
		return m.add(entry{text: "default", family: "read", verdict: Deny})
	}
	return nil
}

// packetcodeWild takes in a rule whose family is a pattern of names.
func (m *importer) packetcodeWild(e entry) error {
	if e.verdict == Allow {
		m.warn("%s is left out: it is for all tools whose names begin so", e.text)
		return nil
	}
	return m.wild(e, e.family, "", packetcodeTools)
}

func isDeny(e entry) int {
	if e.verdict == Deny {
		return 1
	}
	return 0
}

// packetcodeEntries lists what counts first first.
func (m *importer) packetcodeEntries(table map[string]any, rules []map[string]any, profile map[string]any) ([]entry, error) {
	tools, _ := table["tools"].(map[string]any)
	if tools == nil && table["tools"] != nil {
		return nil, errors.New("permissions.tools is not a table")
	}
	entries, err := packetcodeTable(tools)
	if err != nil {
		return nil, err
	}
	shadowed, err := m.packetcodeDefault(table["default"])
	if err != nil {
		return nil, err
	}
	var later []entry
	for i, r := range slices.Backward(rules) {
		e, err := packetcodeRule(r)
		if err != nil {
			return nil, fmt.Errorf("rule %d: %w", i+1, err)
		}
		m.conditional(&e, unknownKey(r, "tool action command command_prefix reason"))
		later = append(later, e)
	}
	own, err := packetcodeTable(profile)
	if err != nil {
		return nil, err
	}
	for _, e := range append(later, own...) {
		if shadowed && e.verdict == Allow {
			m.warn("%s is left out: in packetcode default comes after it and counts", e.text)
			continue
		}
		entries = append(entries, e)
	}
	if !shadowed {
		_, err = m.packetcodeDefault(profile["default"])
	}
	return entries, err
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
