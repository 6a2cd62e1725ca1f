package approval

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// What has no exact counterpart: deny and ask rules become wider, allow rules are left out.

// wild takes in a deny or ask rule for all tools whose names over there match a pattern. Tools of servers have names that
// begin with servers, and cannot be told apart here.
func (m *importer) wild(e entry, pattern, servers string, tools map[string]string) error {
	var families []string
	if head, _, _ := strings.Cut(pattern, "*"); servers == "" || strings.HasPrefix(servers, head) {
		families = append(families, "mcp:*")
	}
	for name, family := range tools {
		if ok, err := path.Match(pattern, name); family != "*" && name != family && (ok || err != nil) {
			families = append(families, family)
		}
	}
	if len(families) == 0 {
		m.warn("%s is left out: tricode has no such tool", e.text)
	}
	slices.Sort(families)
	for _, e.family = range slices.Compact(families) {
		if err := m.add(e); err != nil {
			return err
		}
	}
	return nil
}

// conditional takes note of a condition of a rule that has no counterpart: without it an allow rule would allow more,
// the others deny or ask more.
func (m *importer) conditional(e *entry, condition string) {
	switch {
	case condition == "":
	case e.verdict == Allow:
		e.odd = condition
	default:
		m.warn("%s counts always: %s", e.text, condition)
		e.partial = true
	}
}

// unknownKey names a key of a rule that is none of the known ones, which may be a condition.
func unknownKey(table map[string]any, known string) string {
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if !slices.Contains(strings.Fields(known), key) {
			return key + " has no counterpart"
		}
	}
	return ""
}

// isMCPFamily reports whether a family is of MCP tools.
func isMCPFamily(family string) bool {
	return strings.HasPrefix(family, "mcp:") || strings.Contains(family, "__")
}
