package approval

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Gemini CLI's policy files. Source: docs/reference/policy-engine.md and packages/core/src/policy/utils.ts of google-gemini/gemini-cli: the rule with the
// highest priority that matches decides; commandPrefix ends at a word, commandRegex begins where the command does and
// ends anywhere; redirections ask unless allowRedirection is set.

var geminiTools = map[string]string{
	"run_shell_command": "command", "read_file": "read", "read_many_files": "read", "list_directory": "read", "glob": "read",
	"grep_search": "read", "search_file_content": "read", "write_file": "create", "replace": "change", "web_fetch": "fetch",
	"write_todos": "plan", "*": "*",
}

var geminiDecisions = map[string]Verdict{"allow": Allow, "ask_user": Ask, "deny": Deny}

func isGemini(f *foreign) bool { return f.toml["rule"] != nil }

// geminiRule is a rule with its place in the order.
type geminiRule struct {
	table    map[string]any
	verdict  Verdict
	priority int64
	text     string
}

func importGemini(m *importer, f *foreign) error {
	rules, err := geminiRules(f.toml["rule"])
	if err != nil {
		return err
	}
	for key := range f.toml {
		if key != "rule" {
			m.warn("%s is left out: only rules are imported", key)
		}
	}
	redirects := false
	for _, r := range rules {
		redirects = redirects || r.verdict == Allow
		if err := m.geminiRule(r); err != nil {
			return fmt.Errorf("%s: %w", r.text, err)
		}
	}
	if redirects && !m.isClosed("edit") {
		ask := entry{text: "redirections", family: "edit", verdict: Ask, path: "**", reason: "Gemini CLI asks about redirections"}
		m.warn("writing files asks, as Gemini CLI does about redirections; allowRedirection has no counterpart")
		return m.add(ask)
	}
	return nil
}

// geminiRules sorts the rules by what counts first; of equal ones the stricter.
func geminiRules(v any) ([]geminiRule, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, errors.New("there are no rules")
	}
	var rules []geminiRule
	for i, item := range list {
		table, ok := item.(map[string]any)
		if !ok {
			return nil, errors.New("rule is not an array of tables")
		}
		r := geminiRule{table: table, text: fmt.Sprintf("rule %d", i+1)}
		decision, err := stringOf("decision", table["decision"])
		if err == nil {
			r.verdict, err = verdictOf(decision, geminiDecisions)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.text, err)
		}
		if r.priority, ok = table["priority"].(int64); !ok && table["priority"] != nil {
			return nil, fmt.Errorf("%s: priority is not a number", r.text)
		}
		rules = append(rules, r)
	}
	strictness := map[Verdict]int{Deny: 0, Ask: 1, Allow: 2}
	slices.SortStableFunc(rules, func(a, b geminiRule) int {
		return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(strictness[a.verdict], strictness[b.verdict]))
	})
	return rules, nil
}

func (m *importer) geminiRule(r geminiRule) error {
	e := entry{text: r.text, verdict: r.verdict}
	var err error
	if e.reason, err = stringOf("denyMessage", cmp.Or(r.table["denyMessage"], r.table["deny_message"])); err != nil {
		return err
	}
	condition, err := geminiCondition(r.table)
	if err != nil {
		return err
	}
	m.conditional(&e, condition)
	prefixes, err := stringsOf("commandPrefix", r.table["commandPrefix"])
	if err != nil {
		return err
	}
	regex, err := stringOf("commandRegex", r.table["commandRegex"])
	if err != nil {
		return err
	}
	switch {
	case len(prefixes) > 0 && regex != "":
		return errors.New("commandPrefix and commandRegex exclude each other")
	case len(prefixes) > 0:
		return m.geminiPrefixes(e, prefixes)
	case regex != "":
		return m.geminiRegex(e, regex)
	}
	return m.geminiTool(e, r.table)
}

// geminiKeys are what a rule says without making it depend on anything that has no counterpart.
const geminiKeys = "toolName mcpName argsPattern commandPrefix commandRegex decision priority modes denyMessage deny_message allowRedirection allow_redirection"

// geminiCondition says what a rule depends on that has no counterpart.
func geminiCondition(table map[string]any) (string, error) {
	modes, err := stringsOf("modes", table["modes"])
	if err == nil && len(modes) > 0 && !slices.Contains(modes, "default") {
		return "it is for the modes " + strings.Join(modes, ", ") + " only", nil
	}
	return unknownKey(table, geminiKeys), err
}

func (m *importer) geminiPrefixes(e entry, prefixes []string) error {
	e.family = "command"
	odd := e.odd
	for _, prefix := range prefixes {
		words, ok := splitWords(prefix)
		if e.prefix, e.odd = words, odd; len(words) == 0 || !ok && e.verdict == Allow {
			e.odd = "its words are not literal"
		}
		if err := m.add(e); err != nil {
			return err
		}
	}
	return nil
}

func (m *importer) geminiRegex(e entry, regex string) error {
	e.family = "command"
	globs, exact, err := globsOf(regex)
	if err != nil {
		e.odd = "its regular expression is not understood"
	} else if !exact && e.verdict == Allow && e.odd == "" {
		e.odd = "its regular expression has no counterpart"
	}
	if e.odd != "" {
		return m.add(e)
	}
	if !exact {
		m.warn("%s: a pattern that matches more stands for its regular expression", e.text)
	}
	for _, glob := range globs {
		if e.glob = glob + "*"; exact && e.verdict == Allow {
			e.glob, e.prefix = "", nil
			if words, ok := splitWords(glob); !ok || len(words) == 0 {
				e.odd = "its words are not literal"
			} else {
				e.prefix = words
			}
		}
		if err := m.add(e); err != nil {
			return err
		}
	}
	return nil
}

// geminiTool reads a rule that names tools.
func (m *importer) geminiTool(e entry, table map[string]any) error {
	tools, err := stringsOf("toolName", table["toolName"])
	if err != nil {
		return err
	}
	server, err := stringOf("mcpName", table["mcpName"])
	if err != nil {
		return err
	}
	if table["argsPattern"] != nil && e.odd == "" {
		e.odd = "argsPattern has no counterpart"
	}
	if server != "" && len(tools) == 0 || len(tools) == 0 && table["toolName"] == nil {
		tools = []string{"*"}
	}
	for _, tool := range tools {
		one := e
		switch {
		case server != "":
			one.family = mcp(server, tool)
			if server == "*" {
				one.family = "mcp:*"
				if tool != "*" && one.odd == "" {
					one.odd = "it names a tool of any server"
				}
			}
		case strings.HasPrefix(tool, "mcp_"):
			one = geminiMCP(one, strings.TrimPrefix(tool, "mcp_"))
		case isMCPTool(strings.TrimSuffix(tool, "*") + "*"): // as earlier releases name them
			one.family = tool
		case geminiTools[tool] == "":
			m.warn("%s: %s is left out: tricode has no such tool", e.text, tool)
			continue
		default:
			one.family = geminiTools[tool]
		}
		if err := m.add(one); err != nil {
			return err
		}
	}
	return nil
}

// geminiMCP reads SERVER_TOOL; the name of the server ends at the first underscore.
func geminiMCP(e entry, name string) entry {
	server, tool, _ := strings.Cut(name, "_")
	switch {
	case name == "*":
		e.family = "mcp:*"
	case strings.Contains(server, "*") || strings.Contains(strings.TrimSuffix(tool, "*"), "*"):
		if e.family = "mcp:*"; e.odd == "" {
			e.odd = "it names tools of any server"
		}
	default:
		e.family = mcp(server, tool)
	}
	return e
}
