package approval

import (
	"fmt"
	"slices"
)

// Policy decides about actions. It does no I/O and knows no clock, so the same policy and action always give the
// same decision. The zero Policy asks about everything but reading.
type Policy struct {
	Mode         Mode
	Tools        []string // the tools that may be used; nil for all
	WorkDir      string   // absolute, links followed
	Home         string   // the person's home directory, absolute; may be empty
	Own          []string // what nothing may write to: tricode's own configuration and state, programs of hooks; absolute
	Private      []string // what only a person lets be read: tricode's own configuration and state; absolute
	Protected    []string // globs of paths that nothing may write to, see CheckGlob; relative to the work directory, or absolute
	Default      Verdict  // the answer where nothing else has one: ask or deny
	Planned      bool     // what nothing else has an answer to is denied, because a plan that was reviewed says all that is allowed
	MaxUntracked int      // how many untracked files one action may delete before it is catastrophic; 0 for 50
	SkipAll      bool     // --dangerously-skip-permissions: nothing is asked at all
	Unlimited    bool     // --bypass-work-directory-limit: layer 2 is lifted
	Rules        *Rules   // nil for none
}

// DefaultMaxUntracked is what a MaxUntracked of 0 stands for.
const DefaultMaxUntracked = 50

// Decide judges an action: each subject by itself, the strictest answer counts. memory may be nil.
func (p *Policy) Decide(a *Action, memory *Memory) Decision { return p.decide(a, memory, nil) }

// decide is Decide with what hooks said; nil if none was asked.
func (p *Policy) decide(a *Action, memory *Memory, hooks *Opinion) Decision {
	subjects := parts(a)
	c := &call{Action: a, memory: memory, hooks: hooks, refused: memory.denied(a)}
	d := Decision{Verdict: Allow, Effects: a.Effects, negotiable: true, Trace: make([]Step, 0, len(subjects)*len(layers))}
	tooMany := p.tooMany(subjects)
	for i, s := range subjects {
		if s.Effects != 0 {
			s.Effects |= p.consequences(c, s)
			if s.Untracked > 0 {
				s.Effects |= tooMany
			}
			if tooMany == 0 {
				s.Untracked = 0 // so that the reason does not speak of it
			}
			d.Effects |= s.Effects
		}
		one := p.through(layers[:], c, s, d.Trace)
		d.Trace, d.negotiable = one.Trace, d.negotiable && p.negotiable(c, s, one)
		if i == 0 || stricter(d.Verdict, one.Verdict) != d.Verdict || d.Verdict == Ask && one.Verdict == Ask && d.Reason == "" {
			d.Verdict, d.Layer, d.Rule, d.Reason, d.By = one.Verdict, one.Layer, one.Rule, one.Reason, one.By
		}
	}
	if union(subjects) == 0 {
		d.Effects = 0
	}
	if a.Confirm && !p.SkipAll {
		d = d.confirmed()
	}
	return d
}

// confirmed leaves what would be allowed to a person, and to nobody else what would be asked about.
func (d Decision) confirmed() Decision {
	d.negotiable = false
	if d.Verdict == Allow {
		d.Verdict, d.Layer, d.Reason = Ask, LayerDefault, "what it changed is known only now"
		d = d.also(Step{Layer: d.Layer, Verdict: d.Verdict.String(), Reason: d.Reason})
	}
	return d
}

// parts are the subjects of an action, of which there is at least one.
func parts(a *Action) []Subject {
	if len(a.Subjects) == 0 {
		return []Subject{{Effects: a.Effects}}
	}
	return a.Subjects
}

// call is an action with what the run remembers and what hooks said about it.
type call struct {
	*Action
	memory   *Memory
	refused  bool             // a person denied the same before
	hooks    *Opinion         // what they said; nil: none was asked
	seen     func() []Subject // at execution, what the approved action showed
	commands map[*Command]int // the subjects that are commands, once somebody asked
}

// subject finds the subject of a command.
func (c *call) subject(cmd *Command) (Subject, bool) {
	if c.commands == nil {
		c.commands = make(map[*Command]int, len(c.Subjects))
		for i, s := range c.Subjects {
			c.commands[s.Command] = i
		}
	}
	i, ok := c.commands[cmd]
	if !ok || cmd == nil {
		return Subject{}, false
	}
	return c.Subjects[i], true
}

// answer is what a layer says; layers without one return nil.
type answer struct {
	verdict Verdict
	reason  string
	rule    string // the name of the rule that says it; empty if none does
}

// stage is a layer and what it says.
type stage struct {
	layer  Layer
	decide func(*Policy, *call, Subject) *answer
}

// layers is the order of a decision. The person comes from the gate.
var layers = [...]stage{
	{LayerTools, (*Policy).toolList},
	{LayerWorkDir, (*Policy).workDir},
	{LayerProtected, (*Policy).protected},
	{LayerDeny, (*Policy).deny},
	{LayerMode, (*Policy).modeFloor},
	{LayerHooks, (*Policy).hooks},
	{LayerBypass, (*Policy).bypass},
	{LayerRules, (*Policy).ruled},
	{LayerSession, (*Policy).session},
	{LayerBuiltin, (*Policy).builtin},
	{LayerDefault, (*Policy).fallback},
}

