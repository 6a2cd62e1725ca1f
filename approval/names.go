package approval

import (
	"fmt"
	"slices"
	"strings"
)

// The tools that rules can name, by what they do to a path; later ones are known from the start.
var (
	readingTools = []string{"read_file", "list_directory", "search_context"}
	writingTools = []string{"create_file", "edit_file", "delete_file", "delete_path", "mkdir", "move_path"}
	commandTools = []string{"run_command", "start_session", "send_input"}
	hostTools    = []string{"fetch_url"}
	otherTools   = []string{"close_session", "read_output", "list_sessions", "plan", "spawn_agent", "collect_agent_results"}
)

// toolSynonyms are the names that other agents use.
var toolSynonyms = map[string][]string{
	"Bash":              {"run_command", "start_session"},
	"shell":             {"run_command", "start_session"},
	"shell_command":     {"run_command", "start_session"},
	"run_shell_command": {"run_command", "start_session"},
	"execute_command":   {"run_command", "start_session"},
	"Write":             {"create_file", "edit_file", "mkdir", "move_path"},
	"FileWrite":         {"create_file", "edit_file", "mkdir", "move_path"},
	"write_file":        {"create_file", "edit_file", "mkdir", "move_path"},
	"Edit":              {"edit_file"},
	"FileEdit":          {"edit_file"},
	"MultiEdit":         {"edit_file"},
	"NotebookEdit":      {"edit_file"},
	"patch_file":        {"edit_file"},
	"Read":              {"read_file"},
	"FileRead":          {"read_file"},
	"Grep":              {"search_context"},
	"Glob":              {"search_context"},
	"grep_files":        {"search_context"},
	"LS":                {"list_directory"},
	"ListDir":           {"list_directory"},
	"list_dir":          {"list_directory"},
	"WebFetch":          {"fetch_url"},
	"TodoWrite":         {"plan"},
	"update_plan":       {"plan"},
}

// toolSet is what the tool of a rule stands for: names, or all names with a prefix that is not excepted.
type toolSet struct {
	names  []string
	prefix string
	all    bool // prefix holds, perhaps empty
	mcp    bool // of an MCP server, whose tools are named SERVER__TOOL
}

// parseTools reads the name of a tool, a synonym, "prefix*", "mcp:SERVER", "mcp:*" or "*".
func parseTools(name string) (toolSet, error) {
	server, isMCP := strings.CutPrefix(name, "mcp:")
	prefix, isPrefix := strings.CutSuffix(name, "*")
	switch {
	case isMCP && server == "*":
		return toolSet{all: true, mcp: true}, nil
	case isMCP && server != "" && !strings.ContainsAny(server, "*: "):
		return toolSet{all: true, mcp: true, prefix: server + "__"}, nil
	case isPrefix && !isMCP && !strings.Contains(prefix, "*"):
		prefix = strings.TrimPrefix(prefix, "mcp__")
		if prefix != "" && !strings.Contains(prefix, "__") && !slices.ContainsFunc(knownTools(), func(n string) bool { return strings.HasPrefix(n, prefix) }) {
			return toolSet{}, fmt.Errorf("no tool begins with %q%s", prefix, didYouMean(prefix))
		}
		return toolSet{all: true, prefix: prefix}, nil
	case toolSynonyms[name] != nil:
		return toolSet{names: toolSynonyms[name]}, nil
	case slices.Contains(knownTools(), name):
		return toolSet{names: []string{name}}, nil
	}
	if bare := strings.TrimPrefix(name, "mcp__"); isMCPTool(bare) && !strings.ContainsAny(bare, "*: ") {
		return toolSet{names: []string{bare}}, nil
	}
	return toolSet{}, fmt.Errorf("there is no tool %q%s", name, didYouMean(name))
}

// CheckTool returns an error if a rule cannot speak of tools by this name.
func CheckTool(name string) error {
	_, err := parseTools(name)
	return err
}

// isMCPTool reports whether a name has the form SERVER__TOOL.
func isMCPTool(name string) bool {
	i := strings.Index(name, "__")
	return i > 0 && i+2 < len(name)
}

func knownTools() []string {
	return slices.Concat(readingTools, writingTools, commandTools, hostTools, otherTools)
}

// has reports whether a tool is one of the set.
func (t *toolSet) has(tool string) bool {
	if t.all {
		return strings.HasPrefix(tool, t.prefix) && (!t.mcp || isMCPTool(tool))
	}
	return slices.Contains(t.names, tool)
}

// any reports whether the set has one of the tools.
func (t *toolSet) any(tools []string) bool { return slices.ContainsFunc(tools, t.has) }

// didYouMean suggests the name that is nearest, or nothing.
func didYouMean(name string) string {
	known := knownTools()
	for synonym := range toolSynonyms {
		known = append(known, synonym)
	}
	if best := Nearest(name, known); best != "" {
		return fmt.Sprintf(" (did you mean %q?)", best)
	}
	return ""
}
