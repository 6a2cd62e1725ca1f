package approval

import (
	"errors"
	"fmt"
	"strings"
)

// Rule is one rule of a person or a project. At most one of Command, Prefix, Pattern, Path and Host says what it
// speaks of; with none it speaks of the whole tool. Deny and ask rules bind the effect, however it is spelt and
// whichever tool has it; allow rules are literal and hold for the named tools only.
type Rule struct {
	Tool    string   `toml:"tool"` // a name, a synonym, "prefix*", "mcp:SERVER", "mcp:*" or "*"
	Action  Verdict  `toml:"action"`
	Command string   `toml:"command"`        // exactly this command
	Prefix  []string `toml:"command_prefix"` // commands that begin with these words
	Pattern string   `toml:"pattern"`        // a glob over the words of a command; for file tools the same as Path
	Path    string   `toml:"path"`           // a glob, see CheckGlob; relative to the work directory, or absolute, or from ~/
	Host    string   `toml:"host"`           // a name, or *.NAME for all below it
	Reason  string   `toml:"reason"`
	Source  string   `toml:"-"` // where it is written: "config.toml:12", "--deny"
}

// ParseVerdict reads the action of a rule.
func ParseVerdict(word string) (Verdict, error) {
	for _, v := range [...]Verdict{Allow, Ask, Deny} {
		if word == v.String() {
			return v, nil
		}
	}
	return Ask, fmt.Errorf("action %q is not one of allow, ask, deny", word)
}

// UnmarshalText is ParseVerdict, for files.
func (v *Verdict) UnmarshalText(text []byte) (err error) {
	*v, err = ParseVerdict(string(text))
	return err
}

// ParseRule reads the form of the command line: a tool, or TOOL(WHAT). WHAT is a pattern for commands, where
// "X:*" is the prefix X; a glob for file tools; a host or "domain:HOST" for fetch_url.
func ParseRule(spec string, action Verdict) (Rule, error) {
	spec = strings.TrimSpace(spec)
	tool, what, parens := strings.Cut(spec, "(")
	r := Rule{Tool: strings.TrimSpace(tool), Action: action}
	if parens {
		inner, closed := strings.CutSuffix(what, ")")
		if !closed {
			return Rule{}, fmt.Errorf("rule %q has no closing parenthesis", spec)
		}
		if what = strings.TrimSpace(inner); what == "" {
			return Rule{}, fmt.Errorf("rule %q has nothing between its parentheses", spec)
		}
		tools, err := parseTools(r.Tool)
		if err != nil {
			return Rule{}, err
		}
		if r.fill(&tools, what); r.matchers() == 0 || r.Prefix != nil && len(r.Prefix) == 0 {
			return Rule{}, fmt.Errorf("rule %q names nothing", spec)
		}
	}
	return r, r.Check()
}

// fill puts what stands in parentheses where it belongs.
func (r *Rule) fill(tools *toolSet, what string) {
	domain, isDomain := strings.CutPrefix(what, "domain:")
	prefix, isPrefix := strings.CutSuffix(what, ":*")
	switch {
	case isDomain:
		r.Host = domain
	case tools.any(commandTools) && isPrefix:
		r.Prefix = strings.Fields(prefix)
	case tools.any(commandTools):
		r.Pattern = what
	case tools.any(hostTools):
		r.Host = what
	default:
		r.Path = what
	}
}

// String is the rule in the form of the command line, as far as that can say it.
func (r Rule) String() string {
	if what := r.what(); what != "" {
		return r.Tool + "(" + what + ")"
	}
	return r.Tool
}

// what is the matcher as people read it, empty for the whole tool.
func (r Rule) what() string {
	switch {
	case r.Prefix != nil:
		return strings.Join(r.Prefix, " ") + ":*"
	case r.Host != "":
		return "domain:" + r.Host
	}
	return r.Command + r.Pattern + r.Path
}

// Check returns an error if the rule cannot be understood, or is a deny rule that can match nothing.
func (r Rule) Check() error {
	tools, err := parseTools(r.Tool)
	if err != nil {
		return err
	}
	if r.matchers() > 1 {
		return errors.New("at most one of command, command_prefix, pattern, path and host")
	}
	if len(r.Pattern) > maxGlob || len(r.what()) > maxRule {
		return errors.New("it is too long")
	}
	if err := r.checkGlob(&tools); err != nil {
		return err
	}
	if dead := r.dead(&tools); dead != "" && r.Action == Deny {
		return fmt.Errorf("deny rule can match nothing: %s", dead)
	}
	return nil
}

// maxRule bounds what a rule may say, in bytes.
const maxRule = 16 << 10

func (r Rule) matchers() int {
	n := 0
	for _, set := range [...]bool{r.Command != "", r.Prefix != nil, r.Pattern != "", r.Path != "", r.Host != ""} {
		if set {
			n++
		}
	}
	return n
}

// glob is the glob of paths that the rule has, if it has one.
func (r Rule) glob(tools *toolSet) string {
	if r.Pattern != "" && !tools.any(commandTools) && (tools.any(readingTools) || tools.any(writingTools)) {
		return r.Pattern
	}
	return r.Path
}

func (r Rule) checkGlob(tools *toolSet) error {
	if glob := r.glob(tools); glob != "" {
		if err := CheckGlob(glob); err != nil {
			return err
		}
		if strings.ContainsRune(glob, 0) {
			return fmt.Errorf("%q is not a glob of paths", glob)
		}
	}
	if r.Host != "" {
		return checkHost(r.Host)
	}
	return nil
}
