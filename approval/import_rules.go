package approval

import (
	"fmt"
	"slices"
	"strings"
)

// family are the tools that stand for one tool of another agent. A path or a command in a deny or ask rule binds the
// effect, so that one tool is enough there.
type family struct{ allow, shaped, whole []string }

// families are named by what their tools do.
var families = map[string]family{
	"command": {[]string{"Bash"}, []string{"Bash"}, []string{"Bash", "send_input"}},
	"read":    {readingTools, []string{"read_file"}, readingTools},
	"edit":    {[]string{"create_file", "edit_file"}, []string{"edit_file"}, writingTools},
	"create":  only("create_file"),
	"change":  only("edit_file"),
	"remove":  {nil, nil, []string{"delete_file", "delete_path", "mkdir", "move_path"}},
	"fetch":   only("fetch_url"),
	"agent":   only("spawn_agent"),
	"plan":    only("plan"),
	"mcp:*":   only("mcp:*"),
}

func only(tool string) family {
	tools := []string{tool}
	return family{tools, tools, tools}
}

// everything are the families that a rule for all tools speaks of.
var everything = []string{"command", "read", "create", "change", "remove", "fetch", "agent", "plan", "mcp:*"}

// entry is a rule of another agent in neutral words. At most one of exact, prefix, glob, path and host is set.
type entry struct {
	text    string // as it is written there
	family  string // a family, "*", or the name of MCP tools
	verdict Verdict
	exact   string   // a whole command
	prefix  []string // words of commands
	glob    string   // a glob over commands in which only * is special
	path    string   // a glob of ours
	host    string
	reason  string
	odd     string // why it cannot be said here: an allow rule is left out, others speak of the whole tool
	partial bool   // it says more than the original, so what follows may count
}

func (e *entry) whole() bool {
	return e.exact == "" && e.prefix == nil && e.glob == "" && e.path == "" && e.host == ""
}

// add takes the next rule in.
func (m *importer) add(e entry) error {
	if len(m.out.Rules) >= maxImported {
		return errTooManyRules
	}
	if e.family == "*" {
		return m.addEverything(e)
	}
	if m.isClosed(e.family) {
		m.warn("%s is left out: a rule for the whole tool comes before it", e.text)
		return nil
	}
	if e.odd == "" && e.family == "command" {
		e.spell()
	}
	if e.odd != "" && e.verdict == Allow {
		m.warn("%s is left out: %s", e.text, e.odd)
		return nil
	}
	if e.odd != "" {
		m.warn("%s becomes a rule for the whole tool: %s", e.text, e.odd)
		e = entry{text: e.text, family: e.family, verdict: e.verdict, reason: e.reason, partial: true}
	}
	rules := e.rules()
	for _, r := range rules {
		if err := r.Check(); err != nil {
			switch {
			case e.whole() && e.verdict != Allow && isMCPFamily(e.family):
				m.warn("%s becomes a rule for all MCP tools: %v", e.text, err)
				return m.add(entry{text: e.text, family: "mcp:*", verdict: e.verdict, reason: e.reason, partial: true})
			case e.whole():
				m.warn("%s is left out: %v", e.text, err)
				return nil
			}
			e.odd = err.Error()
			return m.add(e)
		}
	}
	m.warnOfExceptions(&e)
	m.out.Rules = append(m.out.Rules, rules...)
	if e.whole() && !e.partial {
		m.closed[e.family] = true
	}
	return nil
}

// isClosed reports whether a rule for all of a family was read.
func (m *importer) isClosed(family string) bool {
	server, _, isMCP := strings.Cut(family, "__")
	return m.closed[family] || m.closed["edit"] && slices.Contains([]string{"create", "change", "remove"}, family) ||
		(isMCP || strings.HasPrefix(family, "mcp:")) && (m.closed["mcp:*"] || m.closed["mcp:"+server])
}

// addEverything takes in a rule for all tools about which nothing was said yet.
func (m *importer) addEverything(e entry) error {
	switch {
	case e.odd != "" && e.verdict == Allow:
		m.warn("%s is left out: %s", e.text, e.odd)
		return nil
	case e.verdict == Allow:
		m.bypass(e.text)
		return nil
	}
	for _, name := range everything {
		if m.isClosed(name) {
			continue
		}
		one := entry{text: e.text, family: name, verdict: e.verdict, reason: e.reason, partial: e.partial || e.odd != ""}
		if err := m.add(one); err != nil {
			return err
		}
	}
	return nil
}

