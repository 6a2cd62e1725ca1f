package approval

import (
	"fmt"
	"maps"
	"strings"
)

// Claude Code's settings.json. Source: code.claude.com/docs/en/permissions (deny before ask before allow; Tool or
// Tool(specifier); "X:*" and "X *" are X and whatever follows; Read and Edit are gitignore patterns, "//" from the root, "~/" from home, "/"
// from the project, or from ~/.claude in the settings there, others from the current directory; Read and Edit speak of all tools that
// read and edit, and paths of other tools count for nothing; deny and ask rules take globs of tools, allow rules only those that
// begin with a server's name) and /permission-modes.
//
// Letta Code has the same form. Source: docs.letta.com/letta-code/permissions, and src/permissions/matcher.ts of
// letta-ai/letta-code for what the page leaves open ("X:*" is any command that starts with X, also within a word; paths are
// minimatch globs, "/" is the root, and * leaves out names that begin with a dot; ask counts after allow).

// claudeTools are the tools that have a counterpart. Those that are not listed tricode does not have.
var claudeTools = map[string]string{
	"Bash": "command", "BashOutput": "command", "KillShell": "command", "PowerShell": "command",
	"Read": "read", "Grep": "read", "Glob": "read", "LS": "read", "NotebookRead": "read",
	"Edit": "edit", "MultiEdit": "edit", "NotebookEdit": "edit", "Write": "create",
	"WebFetch": "fetch", "Task": "agent", "Agent": "agent", "TodoWrite": "plan", "*": "*",
}

// lettaTools are the further names of Letta Code. Source: src/permissions/canonical.ts of letta-ai/letta-code.
var lettaTools = map[string]string{
	"shell": "command", "Shell": "command", "shell_command": "command", "ShellCommand": "command", "exec_command": "command",
	"run_shell_command": "command", "RunShellCommand": "command", "read_file": "read", "ReadFile": "read", "list_dir": "read", "ListDir": "read",
	"list_directory": "read", "ListDirectory": "read", "grep_files": "read", "GrepFiles": "read", "search_file_content": "read",
	"write_file": "create", "WriteFile": "create", "replace": "edit", "Replace": "edit", "task": "agent", "agent": "agent",
}

var claudeModes = map[string]Mode{
	"default": ModeAsk, "standard": ModeAsk, "acceptedits": ModeAcceptEdits, "plan": ModePlan, "bypasspermissions": ModeBypass, "unrestricted": ModeBypass,
}

func isClaude(f *foreign) bool {
	_, ok := f.json.get("permissions").(object)
	return ok
}

func isLetta(f *foreign) bool {
	return isClaude(f) && strings.Contains(strings.ToLower(f.Name), "letta")
}

func importClaude(m *importer, f *foreign) error { return m.claude(f, false) }

func importLetta(m *importer, f *foreign) error { return m.claude(f, true) }

// claude reads the lists in the order deny, ask, allow. In Letta Code ask counts last; reading it earlier is stricter.
func (m *importer) claude(f *foreign, letta bool) error {
	p, ok := f.json.get("permissions").(object)
	if !ok {
		return fmt.Errorf("there is no object permissions")
	}
	mode, err := stringOf("defaultMode", p.get("defaultMode"))
	if err != nil {
		return err
	}
	dontAsk := mode == "dontAsk"
	switch {
	case dontAsk:
		m.out.Default = Deny
	case mode != "":
		m.mode(mode, claudeModes)
	}
	if err := m.claudeLists(p, dontAsk, letta); err != nil {
		return err
	}
	for _, key := range [...]string{"hooks", "sandbox"} {
		if f.json.get(key) != nil {
			m.warn("%s is left out: only permissions are imported", key)
		}
	}
	for _, unknown := range p {
		if !strings.Contains(" allow ask deny alwaysAsk defaultMode additionalDirectories ", " "+unknown.key+" ") {
			m.warn("%s is left out: it has no counterpart", unknown.key)
		}
	}
	dirs, err := stringsOf("additionalDirectories", p.get("additionalDirectories"))
	m.directories(dirs)
	return err
}

