package ask

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fatih/color"

	"tricode/approval"
	"tricode/approval/plain"
)

// question is an action as a person sees it.
type question struct {
	action   *approval.Action
	decision approval.Decision
	width    int // columns of the terminal
	color    bool
}

// limits bound what is shown before somebody asks for all of it; 0 is no limit.
type limits struct {
	values, sections int // how many
	value, section   limit
	diff             limit
}

var (
	brief = limits{values: 24, value: limit{rows: 20}, sections: 8, section: limit{rows: 40, ofLine: 4}, diff: limit{rows: 40}}
	whole = limits{}
)

const bar = "============================================================"

// text is the whole question up to the prompt.
func (q *question) text(l limits) string {
	s := sheet{width: q.width}
	tool := plain.Cut(q.action.Tool, maxName)
	s.print(bar, "⚠️  DESTRUCTIVE OPERATION REQUESTED", bar, "Tool: "+tool, "Arguments:")
	q.arguments(&s, l)
	q.sections(&s, l)
	q.links(&s, l)
	if q.decision.Reason != "" {
		s.block("Reason: ", "  ", strings.Split(plain.Text(q.decision.Reason), "\n"), l.value, nil)
	}
	s.print(bar, "Options:",
		"  1 - Allow this operation (once)",
		"  2 - Allow all future "+tool+" operations in this session"+q.except(),
		"  3 - Deny and terminate agent", bar)
	return s.String()
}

// except says what 2 does not reach: for programs always, for other tools where this call is of that kind.
func (q *question) except() string {
	e := q.action.Effects | q.decision.Effects
	runs := func(s approval.Subject) bool { return s.Args != nil }
	if e == 0 || e.Has(approval.Exec|approval.ExecProject|approval.ExecOpaque) || slices.ContainsFunc(q.action.Subjects, runs) {
		return " (what deletes, is secret or unclear still asks)"
	}
	var kinds []string
	for _, k := range [...]struct {
		effect approval.Effects
		name   string
	}{
		{approval.Secret, "secret"}, {approval.Outside, "outside"}, {approval.HardLink, "hard-linked"},
		{approval.Catastrophic, "catastrophic"},
	} {
		if e.Has(k.effect) {
			kinds = append(kinds, k.name)
		}
	}
	if kinds == nil {
		return ""
	}
	return " (what is " + strings.Join(kinds, " or ") + " still asks)"
}

// maxName is how many columns a name may take.
const maxName = 60

func (q *question) arguments(s *sheet, l limits) {
	all := q.action.Preview.Arguments
	if len(all) == 0 {
		s.print("  (none)")
	}
	for i, a := range all {
		if l.values > 0 && i == l.values {
			s.print(fmt.Sprintf("  … %s more arguments: v shows all", plain.Count(len(all)-i)))
			return
		}
		name := "  " + plain.Cut(a.Name, maxName) + ":"
		if strings.Contains(strings.TrimSuffix(a.Value, "\n"), "\n") {
			s.print(name)
			lines := strings.Split(strings.TrimSuffix(plain.Text(a.Value), "\n"), "\n")
			s.block("    ", "    ", lines, l.value, nil)
		} else if a.Value == "" {
			s.print(name)
		} else {
			s.block(name+" ", "    ", []string{plain.Line(a.Value)}, l.value, nil)
		}
	}
}

func (q *question) sections(s *sheet, l limits) {
	all := q.action.Preview.Sections
	for i, section := range all {
		if l.sections > 0 && i == l.sections {
			s.print(fmt.Sprintf("… %s more sections: v shows all", plain.Count(len(all)-i)))
			return
		}
		lines := make([]string, len(section.Lines))
		for i, line := range section.Lines {
			// a line end inside of a line would make two of one
			lines[i] = plain.Text(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\n", `\n`))
		}
		title := plain.Cut(section.Title, maxName) + ":"
		if len(lines) == 1 && !section.Diff {
			s.block(title+" ", "  ", lines, l.section, nil)
			continue
		}
		s.print(title)
		if section.Diff {
			s.block("  ", "  ", lines, l.diff, q.paint())
		} else {
			s.block("  ", "  ", lines, l.section, nil)
		}
	}
}

// links says where paths lead that are not what they look like.
func (q *question) links(s *sheet, l limits) {
	var lines []string
	for _, subject := range q.action.Subjects {
		if line := plain.Line(subject.Via + " -> " + subject.Path); subject.Via != "" && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if lines != nil {
		s.print("Links:")
		s.block("  ", "  ", lines, l.section, nil)
	}
}

// paint is what colours a diff; nil for no colour.
func (q *question) paint() func(string) *color.Color {
	if !q.color {
		return nil
	}
	return diffColor
}

// diffColor is the colour of a line of a unified diff; nil is none.
func diffColor(line string) *color.Color {
	var c *color.Color
	switch {
	case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
		c = color.New(color.Bold)
	case strings.HasPrefix(line, "+"):
		c = color.New(color.FgGreen)
	case strings.HasPrefix(line, "-"):
		c = color.New(color.FgRed)
	case strings.HasPrefix(line, "@@"):
		c = color.New(color.FgCyan)
	default:
		return nil
	}
	c.EnableColor() // whether to colour was decided already; the library looks at standard output
	return c
}

// reply answers a line that decides nothing.
func (q *question) reply(line string) string {
	switch strings.ToLower(line) {
	case "?":
		return answers
	case "v":
		return q.text(whole)
	case "w":
		return q.why()
	}
	return "Type 1, 2 or 3 and press Enter; ? lists all answers.\n"
}

const answers = `  1         allow this operation, once
  2         allow it, and what this tool does later in this session
  3         deny it and end the run; Ctrl-C and Ctrl-D do the same
  n REASON  deny it, tell the model why, go on
  v         view all of it, nothing left out
  w         why this is asked: every layer that was consulted
  ?         this list

  /permissions                     the policy, and where it comes from
  /permissions profile MODE        another mode, for the rest of this run
  /permissions rule RULE ACTION    one more rule: run_command(git diff *) allow
  /permissions denials             what was denied so far
  /plan                            the plan as it is now
`
