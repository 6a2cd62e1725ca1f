package approval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Rules are the compiled rules of a policy. They are found by tool and program, so a decision does not pay for rules
// that cannot match. A nil *Rules has none.
type Rules struct {
	list     []rule
	denials  index
	others   index
	defaults []toolDefault
	at       place
	commands bool            // a deny or ask rule speaks of commands
	programs map[string]bool // the programs of such rules
	whatever bool            // one speaks of programs that it does not name
	paths    bool            // one speaks of paths
}

// rule is a compiled rule.
type rule struct {
	Rule
	tools toolSet
	shape *shape    // for commands
	path  *pathGlob // for paths
	host  string
}

// toolDefault is an entry of [permissions.tools].
type toolDefault struct {
	name    string
	tools   toolSet
	verdict Verdict
}

// Warning is what a person should know about a rule that is no error.
type Warning struct {
	Rule Rule
	Text string
}

// RuleError says which rule cannot be used.
type RuleError struct {
	Rule Rule
	Err  error
}

func (e *RuleError) Error() string {
	if e.Rule.Source == "" {
		return fmt.Sprintf("rule %s: %v", e.Rule, e.Err)
	}
	return fmt.Sprintf("%s: rule %s: %v", e.Rule.Source, e.Rule, e.Err)
}

// Unwrap returns what is wrong with the rule.
func (e *RuleError) Unwrap() error { return e.Err }

// toolsTable is the source of what [permissions.tools] says.
const toolsTable = "[permissions.tools]"

// Compile prepares rules for deciding. They come in the order in which they count: those of the session, of the
// command line, of a trusted project, of the person, each in the order of its file. tools are the verdicts of [permissions.tools].
// workDir and home are absolute; home may be empty. The first rule that cannot be used is a *RuleError.
func Compile(rules []Rule, tools map[string]Verdict, workDir, home string) (*Rules, []Warning, error) {
	c := &Rules{at: place{workDir, home}, programs: map[string]bool{}}
	var warnings []Warning
	for _, r := range rules {
		if err := r.Check(); err != nil {
			return nil, nil, &RuleError{r, err}
		}
		c.add(r)
	}
	names := make([]string, 0, len(tools))
	for name := range tools {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		r := Rule{Tool: name, Action: tools[name], Source: toolsTable}
		if err := r.Check(); err != nil {
			return nil, nil, &RuleError{r, err}
		}
		if r.Action == Deny {
			c.add(r)
		}
		set, _ := parseTools(name)
		c.defaults = append(c.defaults, toolDefault{name, set, r.Action})
	}
	slices.SortStableFunc(c.defaults, func(a, b toolDefault) int { return cmp.Compare(b.rank(), a.rank()) })
	for i := range c.list {
		if text := c.warning(i); text != "" {
			warnings = append(warnings, Warning{c.list[i].Rule, text})
		}
	}
	return c, warnings, nil
}

// rank orders defaults: an exact name before the longest prefix before mcp:SERVER, mcp:* and *. Names count
// before their synonyms, and asking before allowing.
func (d *toolDefault) rank() int {
	rank := 0
	switch {
	case !d.tools.all && toolSynonyms[d.name] == nil:
		rank = 5000
	case !d.tools.all:
		rank = 4000
	case d.tools.mcp && d.tools.prefix != "":
		rank = 3
	case d.tools.mcp:
		rank = 2
	case d.tools.prefix != "":
		rank = 10 + min(len(d.tools.prefix), 1000)
	}
	return 3*rank + map[Verdict]int{Deny: 2, Ask: 1, Allow: 0}[d.verdict]
}

// add compiles a rule that was checked.
func (c *Rules) add(r Rule) {
	tools, _ := parseTools(r.Tool)
	compiled := rule{Rule: r, tools: tools}
	switch glob := r.glob(&tools); {
	case r.Host != "":
		compiled.host = strings.Trim(strings.TrimSuffix(strings.ToLower(r.Host), "."), "[]")
	case glob != "":
		compiled.path = newPathGlob(glob, r, &tools, c.at)
	case r.matchers() > 0:
		compiled.shape = newShape(r, c.at.home)
	}
	c.list = append(c.list, compiled)
	i := len(c.list) - 1
	if r.Action == Deny {
		c.denials.add(i, &compiled)
	} else {
		c.others.add(i, &compiled)
	}
	c.paths = c.paths || compiled.path != nil && r.Action != Allow
	if compiled.shape != nil && r.Action != Allow {
		c.commands = true
		if compiled.shape.program != "" {
			c.programs[compiled.shape.program] = true
		} else {
			c.whatever = true
		}
	}
}

// Concern reports whether a deny or ask rule may speak of commands with this name.
func (c *Rules) Concern(name string) bool {
	return c != nil && (c.whatever || c.programs[name])
}

// warning says what a person should know about a rule.
func (c *Rules) warning(i int) string {
	r := &c.list[i]
	if dead := r.dead(&r.tools); dead != "" {
		return "can match nothing: " + dead
	}
	for j := range c.list[:i] {
		earlier := &c.list[j]
		if earlier.Tool == r.Tool && (earlier.matchers() == 0 || earlier.what() == r.what()) && earlier.Action != Deny && r.Action != Deny {
			return "never counts: " + earlier.name() + " comes first"
		}
	}
	switch {
	case r.Action != Allow:
	case r.path != nil && r.path.abs && !Within(r.path.base, c.at.workDir) && r.tools.any(writingTools):
		return "allows no writing there unless it is an additional directory: an allow rule does not lift the work-directory limit"
	case r.shape != nil && len(r.shape.words) > 0 && strings.Contains(r.shape.words[0], "/") && r.shape.text == "":
		return "covers nothing: an allow rule holds for programs by their bare names"
	}
	return ""
}

// name is a rule as reasons and traces name it, ready to paste: deny rule run_command(rm -rf:*) (config.toml:12).
func (r *rule) name() string {
	text := r.Action.String() + " rule " + r.String()
	if r.Source != "" {
		text += " (" + r.Source + ")"
	}
	return text
}

// reasonText is the name with the person's reason.
func (r *rule) reasonText() string {
	if r.Reason == "" {
		return r.name()
	}
	return r.name() + ": " + r.Reason
}
