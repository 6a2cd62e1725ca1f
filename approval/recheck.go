package approval

import (
	"cmp"
	"slices"
	"sync"
)

// Recheck holds what an approved action really does against the policy, part by part, when it happens: a program that is about to
// start, with its final arguments, or a file that a redirect is about to open. Nobody is asked any more. What the limits, a deny rule
// or a protected path forbid is denied; what an ask rule, a mode or a question would have stopped is denied unless the
// action that was decided about showed it. Everything else was a part of what was approved as a whole.
type Recheck struct {
	Approved *Action
	Scratch  []string // where programs may write although it is outside: their temporary directory and caches; absolute, links followed

	lost int // files that git does not track, deleted though that was not shown
}

// Decide decides about a part of the action by the policy of now. The verdict is Allow or Deny.
func (r *Recheck) Decide(p *Policy, now *Action) Decision {
	a := *now
	a.Tool, a.Text, a.Effects = r.Approved.Tool, "", now.Effects|Exec // whatever it is, a command does it
	c := &call{Action: &a, seen: sync.OnceValue(func() []Subject { return p.shownBy(r.Approved) })}
	subjects := slices.Clone(parts(now))
	lost := r.lost
	for i := range subjects {
		s := &subjects[i]
		if s.Effects == 0 {
			continue
		}
		if s.Effects |= p.consequences(c, *s); r.scratch(*s) {
			s.Effects &^= Outside
		}
		if s.Untracked > 0 && !c.shows(*s, anything) {
			lost += s.Untracked
		}
	}
	var d Decision
	for _, s := range subjects {
		if s.Untracked > 0 && lost > cmp.Or(p.MaxUntracked, DefaultMaxUntracked) {
			s.Effects |= Catastrophic
		}
		if d = p.through(checks[:], c, s, nil); d.Verdict == Deny {
			return d
		}
	}
	r.lost = lost
	return d
}

// shownBy are the subjects of an action with all that follows from them.
func (p *Policy) shownBy(a *Action) []Subject {
	c, seen := &call{Action: a}, slices.Clone(a.Subjects)
	tooMany := p.tooMany(seen)
	for i := range seen {
		s := &seen[i]
		if s.Effects |= p.consequences(c, *s); s.Untracked > 0 {
			s.Effects |= tooMany
		}
	}
	return seen
}

// scratch reports whether a subject is a file of the places that programs may write to anyway.
func (r *Recheck) scratch(s Subject) bool {
	return slices.ContainsFunc(r.Scratch, func(dir string) bool { return Within(s.Path, dir) })
}

// checks is the order of a decision about a part of what was approved.
var checks = [...]stage{
	{LayerWorkDir, (*Policy).workDir},
	{LayerProtected, (*Policy).protected},
	{LayerDeny, (*Policy).denied},
	{LayerMode, (*Policy).floorAgain},
	{LayerRules, (*Policy).ruledAgain},
	{LayerDefault, (*Policy).liftedAgain},
	{LayerPerson, (*Policy).approved},
}

// notShown ends the reasons of what would have been allowed if it had been known.
const notShown = ", and what was approved did not show it"

func (p *Policy) floorAgain(c *call, s Subject) *answer {
	got := p.modeFloor(c, s)
	if got == nil || c.shows(s, anything) || c.repeats() {
		return nil
	}
	got.reason += notShown
	return got
}

// ruledAgain denies what an ask rule speaks of, unless it spoke of the same when that was shown.
func (p *Policy) ruledAgain(c *call, s Subject) *answer {
	r := p.Rules
	if r == nil || p.SkipAll || c.fed(s) {
		return nil
	}
	i := r.search(&r.others, c, s)
	switch {
	case i == none:
	case r.list[i].matchers() == 0: // it spoke of the action already
		return nil
	case r.list[i].Action == Ask:
		if !c.shows(s, func(o Subject) bool { return r.speaks(i, c, o) }) {
			return &answer{verdict: Deny, reason: r.list[i].reasonText() + notShown, rule: r.list[i].name()}
		}
		return nil
	case r.explains(i, c, s):
		return nil
	}
	doubt := r.below(s)
	if p.Mode == ModeBypass { // where nobody looked at the line either
		doubt = r.suspicion(s)
	}
	if doubt != "" && !c.shows(s, func(o Subject) bool { return r.suspicion(o) == doubt }) {
		return &answer{verdict: Deny, reason: doubt + notShown}
	}
	if p.Mode == ModeBypass && r.commands && !s.followed() && !c.shows(s, func(o Subject) bool { return !o.followed() }) {
		return &answer{verdict: Deny, reason: why(s, "what it starts cannot be held against the rules") + notShown}
	}
	return nil
}

