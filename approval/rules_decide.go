package approval

import (
	"slices"
	"strings"
)

// denied is the deny rule that speaks of a subject.
func (p *Policy) denied(c *call, s Subject) *answer {
	if p.Rules == nil {
		return nil
	}
	if i := p.Rules.search(&p.Rules.denials, c, s); i != none {
		return &answer{Deny, p.Rules.list[i].reasonText()}
	}
	return nil
}

// Hides reports whether a deny rule forbids to read a path: tools that walk directories leave it out.
func (p *Policy) Hides(s Subject) bool {
	s.Effects |= Read
	return p.denied(&call{Action: &Action{}}, s) != nil
}

// ruled is what ask and allow rules say of a subject, then the defaults of its tool.
func (p *Policy) ruled(c *call, s Subject) *answer {
	if p.Rules == nil {
		return nil
	}
	r := p.Rules
	i := r.search(&r.others, c, s)
	if doubt := r.doubt(c, s); doubt != "" && (i == none || !r.explains(i, c, s)) {
		return &answer{p.Default, doubt}
	}
	if i != none {
		return &answer{r.list[i].Action, r.list[i].reasonText()}
	}
	if got := r.usual(c.Tool, s); got != nil {
		return got
	}
	return r.owned(c, s)
}

// stops reports whether bypass does not allow a subject: an ask rule speaks of it, or deny and ask rules for commands
// cannot tell whether they do.
func (p *Policy) stops(c *call, s Subject) bool {
	r := p.Rules
	if r == nil {
		return false
	}
	if i := r.search(&r.others, c, s); i != none && (r.list[i].Action == Ask || r.explains(i, c, s)) {
		return r.list[i].Action == Ask
	}
	return r.doubt(c, s) != ""
}

// search returns the first rule of an index that speaks of a subject.
func (r *Rules) search(x *index, c *call, s Subject) int {
	best := first(x.tools[c.Tool], none, func(i int) bool { return r.lifts(i, c, s) })
	best = first(x.anyTool, best, func(i int) bool { return r.list[i].tools.has(c.Tool) && r.lifts(i, c, s) })
	if s.Args != nil || c.Text != "" {
		best = r.searchCommands(x, c, s, best)
	}
	if s.Path != "" {
		best = r.searchPaths(x, c, s, best)
	}
	if s.Host != "" {
		best = first(x.hosts, best, func(i int) bool { return matchHost(r.list[i].host, s.Host) && r.holds(i, c, s) })
	}
	return best
}

// lifts reports whether a rule, which speaks of the subject, may decide it: an allow rule for a whole tool, host or
// command lifts no more than what is said in the documentation.
func (r *Rules) lifts(i int, c *call, s Subject) bool {
	if r.list[i].Action != Allow {
		return true
	}
	return s.Effects != 0 && !s.Effects.Has(ExecOpaque|Catastrophic|Secret|Outside)
}

// holds is lifts for a rule whose tool matters only if it allows.
func (r *Rules) holds(i int, c *call, s Subject) bool {
	return r.list[i].Action != Allow || r.list[i].tools.has(c.Tool) && r.lifts(i, c, s)
}

func (r *Rules) searchCommands(x *index, c *call, s Subject, best int) int {
	matches := func(i int) bool { return r.speaksOfCommand(i, c, s) }
	best = first(x.commands, best, matches)
	if len(s.Args) > 0 {
		program, _ := programOf(s.Args)
		best = first(x.programs[program], best, matches)
	}
	if c.Text != "" { // rules for one whole line are found by its first word
		words, _ := splitWords(strings.TrimSpace(c.Text))
		if len(words) > 0 && (len(s.Args) == 0 || words[0] != s.Args[0]) {
			program, _ := programOf(words)
			best = first(x.programs[program], best, func(i int) bool { return r.isLine(i, c) && r.liftsLine(i, c, s) })
		}
	}
	return best
}

// speaksOfCommand reports whether a command-shaped rule speaks of a subject.
func (r *Rules) speaksOfCommand(i int, c *call, s Subject) bool {
	rule := &r.list[i]
	if r.isLine(i, c) && r.liftsLine(i, c, s) {
		return true
	}
	if len(s.Args) == 0 {
		return false
	}
	if rule.Action == Allow {
		return rule.tools.has(c.Tool) && r.lifts(i, c, s) && r.covered(rule.shape, s)
	}
	var plainArgs []string
	if s.Command != nil {
		plainArgs = s.Command.Plain
	}
	return rule.shape.speaks(s.Args, plainArgs, r.at)
}

// covered reports whether an allow rule covers a command: literally, and none that is more than its words say.
func (r *Rules) covered(sh *shape, s Subject) bool {
	cmd := s.Command
	if cmd == nil || cmd.Assigned || cmd.Elsewhere || cmd.Foreign {
		return false
	}
	return sh.covers(s.Args) && (!cmd.Runs || cmd.Inside == 0 && sh.spells(s.Args))
}

// isLine reports whether a rule names the whole command line.
func (r *Rules) isLine(i int, c *call) bool {
	rule := &r.list[i]
	return c.Text != "" && rule.shape.text != "" && rule.shape.text == strings.TrimSpace(c.Text)
}

// liftsLine reports whether a rule that names the whole line may decide a part of it.
func (r *Rules) liftsLine(i int, c *call, s Subject) bool {
	rule := &r.list[i]
	switch {
	case rule.Action != Allow:
		return true
	case !rule.tools.has(c.Tool) || s.Effects == 0 || s.Effects.Has(Catastrophic):
		return false
	case s.Command != nil && s.Command.Foreign && len(s.Args) > 0 && !strings.Contains(s.Args[0], "/"):
		return false
	}
	return !s.Effects.Has(ExecOpaque) || !r.commands
}

