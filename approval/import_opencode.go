package approval

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// opencode's permission map in opencode.json. Source: opencode.ai/docs/permissions, and packages/opencode/src/permission/next.ts of
// anomalyco/opencode for the order: all keys and their patterns make one list, the last match wins; * matches anything,
// also "/", and ? one character; ~ and $HOME in front are the home directory. What an agent says comes
// after what is said of all. The second version has a list of rules, opencode.ai/v2/docs/permissions.

// opencodeTools are its permissions. Those that tricode has nothing for are empty.
var opencodeTools = map[string]string{
	"bash": "command", "shell": "command", "read": "read", "grep": "read", "glob": "read", "list": "read",
	"edit": "edit", "write": "create", "patch": "edit", "multiedit": "edit",
	"webfetch": "fetch", "task": "agent", "todowrite": "plan", "todoread": "plan", "*": "*",
	"external_directory": "", "doom_loop": "", "websearch": "", "codesearch": "", "lsp": "", "skill": "", "question": "",
}

func isOpencode(f *foreign) bool {
	_, second := f.json.get("permissions").([]any)
	_, tools := f.json.get("tools").(object)
	return second || tools || f.json.get("permission") != nil
}

// opencodeLine is one decision, in the order of the file.
type opencodeLine struct{ permission, pattern, action string }

func importOpencode(m *importer, f *foreign) error {
	lines, err := m.opencodeFile(f.json)
	if err != nil {
		return err
	}
	for _, l := range slices.Backward(lines) {
		verdict, err := verdictOf(l.action, plainVerdicts)
		if err != nil {
			return err
		}
		if err := m.opencodeRule(l.permission, l.pattern, verdict); err != nil {
			return err
		}
	}
	return nil
}

// opencodeFile lists what a file says, and what it says of the agent that works unless another is chosen, which comes later.
func (m *importer) opencodeFile(file object) ([]opencodeLine, error) {
	main, err := stringOf("default_agent", file.get("default_agent"))
	if err != nil {
		return nil, err
	}
	main = cmp.Or(main, "build")
	lines, err := opencodeLines(file)
	for _, key := range [...]string{"mode", "agent"} {
		agents, _ := file.get(key).(object)
		for _, agent := range agents {
			says, _ := agent.value.(object)
			of, wrong := opencodeLines(says)
			switch {
			case wrong != nil:
				return nil, fmt.Errorf("%s %s: %w", key, agent.key, wrong)
			case agent.key == main:
				lines = append(lines, of...)
			case len(of) > 0:
				m.warn("%s %s is left out: what it says counts when that is chosen", key, agent.key)
			}
		}
	}
	return lines, err
}

// opencodeLines lists what a file or an agent says: a map of permissions or a list of rules, and tools that are switched off, which in
// earlier releases nothing switches on again.
func opencodeLines(of object) (lines []opencodeLine, err error) {
	for _, key := range [...]string{"permission", "permissions"} {
		var more []opencodeLine
		switch says := of.get(key).(type) {
		case nil:
		case string:
			more = []opencodeLine{{"*", "*", says}}
		case object:
			more, err = opencodeMap(says)
		case []any:
			more, err = opencodeList(says)
		default:
			err = fmt.Errorf("%s is not understood", key)
		}
		if err != nil {
			return nil, err
		}
		lines = append(lines, more...)
	}
	tools, _ := of.get("tools").(object)
	for _, tool := range tools {
		if tool.value == false {
			lines = append(lines, opencodeLine{cmp.Or(opencodeSwitches[tool.key], tool.key), "*", "deny"})
		}
	}
	return lines, nil
}

// opencodeSwitches are the permissions of tools that are no permissions themselves.
var opencodeSwitches = map[string]string{"write": "edit", "patch": "edit", "multiedit": "edit"}

// opencodeMap reads tools with a decision, or with patterns that have decisions.
func opencodeMap(tools object) (lines []opencodeLine, err error) {
	for _, tool := range tools {
		patterns, ok := tool.value.(object)
		if !ok {
			patterns = object{{"*", tool.value}}
		}
		for _, p := range patterns {
			action, ok := p.value.(string)
			if !ok {
				return nil, fmt.Errorf("%s %q is no decision", tool.key, p.key)
			}
			lines = append(lines, opencodeLine{tool.key, p.key, action})
		}
	}
	return lines, nil
}