// through asks stages about one subject until one has an answer. The trace goes on with them.
func (p *Policy) through(stages []stage, c *call, s Subject, trace []Step) Decision {
	d := Decision{Effects: s.Effects, Trace: trace}
	name := s.String()
	for _, l := range stages {
		if l.layer == LayerHooks && c.hooks == nil {
			continue
		}
		got := l.decide(p, c, s)
		step := Step{Layer: l.layer, Verdict: "-", Subject: name}
		if got != nil {
			step.Verdict, step.Reason = got.verdict.String(), got.reason
		}
		d.Trace = append(d.Trace, step)
		if got != nil {
			d.Verdict, d.Layer, d.Rule, d.Reason = got.verdict, l.layer, got.rule, got.reason
			if l.layer == LayerHooks {
				d.By = ByHook
			}
			return d
		}
	}
	return d
}

func (p *Policy) toolList(c *call, _ Subject) *answer {
	if p.Tools == nil || slices.Contains(p.Tools, c.Tool) {
		return nil
	}
	return &answer{verdict: Deny, reason: c.Tool + " is not on the list of tools of this run"}
}

func (p *Policy) workDir(c *call, s Subject) *answer {
	switch {
	case p.Unlimited || !s.Effects.Has(Outside):
		return nil
	case c.command() && !s.Effects.Has(Write|Delete):
		return nil
	}
	return &answer{verdict: Deny, reason: s.Path + " is outside the work directory " + p.WorkDir}
}

func (p *Policy) protected(_ *call, s Subject) *answer {
	switch {
	case s.Effects.Has(Protected):
		return &answer{verdict: Deny, reason: s.Path + " is protected from writing"}
	case s.Host != "" && privateHost(s.Host):
		return &answer{verdict: Deny, reason: s.Host + " is a private or loopback address"}
	}
	return nil
}

func (p *Policy) deny(c *call, s Subject) *answer {
	if got := p.denied(c, s); got != nil {
		return got
	}
	if c.refused {
		return &answer{verdict: Deny, reason: "a person denied the same before"}
	}
	return nil
}

func (p *Policy) modeFloor(_ *call, s Subject) *answer {
	if (p.Mode == ModePlan || p.Mode == ModeReadOnly) && !s.Effects.Only(Read) {
		return &answer{verdict: Deny, reason: fmt.Sprintf("mode %s only reads", p.Mode)}
	}
	return nil
}

func (p *Policy) bypass(c *call, s Subject) *answer {
	switch {
	case p.SkipAll:
		return &answer{verdict: Allow, reason: "permissions are skipped"}
	case p.Mode == ModeBypass && !s.Effects.Has(Catastrophic) && !p.stops(c, s):
		return &answer{verdict: Allow, reason: "mode bypass"}
	}
	return nil
}

// beyond are the effects that neither a mode nor an answer for the whole session lifts.
const beyond = ExecOpaque | Dangerous | History | Outside | Secret | HardLink | Catastrophic

// Personal reports whether only a person's word for this one call, or a rule that names it, should lift a question about
// the action, whose effects a decision told.
func (a *Action) Personal(e Effects) bool {
	return e == 0 || e.Has(beyond) || slices.ContainsFunc(a.Subjects, func(s Subject) bool { return len(s.needs()) > 0 })
}

func (p *Policy) session(c *call, s Subject) *answer {
	switch {
	case !c.memory.allowed(c.Action) || s.Effects == 0 || s.Effects.Has(beyond):
		return nil
	case c.command() && s.Effects.Has(Delete), len(s.needs()) > 0:
		return nil
	}
	return &answer{verdict: Allow, reason: c.Tool + " is allowed for this session"}
}

func (p *Policy) builtin(c *call, s Subject) *answer {
	switch {
	case s.Effects.Only(Read):
		return &answer{verdict: Allow, reason: "it only reads"}
	case p.Mode == ModeAcceptEdits && s.Path != "" && s.Effects.Only(Write) && c.Effects.Only(Read|Write) && !c.command():
		return &answer{verdict: Allow, reason: "mode accept_edits"}
	}
	return nil
}

func (p *Policy) fallback(c *call, s Subject) *answer {
	switch {
	case p.Planned:
		return &answer{verdict: Deny, reason: "the plan does not allow it"}
	case p.Default == Deny && !c.Confirm:
		return &answer{verdict: Deny, reason: "the default is to deny"}
	}
	return &answer{verdict: Ask, reason: s.reason()}
}

// command reports whether the action starts programs.
func (a *Action) command() bool {
	return a.Effects.Has(Exec|ExecProject|ExecOpaque) ||
		slices.ContainsFunc(a.Subjects, func(s Subject) bool { return s.Args != nil })
}