func (r *Rules) searchPaths(x *index, c *call, s Subject, best int) int {
	folded := namesOf(s, r.at, true)
	matches := func(i int) bool {
		rule := &r.list[i]
		if rule.Action != Allow {
			return rule.path.speaks(s, &folded)
		}
		return rule.tools.has(c.Tool) && s.Effects != 0 && !s.Effects.Has(ExecOpaque|Catastrophic) && rule.path.covers(s, r.at)
	}
	best = first(x.anyPath, best, matches)
	if s.Effects.Has(Delete) { // what a directory holds goes with it
		for _, list := range x.paths {
			best = first(list, best, matches)
		}
		return best
	}
	for _, n := range folded.list[:folded.n] {
		best = first(x.paths[firstComponent(n.text)], best, matches)
	}
	return best
}

// usual is the default of a tool.
func (r *Rules) usual(tool string, s Subject) *answer {
	for _, d := range r.defaults {
		if !d.tools.has(tool) {
			continue
		}
		if d.verdict == Allow && (s.Effects == 0 || s.Effects.Has(ExecOpaque|Catastrophic|Secret|Outside)) {
			return nil
		}
		return &answer{d.verdict, d.verdict.String() + " rule " + d.name + " (" + toolsTable + ")"}
	}
	return nil
}

// owned allows a file inside the work directory to the commands that name it, where rules allow all of them.
func (r *Rules) owned(c *call, s Subject) *answer {
	if len(s.By) == 0 || s.Rel == "" || s.Effects == 0 || s.Effects.Has(ExecOpaque|Catastrophic|Secret|Outside) {
		return nil
	}
	var allowed *answer
	for _, cmd := range s.By {
		i := slices.IndexFunc(c.Subjects, func(o Subject) bool { return o.Command == cmd })
		if i < 0 {
			return nil
		}
		o := c.Subjects[i]
		if o.Effects.Only(Read) && cmd.Runs && baseName(o.Args[0]) != "find" { // a wrapper adds nothing to what it runs
			continue
		}
		j := r.search(&r.others, c, o)
		if j == none || r.list[j].Action != Allow {
			return nil
		}
		allowed = &answer{Allow, r.list[j].reasonText()}
	}
	return allowed
}

// doubt says why deny and ask rules cannot tell whether they speak of a subject, empty if they can.
func (r *Rules) doubt(c *call, s Subject) string {
	if s.Tree {
		if reason := r.below(s); reason != "" {
			return reason
		}
	}
	if !r.commands || s.Args == nil && !s.Effects.Has(ExecOpaque) {
		return ""
	}
	if s.Effects == 0 || s.Effects.Has(ExecOpaque) {
		return why(s, "what it does cannot be known beforehand")
	}
	if s.Command == nil || len(s.Args) == 0 {
		return ""
	}
	if s.Command.Unlisted {
		for _, w := range s.Args[1:] {
			if program := r.named(w); program != "" {
				return s.Args[0] + " may run " + program + ", which rules speak of"
			}
		}
	}
	return r.alias(s)
}

// below says that a subject reads a directory that holds what a rule speaks of.
func (r *Rules) below(s Subject) string {
	all := namesOf(s, r.at, true)
	for i := range r.list {
		rule := &r.list[i]
		if rule.path != nil && rule.Action != Allow && rule.path.touches(&all) {
			return "reads what may lie below " + s.Path + ": " + rule.reasonText()
		}
	}
	return ""
}

// named returns the program in a word that deny or ask rules speak of. The word may be a command line itself.
func (r *Rules) named(word string) string {
	if strings.ContainsAny(word, unquoted) {
		word = strings.NewReplacer("'", "", `"`, "", `\`, "").Replace(word)
	}
	for w := range strings.FieldsFuncSeq(word, separates) {
		if program := baseName(w); r.programs[program] && (w[0] == '/' || !strings.Contains(w, "/")) {
			return program
		}
	}
	return ""
}

// unquoted are the characters that a shell takes out of words.
const unquoted = "'\"\\"

// separates reports whether a character ends a word of a command line, or an option before its value.
func separates(c rune) bool { return strings.ContainsRune(" \t\n;|&()`=", c) }

// alias says that a subcommand of git may be an alias of one that rules speak of.
func (r *Rules) alias(s Subject) string {
	args := s.Args
	if s.Command.Plain != nil {
		args = s.Command.Plain
	}
	program, words := programOf(args)
	if program != "git" || !r.programs["git"] || len(words) == 0 || strings.HasPrefix(words[0], "-") || strings.Contains(gitCommands, " "+words[0]+" ") {
		return ""
	}
	return "git " + words[0] + " may be an alias of what rules speak of"
}

// explains reports whether a rule settles a doubt: an allow rule that names the whole line where no other rule speaks of
// commands, or that spells the words in doubt; an ask rule asks anyway.
func (r *Rules) explains(i int, c *call, s Subject) bool {
	rule := &r.list[i]
	switch {
	case rule.Action == Ask:
		return true
	case rule.shape == nil || s.Tree || s.Effects == 0 || s.Effects.Has(ExecOpaque):
		return false
	case r.isLine(i, c):
		return true
	}
	for _, w := range s.Args[1:] {
		if r.named(w) != "" && !slices.Contains(rule.shape.words, w) {
			return false
		}
	}
	return r.alias(s) == ""
}