// claudeLists reads the rules. Where dontAsk is set nobody is asked, and ask denies.
func (m *importer) claudeLists(p object, dontAsk, letta bool) error {
	for _, list := range [...]struct {
		key     string
		verdict Verdict
	}{{"deny", Deny}, {"alwaysAsk", Ask}, {"ask", Ask}, {"allow", Allow}} {
		rules, err := stringsOf(list.key, p.get(list.key))
		if err != nil {
			return err
		}
		if dontAsk && list.verdict == Ask {
			list.verdict = Deny
		}
		for _, text := range rules {
			if err := m.claudeRule(text, list.verdict, letta); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *importer) claudeRule(text string, verdict Verdict, letta bool) error {
	tool, what, parens := strings.Cut(strings.TrimSpace(text), "(")
	if parens {
		inner, closed := strings.CutSuffix(what, ")")
		if !closed {
			return fmt.Errorf("rule %q has no closing parenthesis", text)
		}
		what = strings.TrimSpace(inner)
	}
	if rest, ok := strings.CutPrefix(tool, "mcp__"); ok {
		e := entry{text: text, verdict: verdict}
		server, name, _ := strings.Cut(rest, "__")
		switch e.family = mcp(server, name); {
		case what != "":
			e.odd = "rules for MCP tools do not look at arguments"
		case verdict == Allow && strings.Contains(server, "*"):
			e.odd = "without the name of a server it counts for nothing"
		}
		return m.add(e)
	}
	tools := claudeTools
	if letta {
		tools = maps.Clone(claudeTools)
		maps.Copy(tools, lettaTools)
	}
	family := tools[tool]
	e := entry{text: text, family: family, verdict: verdict}
	switch {
	case family == "" && strings.Contains(tool, "*") && verdict != Allow:
		return m.wild(e, tool, "mcp__", tools)
	case family == "":
		m.warn("%s is left out: tricode has no such tool", text)
		return nil
	case what == "" || what == "*" && family != "command":
	case family == "command":
		return m.claudeCommand(e, what, letta)
	case family == "fetch":
		e.host, e.odd = claudeHost(what)
	case hasPaths(family) && letta:
		return m.lettaPath(e, what)
	case hasPaths(family):
		if e.path, e.odd = m.gitignored(what, verdict); verdict == Allow && tool != "Read" && tool != "Edit" {
			e.odd = "Claude Code looks at the paths of Read and Edit only"
		}
	default:
		e.odd = "rules for " + tool + " do not look at arguments"
	}
	return m.add(e)
}

func (m *importer) claudeCommand(e entry, what string, letta bool) error {
	prefix, isPrefix := strings.CutSuffix(what, ":*")
	switch {
	case isPrefix:
		words, ok := splitWords(prefix)
		if e.prefix = words; len(words) == 0 || !ok && e.verdict == Allow {
			e.odd = "its words are not literal"
		}
		if !letta || e.verdict == Allow || e.odd != "" {
			return m.add(e)
		}
		if err := m.add(e); err != nil {
			return err
		}
		m.warn("%s: in Letta Code it also matches longer words that begin so, which the rule for %q keeps", e.text, prefix+"*")
		return m.add(entry{text: e.text, family: e.family, verdict: e.verdict, glob: prefix + "*"})
	case letta:
		e.exact = what
	case strings.Contains(what, "*"):
		e.glob = what
	default:
		e.exact = what
	}
	return m.add(e)
}

// claudeHost reads domain:HOST.
func claudeHost(what string) (host, odd string) {
	host, ok := strings.CutPrefix(what, "domain:")
	switch {
	case !ok:
		return "", "only domain:HOST is understood"
	case host == "*":
		return "", ""
	}
	return host, ""
}

// gitignored makes a gitignore pattern a glob of ours. A name alone matches at any depth there; an allow rule here holds at
// the top only, because releases differ about it.
func (m *importer) gitignored(what string, verdict Verdict) (path, odd string) {
	if strings.HasPrefix(what, "!") || strings.HasPrefix(what, "#") {
		return "", "it does not name paths"
	}
	what = strings.NewReplacer("{", `\{`).Replace(what)
	if strings.HasSuffix(what, "/") {
		what += "**"
	}
	switch {
	case strings.HasPrefix(what, "//"):
		return what[1:], ""
	case strings.HasPrefix(what, "/") && m.own:
		return "~/.claude" + what, ""
	case strings.HasPrefix(what, "/"):
		return what[1:], ""
	case what == "~" || strings.HasPrefix(what, "~/"):
		return what, ""
	case !strings.Contains(strings.TrimSuffix(what, "/**"), "/") && verdict != Allow:
		return "**/" + what, ""
	}
	return strings.TrimPrefix(what, "./"), ""
}

// lettaPath reads a minimatch glob. Its * leaves out names with a dot in front, so those are asked about first.
func (m *importer) lettaPath(e entry, what string) error {
	what = strings.TrimPrefix(what, "./")
	if strings.HasPrefix(what, "//") {
		what = what[1:]
	}
	if strings.ContainsAny(what, "()!#") {
		e.odd = "extended globs are not understood"
		return m.add(e)
	}
	e.path = what
	if e.verdict != Allow || !strings.ContainsAny(what, "*?[") {
		return m.add(e)
	}
	if e.family == "read" { // inside the working directory reading was never asked about
		return m.add(e)
	}
	base := literalBase(what)
	if base != "" {
		base += "/"
	}
	for _, hidden := range [...]string{base + "**/.*", base + "**/.*/**"} {
		guard := entry{text: e.text, family: e.family, verdict: Ask, path: hidden, reason: "* leaves out names that begin with a dot"}
		if err := m.add(guard); err != nil {
			return err
		}
	}
	return m.add(e)
}