// rules are the rules of ours that say the same.
func (e *entry) rules() []Rule {
	f, ok := families[e.family]
	if !ok {
		f = only(e.family)
	}
	tools := f.shaped
	switch {
	case e.verdict == Allow:
		tools = f.allow
	case e.whole():
		tools = f.whole
	}
	var rules []Rule
	for _, tool := range tools {
		rules = append(rules, Rule{
			Tool: tool, Action: e.verdict, Command: e.exact, Prefix: e.prefix, Pattern: e.glob, Path: e.path, Host: e.host, Reason: e.reason,
		})
	}
	return rules
}

// spell makes sure that what is said of commands means no less here, where rules see words and not their quoting, and
// for allow rules no more.
func (e *entry) spell() {
	switch {
	case e.glob == "*" || e.glob == "**" || e.glob == ":*":
		e.glob = ""
	case e.exact != "":
		if words, ok := splitWords(e.exact); !ok && e.verdict != Allow {
			e.exact, e.prefix = "", words
			if len(words) == 0 {
				e.odd = "its program is not literal"
			}
		}
	case e.prefix != nil && e.verdict == Allow && strings.Contains(e.prefix[0], "/"):
		e.odd = "an allow rule holds for programs by their bare names"
	case e.glob != "" && e.verdict != Allow:
		e.glob = strings.Join(strings.Fields(strings.NewReplacer(`\*`, "*", `"`, "", "'", "", `\`, "*", "$", "*", "`", "*", "?", "*").Replace(e.glob)), " ")
		if !strings.HasPrefix(e.glob, "* ") && strings.Trim(e.glob, "* ") == "" {
			e.glob = ""
		}
	}
}

// ground is what a rule speaks of, as far as its beginning tells.
type ground struct {
	family string
	path   bool
	begin  string // a program, or a path before anything special
	text   string
}

func (e *entry) ground() ground {
	g := ground{family: e.family, path: e.path != "", begin: literalBase(e.path), text: e.verdict.String() + " " + e.text}
	if e.family == "create" || e.family == "change" || e.family == "remove" {
		g.family = "edit"
	}
	if words := e.rules()[0].commandWords(); len(words) > 0 && !g.path && !strings.Contains(words[0], "*") {
		g.begin = words[0]
	}
	return g
}

// meets reports whether two rules may speak of the same.
func (g ground) meets(o ground) bool {
	switch {
	case g.family != o.family:
		return false
	case g.path && o.path:
		return strings.HasPrefix(g.begin, o.begin) || strings.HasPrefix(o.begin, g.begin)
	}
	return g.begin == "" || o.begin == "" || g.begin == o.begin
}

// warnOfExceptions says that a rule that comes first is no exception to a deny rule here.
func (m *importer) warnOfExceptions(e *entry) {
	g := e.ground()
	if e.verdict != Deny {
		m.softer = append(m.softer, g)
		return
	}
	if i := slices.IndexFunc(m.softer, g.meets); i >= 0 {
		m.warn("%s: %q comes before it, but is no exception here: deny always wins", e.text, m.softer[i].text)
	}
}

// hasPaths reports whether rules for a family may name paths.
func hasPaths(family string) bool {
	return slices.Contains([]string{"read", "edit", "create", "change"}, family)
}

// mcp is the family of an MCP tool, or of all of a server where tool is empty or *.
func mcp(server, tool string) string {
	switch {
	case server == "*" && (tool == "" || tool == "*"):
		return "mcp:*"
	case tool == "" || tool == "*":
		return "mcp:" + server
	}
	return server + "__" + tool
}

// verdictOf reads the word for a verdict.
func verdictOf(word string, words map[string]Verdict) (Verdict, error) {
	v, ok := words[strings.ToLower(strings.TrimSpace(word))]
	if !ok {
		return Ask, fmt.Errorf("%q is no decision", word)
	}
	return v, nil
}

var plainVerdicts = map[string]Verdict{"allow": Allow, "ask": Ask, "deny": Deny}
