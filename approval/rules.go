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
	defaults []rule // for whole tools, the one that says most first
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

// Compile prepares rules for deciding. They come in the order in which they count: those of the session, of the
// command line, of a trusted project, of the person, each in the order of its file. usual are rules for whole tools that say what becomes
// of them where no rule matches, in any order; those that deny count among the rules.
// workDir and home are absolute; home may be empty. The first rule that cannot be used is a *RuleError.
func Compile(rules, usual []Rule, workDir, home string) (*Rules, []Warning, error) {
	c := &Rules{at: place{workDir, home}, programs: map[string]bool{}}
	var warnings []Warning
	for _, r := range rules {
		if err := r.Check(); err != nil {
			return nil, nil, &RuleError{r, err}
		}
		c.add(r)
	}
	for _, r := range usual {
		if err := r.Check(); err != nil {
			return nil, nil, &RuleError{r, err}
		}
		if r.Action == Deny {
			c.add(r)
		}
		set, _ := parseTools(r.Tool)
		c.defaults = append(c.defaults, rule{Rule: r, tools: set})
	}
	slices.SortStableFunc(c.defaults, func(a, b rule) int { return cmp.Compare(b.rank(), a.rank()) })
	for i := range c.list {
		if text := c.warning(i); text != "" {
			warnings = append(warnings, Warning{c.list[i].Rule, text})
		}
	}
	return c, warnings, nil
}

// rank orders defaults: an exact name before the longest prefix before mcp:SERVER, mcp:* and *. Names count
// before their synonyms, and asking before allowing.
func (r *rule) rank() int {
	rank := 0
	switch {
	case !r.tools.all && toolSynonyms[r.Tool] == nil:
		rank = 5000
	case !r.tools.all:
		rank = 4000
	case r.tools.mcp && r.tools.prefix != "":
		rank = 3
	case r.tools.mcp:
		rank = 2
	case r.tools.prefix != "":
		rank = 10 + min(len(r.tools.prefix), 1000)
	}
	return 3*rank + map[Verdict]int{Deny: 2, Ask: 1, Allow: 0}[r.Action]
}

// add compiles a rule that was checked.
func (r *Rules) add(given Rule) {
	tools, _ := parseTools(given.Tool)
	compiled := rule{Rule: given, tools: tools}
	switch glob := given.glob(&tools); {
	case given.Host != "":
		compiled.host = strings.Trim(strings.TrimSuffix(strings.ToLower(given.Host), "."), "[]")
	case glob != "":
		compiled.path = newPathGlob(glob, given, &tools, r.at)
	case given.matchers() > 0:
		compiled.shape = newShape(given, r.at.home)
	}
	r.list = append(r.list, compiled)
	i := len(r.list) - 1
	if given.Action == Deny {
		r.denials.add(i, &compiled)
	} else {
		r.others.add(i, &compiled)
	}
	r.paths = r.paths || compiled.path != nil && given.Action != Allow
	if compiled.shape != nil && given.Action != Allow {
		r.commands = true
		if compiled.shape.program != "" {
			r.programs[compiled.shape.program] = true
		} else {
			r.whatever = true
		}
	}
}

// Concern reports whether a deny or ask rule may speak of commands with this name.
func (r *Rules) Concern(name string) bool {
	return r != nil && (r.whatever || r.programs[name])
}

// warning says what a person should know about a rule.
func (r *Rules) warning(i int) string {
	rule := &r.list[i]
	if dead := rule.dead(&rule.tools); dead != "" {
		return "can match nothing: " + dead
	}
	for j := range r.list[:i] {
		earlier := &r.list[j]
		if earlier.Tool == rule.Tool && (earlier.matchers() == 0 || earlier.what() == rule.what()) && earlier.Action != Deny && rule.Action != Deny {
			return "never counts: " + earlier.name() + " comes first"
		}
	}
	switch {
	case rule.Action != Allow:
	case rule.path != nil && rule.path.abs && !Within(rule.path.base, r.at.workDir) && rule.tools.any(writingTools):
		return "allows no writing there unless it is an additional directory: an allow rule does not lift the work-directory limit"
	case rule.shape != nil && len(rule.shape.words) > 0 && strings.Contains(rule.shape.words[0], "/") && rule.shape.text == "":
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
