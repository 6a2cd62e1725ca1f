package approval

import (
	"fmt"
	"strings"
)

// agent-code's [permissions]. Source: docs/src/concepts/permissions.md and crates/lib/src/permissions/mod.rs of avala-ai/agent-code: deny before ask before
// allow (first match in earlier releases, which is never stricter); * matches anything, ? one character.

var agentCodeTools = map[string]string{
	"bash": "command", "powershell": "command", "fileread": "read", "grep": "read", "glob": "read", "filewrite": "create", "fileedit": "edit", "applypatch": "edit",
	"multiedit": "edit", "notebookedit": "edit", "webfetch": "fetch", "agent": "agent", "todowrite": "plan", "*": "*",
}

var agentCodeModes = map[string]Mode{
	"ask": ModeAsk, "deny": ModeReadOnly, "plan": ModePlan, "accept_edits": ModeAcceptEdits, "allow": ModeBypass,
}

func isAgentCode(f *foreign) bool { return tableOf(f) != nil }

func importAgentCode(m *importer, f *foreign) error {
	rules, err := ruleTables(f)
	if err != nil {
		return err
	}
	mode, err := stringOf("default_mode", tableOf(f)["default_mode"])
	if err != nil {
		return err
	}
	if mode != "" {
		m.mode(mode, agentCodeModes)
	}
	for _, wanted := range [...]Verdict{Deny, Ask, Allow} {
		for i, r := range rules {
			if err := m.agentCodeRule(r, wanted); err != nil {
				return fmt.Errorf("rule %d: %w", i+1, err)
			}
		}
	}
	return nil
}

// agentCodeRule takes a rule in if its decision is the wanted one. Its action may be a mode, of which only allow lets everything through.
func (m *importer) agentCodeRule(r map[string]any, wanted Verdict) error {
	var words [3]string
	for i, key := range [...]string{"tool", "pattern", "action"} {
		var err error
		if words[i], err = stringOf(key, r[key]); err != nil {
			return err
		}
	}
	tool, pattern, action := words[0], words[1], words[2]
	verdict, err := verdictOf(action, map[string]Verdict{"allow": Allow, "ask": Ask, "accept_edits": Ask, "auto": Ask, "plan": Deny, "deny": Deny})
	if err != nil || verdict != wanted {
		return err
	}
	e := entry{text: strings.TrimSpace(tool + " " + pattern), family: agentCodeTools[strings.ToLower(tool)], verdict: verdict}
	everything := strings.Trim(pattern, "*") == ""
	switch {
	case e.family == "" && isMCPTool(strings.TrimPrefix(tool, "mcp__")):
		e.family = strings.TrimPrefix(tool, "mcp__")
	case e.family == "":
		m.warn("%s is left out: tricode has no such tool", e.text)
		return nil
	case everything:
	case e.family == "command" && strings.Contains(pattern, "?") && verdict == Allow:
		e.odd = "? has no counterpart in patterns for commands"
	case e.family == "command":
		e.glob = pattern
	case hasPaths(e.family):
		e.path, e.odd = crossing(pattern, verdict)
	case e.family == "fetch":
		e.host, e.odd = hostOf(pattern, verdict)
	default:
		e.odd = "rules for it do not look at arguments"
	}
	m.conditional(&e, unknownKey(r, "tool pattern action"))
	return m.add(e)
}
