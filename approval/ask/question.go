package ask

import (
	"fmt"
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
	value, section   int // rows of each
}

var (
	brief = limits{values: 24, value: 20, sections: 8, section: 40}
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
	if q.decision.Reason != "" {
		s.block("Reason: ", "  ", strings.Split(plain.Text(q.decision.Reason), "\n"), l.value, nil)
	}
	s.print(bar, "Options:",
		"  1 - Allow this operation (once)",
		"  2 - Allow all future "+tool+" operations in this session"+q.except(),
		"  3 - Deny and terminate agent", bar)
	return s.String()
}

// except says what 2 does not reach, for tools that can do more than it covers.
func (q *question) except() string {
	programs := approval.Exec | approval.ExecProject | approval.ExecOpaque
	if e := q.action.Effects; e != 0 && !e.Has(programs) {
		return ""
	}
	return " (what deletes, is secret or unclear still asks)"
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
		s.print(plain.Cut(section.Title, maxName) + ":")
		lines := make([]string, len(section.Lines))
		for i, line := range section.Lines {
			// a line end inside of a line would make two of one
			lines[i] = plain.Text(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\n", `\n`))
		}
		var paint func(string) *color.Color
		if q.color && section.Diff {
			paint = diffColor
		}
		s.block("  ", "  ", lines, l.section, paint)
	}
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
`

func (q *question) why() string {
	s := sheet{width: q.width}
	for _, step := range q.decision.Trace {
		s.block("  ", "    ", []string{plain.Line(step.String())}, 0, nil)
	}
	if len(q.decision.Trace) == 0 {
		s.print("  nothing was consulted: what is not known is asked about")
	}
	return s.String()
}