// speaks reports whether a rule for commands or paths speaks of a subject, whether another comes first or not.
func (r *Rules) speaks(i int, c *call, s Subject) bool {
	rule := &r.list[i]
	switch {
	case rule.shape != nil:
		return r.speaksOfCommand(i, c, s)
	case rule.path != nil:
		names := namesOf(s, r.at, true)
		return s.Path != "" && rule.path.speaks(s, &names)
	}
	return false
}

// liftedAgain denies what only a person, bypass or a rule that names the path could have allowed, if none of them did.
func (p *Policy) liftedAgain(c *call, s Subject) *answer {
	risk := s.Effects & (Outside | Secret | Catastrophic)
	switch {
	case s.Effects == 0:
		return &answer{verdict: Deny, reason: s.reason()}
	case p.SkipAll:
		return nil
	case p.Mode == ModeBypass:
		risk &= Catastrophic
	}
	if risk == 0 || c.fed(s) || c.shows(s, func(o Subject) bool { return o.Effects&risk == risk }) {
		return nil
	}
	if r := p.Rules; r != nil && !risk.Has(Catastrophic) {
		if i := r.search(&r.others, c, s); i != none && r.list[i].Action == Allow {
			return nil
		}
	}
	return &answer{verdict: Deny, reason: s.reason() + notShown}
}

func (p *Policy) approved(*call, Subject) *answer {
	return &answer{verdict: Allow, reason: "it is a part of what was approved"}
}

// shows reports whether the approved action has a subject that shows another one, and of which more is true.
func (c *call) shows(s Subject, also func(Subject) bool) bool {
	return slices.ContainsFunc(c.seen(), func(o Subject) bool { return o.shows(s) && also(o) })
}

func anything(Subject) bool { return true }

// repeats reports whether the command that is about to start was shown word for word, so that it is of the same kind, whatever feeds it.
func (c *call) repeats() bool {
	first := parts(c.Action)[0]
	return first.Args != nil && c.shows(first, func(o Subject) bool { return slices.Equal(o.Args, first.Args) && o.Command.closed() })
}

// fed reports whether a subject is what commands would read if they were given nothing, and they were shown to be given something.
func (c *call) fed(s Subject) bool {
	return s.Effects.Has(Read) && len(s.By) > 0 && !slices.ContainsFunc(s.By, func(by *Command) bool {
		command, ok := c.subject(by)
		return !ok || !c.shows(command, func(o Subject) bool { return slices.Equal(o.Args, command.Args) && o.Command != nil && o.Command.Fed })
	})
}

// shows reports whether who has seen a subject before it happened has seen another one too: the same command in the same
// directory, as far as they were known, or what happens to the same path. A directory that is removed or read stands for all in it.
func (s Subject) shows(other Subject) bool {
	if other.Args != nil {
		return s.Args != nil && s.Command.covers(s.Args, other.Args) && s.Command.mayRunIn(other.Command)
	}
	what := other.Effects & (Read | Write | Delete)
	if s.Path == "" || what == 0 || s.Effects&what != what {
		return false
	}
	whole := what == Delete || what == Read && s.Tree
	return s.Path == other.Path || whole && Within(other.Path, s.Path)
}

// mayRunIn reports whether a command may be meant to run where another one does.
func (c *Command) mayRunIn(other *Command) bool {
	return c == nil || other == nil || c.Dir == "" || c.Dir == other.Dir
}

// closed reports whether all of a command's words are known.
func (c *Command) closed() bool { return c != nil && len(c.Open) == 0 }

// covers reports whether words may become the given ones. What is open stands for any number of words; the program never is.
func (c *Command) covers(words, given []string) bool {
	if c == nil || len(c.Open) == 0 || len(words) == 0 || c.Open[0] == 0 {
		return slices.Equal(words, given)
	}
	w, g, star, from := 0, 0, -1, 0
	for g < len(given) {
		switch {
		case w < len(words) && slices.Contains(c.Open, w):
			star, from = w, g
			w++
		case w < len(words) && words[w] == given[g]:
			w++
			g++
		case star >= 0:
			from++
			w, g = star+1, from
		default:
			return false
		}
	}
	for w < len(words) && slices.Contains(c.Open, w) {
		w++
	}
	return w == len(words)
}
