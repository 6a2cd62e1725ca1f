package ask

import (
	"context"
	"errors"
	"strings"

	"tricode/approval"
	"tricode/approval/plain"
)

const contractAnswers = `  1  go on and ask about each call as usual
  2  go on and allow exactly these permissions until the run ends
  3  stop; Ctrl-C and Ctrl-D do the same
  v  view all of it, nothing left out
  ?  this list; /permissions shows the policy, and changes it as at a question
`

// Contract puts a plan to a person: Once is to ask about each call as usual, Always to grant what it needs, Again that
// the policy was changed meanwhile. Like those of Ask, a person who leaves and a lost terminal End the run.
func (t *Terminal) Contract(ctx context.Context, sections []approval.Section) (approval.Choice, error) {
	talk, err := t.tty.begin(ctx)
	if err != nil {
		return approval.End, err
	}
	defer talk.end()
	q := t.question(&approval.Action{Preview: approval.Preview{Sections: sections}}, approval.Decision{})
	talk.drawn(q.width)
	for say := q.contract(brief(0)); ; {
		line, err := talk.put(ctx, say, func() string {
			q.width, q.height = t.tty.size()
			talk.drawn(q.width)
			return q.contract(brief(0))
		})
		switch {
		case ctx.Err() != nil, errors.Is(err, approval.ErrNobody):
			return approval.End, err
		case err != nil:
			return approval.End, nil
		}
		q.width, q.height = t.tty.size()
		if answer, decided := parse(line); decided && answer.Choice != approval.Refuse {
			return answer.Choice, nil
		}
		switch {
		case line == "?":
			say = q.folded(contractAnswers)
		case strings.EqualFold(line, "v"):
			say = q.contract(whole)
		case t.options.Command != nil && strings.HasPrefix(line, "/"):
			reply, changed := t.options.Command(line)
			say = q.folded(reply)
			if changed {
				return approval.Again, write(talk, say)
			}
		default:
			say = q.folded(mistyped)
		}
	}
}

// contract is the whole text up to the prompt. All lines are shown, and of each as much as the limits leave.
func (q *question) contract(l limits) string {
	s := sheet{width: q.width, color: q.color}
	each := limit{ofLine: l.section.ofLine}
	var calls []string
	q.bar(&s)
	s.print("PLAN")
	q.bar(&s)
	for _, section := range q.action.Preview.Sections {
		title := plain.Cut(section.Title, maxName) + ":"
		if len(section.Lines) == 1 {
			s.block(title+" ", "  ", plainLines(plain.Line(section.Lines[0])), each)
			continue
		}
		s.print(title)
		for _, row := range section.Lines {
			text := strings.TrimLeft(row, " ")
			indent := strings.Repeat(" ", 2+min(len(row)-len(text), 8))
			one := signed(plain.Line(text))
			if s.block(indent, indent, []line{one}, each); one.mark != nil {
				calls = append(calls, text[one.to:])
			}
		}
	}
	lookalikes(&s, calls, each)
	q.bar(&s)
	s.print("Options:")
	q.option(&s, "1 - Go on and ask for each call as usual", "")
	q.option(&s, "2 - Go on and allow exactly this set", "")
	q.option(&s, "3 - Stop", "")
	q.bar(&s)
	return s.String()
}

// signed is a line in which the sign that it begins with stands out; the numbers of steps are none.
func signed(text string) line {
	l := line{text: text}
	sign, _, _ := strings.Cut(text, " ")
	switch l.to = len(sign); sign {
	case "+":
		l.mark = added
	case "?":
		l.mark = bold
	case "x":
		l.mark = warning
	case "·":
		l.mark = faint
	}
	return l
}
