package approval

import (
	"fmt"
	"path"
	"strings"
)

// denied is the deny rule that speaks of a subject.
func (p *Policy) denied(c *call, s Subject) *answer {
	if p.Rules == nil {
		return nil
	}
	if i := p.Rules.search(&p.Rules.denials, c, s); i != none {
		return &answer{verdict: Deny, reason: p.Rules.list[i].reasonText(), rule: p.Rules.list[i].name()}
	}
	return nil
}

// Hides reports whether a deny rule forbids to read a path, or it is tricode's own: tools that walk directories leave it out.
func (p *Policy) Hides(s Subject) bool {
	s.Effects |= Read
	return p.isPrivate(s) || p.denied(&call{Action: &Action{}}, s) != nil
}

// Guards reports whether a deny or ask rule speaks of reading the file at an absolute path.
func (p *Policy) Guards(name string) bool {
	return p.Rules != nil && p.Rules.paths && p.Rules.pathRule(name, false, false) != nil
}

// ruled is what ask and allow rules say of a subject, then the defaults of its tool.
func (p *Policy) ruled(c *call, s Subject) *answer {
	if p.Rules == nil {
		return nil
	}
	r := p.Rules
	i := r.search(&r.others, c, s)
	if doubt := r.doubt(c, s); doubt != "" && (i == none || !r.explains(i, c, s)) {
		return &answer{verdict: p.unsure(), reason: doubt}
	}
	if i != none {
		return &answer{verdict: r.list[i].Action, reason: r.list[i].reasonText(), rule: r.list[i].name()}
	}
	if got := r.usual(c.Tool, s); got != nil {
		return got
	}
	return r.owned(c, s)
}

// unsure is the answer about what may be what a rule forbids.
func (p *Policy) unsure() Verdict {
	if p.Default == Deny {
		return Deny
	}
	return Ask
}

// stops reports whether bypass does not allow a subject: an ask rule speaks of it, deny and ask rules for commands cannot tell
// whether they do, or it may write what the configuration protects.
func (p *Policy) stops(c *call, s Subject) bool {
	if p.mayHitProtected(s) {
		return true
	}
	r := p.Rules
	if r == nil {
		return false
	}
	if i := r.search(&r.others, c, s); i != none && (r.list[i].Action == Ask || r.explains(i, c, s)) {
		return r.list[i].Action == Ask
	}
	if c.Rechecked && r.commands && s.Effects != 0 && s.followed() { // what cannot be known is known when it happens
		return r.suspicion(s) != ""
	}
	return r.doubt(c, s) != ""
}

// followed reports whether all that a command starts is held against the policy once more when it happens: what a shell starts
// is, what another interpreter starts is not, nor what a shell starts that another program has started.
func (s Subject) followed() bool {
	c := s.Command
	if !s.Effects.Has(ExecOpaque) || c == nil {
		return true
	}
	switch path.Base(c.Program) {
	case "sh", "bash", "dash":
		return c.Inside == 0
	case ".": // what the shell does itself, or what is not known yet; a program that is not there may come to be
		return c.Inside == 0 && !c.Foreign
	}
	return len(c.Open) > 0 // it is looked at again when its words are known, and what it is is known
}

// search returns the first rule of an index that speaks of a subject.
func (r *Rules) search(x *index, c *call, s Subject) int {
	best := first(x.tools[c.Tool], none, func(i int) bool { return r.list[i].decides(c, s) })
	best = first(x.anyTool, best, func(i int) bool { return r.list[i].tools.has(c.Tool) && r.list[i].decides(c, s) })
	if s.Args != nil || c.Text != "" {
		best = r.searchCommands(x, c, s, best)
	}
	if s.Path != "" {
		best = r.searchPaths(x, c, s, best)
	}
	if len(x.hosts) > 0 {
		best = r.searchHosts(x, c, s, best)
	}
	return best
}

// decides reports whether a rule that speaks of a subject may decide it. Deny and ask rules always may; an allow rule
// that names neither the path nor the whole line allows its own tools what is liftable.
func (r *rule) decides(c *call, s Subject) bool {
	return r.Action != Allow || r.tools.has(c.Tool) && s.liftable()
}

// liftable reports whether an allow rule can allow a subject without naming its path or the whole line.
func (s Subject) liftable() bool {
	return s.Effects != 0 && !s.Effects.Has(ExecOpaque|Catastrophic|Secret|Outside)
}

func (r *Rules) searchCommands(x *index, c *call, s Subject, best int) int {
	matches := func(i int) bool { return r.speaksOfCommand(i, c, s) }
	best = first(x.commands, best, matches)
	if len(s.Args) > 0 {
		program, _ := programOf(s.Args)
		best = first(x.programs[program], best, matches)
	}
	if c.Text != "" && x.lines { // rules for one whole line are found by its first word
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
		return rule.decides(c, s) && rule.shape.allows(s)
	}
	return rule.shape.speaks(s.Args, r.at) || s.Command != nil && s.Command.Plain != nil && rule.shape.speaks(s.Command.Plain, r.at)
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

func (r *Rules) searchHosts(x *index, c *call, s Subject, best int) int {
	if s.Host != "" {
		return first(x.hosts, best, func(i int) bool { return matchHost(r.list[i].host, s.Host) && r.list[i].decides(c, s) })
	}
	for _, host := range hostsOf(s.plainArgs()) {
		best = first(x.hosts, best, func(i int) bool { return r.list[i].Action != Allow && matchHost(r.list[i].host, host) })
	}
	return best
}

// usual is the default of a tool.
func (r *Rules) usual(tool string, s Subject) *answer {
	for _, d := range r.defaults {
		if !d.tools.has(tool) {
			continue
		}
		if d.Action == Allow && !s.liftable() {
			return nil
		}
		said := fmt.Sprintf("%s = %q in [permissions.tools]", d.Tool, d.Action)
		if d.Source != "" {
			said += " (" + d.Source + ")"
		}
		return &answer{verdict: d.Action, reason: said, rule: said}
	}
	return nil
}

// owned allows a file inside the work directory to the commands that name it, where rules allow all of them.
func (r *Rules) owned(c *call, s Subject) *answer {
	if len(s.By) == 0 || s.Rel == "" || !s.liftable() {
		return nil
	}
	var allowed *answer
	for _, cmd := range s.By {
		o, ok := c.subject(cmd)
		if !ok || len(o.Args) == 0 {
			return nil
		}
		if o.Effects.Only(Read) && cmd.Runs && baseName(o.Args[0]) != "find" { // a wrapper adds nothing to what it runs
			continue
		}
		j := r.search(&r.others, c, o)
		if j == none || r.list[j].Action != Allow {
			return nil
		}
		allowed = &answer{verdict: Allow, reason: r.list[j].reasonText(), rule: r.list[j].name()}
	}
	return allowed
}