// opencodeList reads the rules of the second version.
func opencodeList(rules []any) (lines []opencodeLine, err error) {
	for i, item := range rules {
		rule, _ := item.(object)
		var words [3]string
		for k, key := range [...]string{"action", "resource", "effect"} {
			if words[k], err = stringOf(key, rule.get(key)); err != nil || words[k] == "" {
				return nil, fmt.Errorf("rule %d has no %s", i+1, key)
			}
		}
		if len(rule) > len(words) {
			return nil, fmt.Errorf("rule %d says more than action, resource and effect", i+1)
		}
		lines = append(lines, opencodeLine{words[0], words[1], words[2]})
	}
	return lines, nil
}

func (m *importer) opencodeRule(permission, pattern string, verdict Verdict) error {
	text := fmt.Sprintf("%s %q: %s", permission, pattern, verdict)
	family, known := opencodeTools[permission]
	e := entry{text: text, family: family, verdict: verdict}
	everything := strings.Trim(pattern, "*") == ""
	switch {
	case known && family == "":
		if verdict != Allow {
			m.warn("%s is left out: tricode has no such permission", text)
		}
		return nil
	case !known:
		e.family, e.odd = opencodeMCP(permission)
	case family == "command" && !everything:
		e.glob = pattern
		if verdict == Allow && strings.Contains(pattern, "?") {
			e.odd = "? has no counterpart in patterns for commands"
		}
	case family == "fetch" && !everything:
		e.host, e.odd = hostOf(pattern, verdict)
	case hasPaths(family) && !everything:
		e.path, e.odd = crossing(pattern, verdict)
	case !everything:
		e.odd = "rules for it do not look at arguments"
	}
	return m.add(e)
}

// opencodeMCP finds the tools of servers, which are called SERVER_TOOL there: only a deny or ask rule may speak of more.
func opencodeMCP(permission string) (family, odd string) {
	server, isServer := strings.CutSuffix(permission, "_*")
	if isServer && server != "" && !strings.ContainsAny(server, "*?_: ") {
		return mcp(server, "*"), ""
	}
	if strings.ContainsAny(permission, "*?") {
		return "*", "the pattern is not understood"
	}
	return "mcp:*", "it is not known where the name of the server ends"
}

// hostOf takes the host out of the pattern of a URL.
func hostOf(pattern string, verdict Verdict) (host, odd string) {
	u, err := url.Parse(pattern)
	if err != nil || u.Hostname() == "" || strings.ContainsAny(u.Hostname(), "*?") {
		return "", "the host is not literal"
	}
	if verdict == Allow {
		return "", "a rule for a host would allow more than the URL"
	}
	return u.Hostname(), ""
}

// crossing makes a glob whose * also matches "/" one of ours. Allow rules keep their *, which matches less here.
func crossing(pattern string, verdict Verdict) (path, odd string) {
	if rest, ok := strings.CutPrefix(pattern, "$HOME"); ok && (rest == "" || rest[0] == '/') {
		pattern = "~" + rest
	}
	pattern = strings.NewReplacer(`\`, "/", "{", `\{`, "[", `\[`).Replace(strings.TrimPrefix(pattern, "./"))
	if verdict == Allow { // ** is something there, and perhaps nothing here
		if rest, ok := strings.CutPrefix(pattern, "**/"); ok {
			pattern = "*/**/" + rest
		}
		pattern = strings.ReplaceAll(pattern, "/**/", "/*/**/")
		if rest, ok := strings.CutSuffix(pattern, "/**"); ok {
			pattern = rest + "/**/*"
		}
		return pattern, ""
	}
	var out []string
	for component := range strings.SplitSeq(pattern, "/") {
		head, tail, star := strings.Cut(component, "*")
		switch {
		case strings.Contains(component, "?") && !star:
			return "", "? also matches a slash there"
		case !star:
			out = append(out, component)
		case head != "" && tail != "" || strings.Trim(tail, "*") != tail:
			return wider(out), ""
		case head == "" && tail == "":
			out = append(out, "**")
		case head == "":
			out = append(out, "**", component)
		default:
			return wider(append(out, component)), ""
		}
	}
	return strings.Join(out, "/"), ""
}

// wider is everything below some components; deny and ask rules speak of what lies below what they name.
func wider(components []string) string {
	if len(components) == 0 || len(components) == 1 && components[0] == "" {
		return strings.Join(append(components, "**"), "/")
	}
	return strings.Join(components, "/")
}
