package ask

import (
	"fmt"
	"slices"
	"strings"

	"tricode/approval"
	"tricode/approval/plain"
)

// question is an action as a person sees it.
type question struct {
	action   *approval.Action
	decision approval.Decision
	width    int  // columns of the terminal
	height   int  // its rows; 0 if they do not matter
	color    bool // colours may be used
	spoken   bool // for somebody who hears it: no bars, no pictures, nothing but text
}

// limits bound what is shown before somebody asks for all of it; 0 is no limit.
type limits struct {
	values, sections int // how many
	value, section   limit
	diff             limit
}

// brief are the limits of the question: those of a screen of that height.
func brief(height int) limits {
	l := limits{values: 24, value: limit{rows: 20}, sections: 8, section: limit{rows: 40, ofLine: 4}, diff: limit{rows: 40}}
	if height > 0 {
		l.value.rows = min(l.value.rows, max(height-16, 6))
		l.diff.rows = min(l.diff.rows, max(height-19, 5))
		l.section.rows = min(l.section.rows, max(height/2, 10))
	}
	return l
}

var whole = limits{}

const (
	title  = "DESTRUCTIVE OPERATION REQUESTED"
	barred = 60 // how long a bar is where there is room for it
)

// text is the whole question up to the prompt.
func (q *question) text(l limits) string {
	s := sheet{width: q.width, color: q.color}
	tool := plain.Cut(q.action.Tool, maxName)
	q.bar(&s)
	if q.spoken {
		s.print(title)
	} else {
		s.print(s.painted(warning, "⚠️  "+title))
	}
	q.bar(&s)
	s.print("Tool: "+tool, "Arguments:")
	q.arguments(&s, q.less(l))
	q.sections(&s, l)
	q.links(&s, l)
	q.lookalikes(&s, l)
	if q.decision.Reason != "" {
		s.block("Reason: ", "  ", plainLines(strings.Split(plain.Text(q.decision.Reason), "\n")...), l.value)
	}
	q.bar(&s)
	s.print("Options:")
	q.option(&s, "1 - Allow this operation (once)", "")
	q.option(&s, "2 - Allow all future "+tool+" operations in this session", q.except())
	q.option(&s, "3 - Deny and terminate agent", "")
	q.bar(&s)
	return s.String()
}

func (q *question) bar(s *sheet) {
	if !q.spoken {
		s.print(strings.Repeat("=", min(barred, max(q.width, 1))))
	}
}

// option is an answer, and what it does not do. On a terminal of the usual width each stands in a row of its own.
func (q *question) option(s *sheet, text, except string) {
	const indent = "      "
	switch whole := "  " + text + except; {
	case plain.Width(whole) <= q.width:
		s.print(whole)
	case q.width < barred:
		s.block("  ", "    ", plainLines(text+except), limit{})
	default:
		s.print("  " + text)
		if except != "" {
			s.block(indent, indent, plainLines(strings.TrimSpace(except)), limit{})
		}
	}
}

// except says what 2 does not reach: for programs always, for other tools where this call is of that kind.
func (q *question) except() string {
	if q.action.Confirm {
		return " (what they change still asks)"
	}
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

// less has less room for arguments where a diff shows what comes of them.
func (q *question) less(l limits) limits {
	if l.value.rows > 0 && slices.ContainsFunc(q.action.Preview.Sections, func(s approval.Section) bool { return s.Diff }) {
		l.value.rows = 3
		if 0 < q.height && q.height < 30 {
			l.value.rows = 1
		}
	}
	return l
}

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
			lines := strings.Split(strings.TrimSuffix(plain.Text(a.Value), "\n"), "\n")
			indent := "    "
			if q.spoken { // who hears it cannot see where it ends
				name += fmt.Sprintf(" %s lines", plain.Count(len(lines)))
				indent = "  > "
			}
			s.print(name)
			s.block(indent, indent, plainLines(lines...), l.value)
		} else if a.Value == "" {
			s.print(name)
		} else {
			s.block(name+" ", "    ", plainLines(plain.Line(a.Value)), l.value)
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
		title := plain.Cut(section.Title, maxName) + ":"
		most := l.section
		if section.Diff {
			most = l.diff
		}
		lines := q.lines(section, most.rows)
		if len(lines) == 1 && !section.Diff {
			s.block(title+" ", "  ", lines, most)
			continue
		}
		s.print(title)
		s.block("  ", "  ", lines, most)
	}
}

// lines are those of a section, safe to print; of a diff those that so many rows have room for.
func (q *question) lines(section approval.Section, rows int) []line {
	texts := make([]string, len(section.Lines))
	for i, text := range section.Lines {
		text = strings.TrimSuffix(text, "\n")
		if section.Diff { // a line end inside of a line would make two of one
			texts[i] = plain.Text(strings.ReplaceAll(text, "\n", `\n`))
		} else {
			texts[i] = plain.Line(text)
		}
	}
	if section.Diff {
		lines := shortened(diffLines(texts), rows)
		if !q.color && !q.spoken {
			lines = withCarets(lines, q.width-2)
		}
		return lines
	}
	lines := plainLines(texts...)
	for i := range min(len(lines), len(section.Notes)) {
		if note := section.Notes[i]; note != "" {
			lines[i].to, lines[i].mark = len(lines[i].text), bold
			lines[i].text += " (" + untabbed(plain.Line(note)) + ")"
		}
	}
	return lines
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
		s.block("  ", "  ", plainLines(lines...), l.section)
	}
}

// lookalikes points out names of the action that could be taken for others.
func (q *question) lookalikes(s *sheet, l limits) {
	var names []string
	for _, subject := range q.action.Subjects {
		names = append(append(names, subject.Path, subject.Via, subject.Host), subject.Args...)
	}
	lookalikes(s, names, l.section)
}

func lookalikes(s *sheet, names []string, l limit) {
	var notes []string
	for _, name := range names {
		if note := plain.Lookalike(name); note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	if notes != nil {
		s.print(s.painted(warning, "Look closely:"))
		s.block("  ", "  ", plainLines(notes...), l)
	}
}
