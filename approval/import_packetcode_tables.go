package approval

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

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

// packetcodeProfile reads what the profile says: a mode, or what the person made of that name.
func (m *importer) packetcodeProfile(table map[string]any) (map[string]any, error) {
	name, err := stringOf("profile", table["profile"])
	if err != nil || name == "" {
		return nil, err
	}
	if _, known := packetcodeModes[strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "-", "_")]; known {
		m.mode(strings.TrimSpace(name), packetcodeModes)
		return nil, nil
	}
	profiles, _ := table["profiles"].(map[string]any)
	own, ok := profiles[name].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("there is no profile %q", name)
	}
	if all, ok := own["mcp"]; ok {
		own = maps.Clone(own)
		delete(own, "mcp")
		own["mcp:*"] = all
	}
	return own, nil
}

// packetcodeDefault reads what is said of all tools, and reports whether anything is.
func (m *importer) packetcodeDefault(v any) (said bool, err error) {
	word, err := stringOf("default", v)
	switch word {
	case "allow":
		m.bypass(`default = "allow"`)
	case "deny":
		m.out.Default = Deny
	}
	return word != "", err
}

// packetcodeTable reads names of tools with their decisions, what says most first.
func packetcodeTable(tools map[string]any) ([]entry, error) {
	var entries []entry
	for name, v := range tools {
		if name == "default" {
			continue
		}
		e, err := packetcodeEntry(name, v)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(packetcodeRank(b.text), packetcodeRank(a.text)), cmp.Compare(b.text, a.text))
	})
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
