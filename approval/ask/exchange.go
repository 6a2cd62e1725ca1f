package ask

import (
	"context"
	"os"
	"strings"

	"tricode/approval"
	"tricode/approval/plain"
)

// exchange is a question with what was said about it so far.
type exchange struct {
	*talk
	*question
	options *Options
	take    func() error // makes the rules count that were printed last; nil if there were none, or something else was said since
}

// shown is the question as it is put.
func (x *exchange) shown() string {
	x.talk.drawn(x.width)
	return x.text(brief(x.height))
}

// answer reads a line. It is not decided if the line asks for something else or makes no sense; then reply is what to say
// before the next one.
func (x *exchange) answer(ctx context.Context, line string) (answer approval.Answer, decided bool, reply string) {
	take := x.take
	x.take = nil
	if answer, decided = parse(line); decided {
		return answer, true, ""
	}
	switch strings.ToLower(line) {
	case "?":
		reply = x.folded(answers)
	case "v":
		reply = x.view(ctx)
	case "w":
		reply = x.why()
	case "s":
		return x.shape(take)
	case "e":
		return x.edit(ctx)
	default:
		if strings.HasPrefix(line, "/") && x.options.Command != nil {
			said, changed := x.options.Command(line)
			return approval.Answer{Choice: approval.Again}, changed, x.folded(said)
		}
		reply = x.folded(mistyped)
	}
	return approval.Answer{}, false, reply
}

// parse reads what is an answer by itself.
func parse(line string) (answer approval.Answer, decided bool) {
	line = strings.TrimSpace(line)
	switch line {
	case "1":
		return approval.Answer{Choice: approval.Once}, true
	case "2":
		return approval.Answer{Choice: approval.Always}, true
	case "3":
		return approval.Answer{Choice: approval.End}, true
	}
	if word, reason, _ := strings.Cut(line, " "); strings.EqualFold(word, "n") {
		return approval.Answer{Choice: approval.Refuse, Reason: strings.TrimSpace(reason)}, true
	}
	return approval.Answer{}, false
}

// view shows all of the question, with the person's pager if there is one.
func (x *exchange) view(ctx context.Context) string {
	q := *x.question
	line, env := pager(x.options.Pager)
	if line == "" || x.dumb {
		return q.text(whole)
	}
	q.color = q.color && env != nil
	if err := x.run(ctx, program{line: line, env: env, input: q.text(whole)}); err != nil {
		return q.text(whole) + x.complaint("the pager", err)
	}
	return ""
}

// pager is how to start a pager, and what to add to its environment: less, and nothing else, is told to pass colours on.
func pager(line string) (start string, env []string) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] == "cat" {
		return "", nil
	}
	if name := words[0]; name == "less" || strings.HasSuffix(name, "/less") {
		env = []string{"LESS=" + strings.TrimSpace(os.Getenv("LESS")+" -R")}
	}
	return line, env
}

// shape prints the rules that would allow the action and its like, and takes them when that is said again.
func (x *exchange) shape(take func() error) (answer approval.Answer, decided bool, reply string) {
	if x.options.Shape == nil {
		return answer, false, x.folded("There are no rules for a session here.")
	}
	if take != nil {
		if err := take(); err != nil {
			return answer, false, x.folded(plain.Line(err.Error()))
		}
		return approval.Answer{Choice: approval.Again}, true, ""
	}
	rules, take, err := x.options.Shape(x.action)
	if err != nil {
		return answer, false, x.folded(plain.Line(err.Error()))
	}
	x.take = take
	s := sheet{width: x.width, color: x.color}
	s.WriteString(x.folded("For the rest of this run, without a question:"))
	for _, r := range rules {
		text := plain.Line(r)
		s.block("  ", "    ", []line{{text: text, to: len(text), mark: bold}}, limit{})
	}
	s.print("Type s again to take " + map[bool]string{true: "it", false: "them"}[len(rules) == 1] + ".")
	return answer, false, s.String()
}

// edit lets the person write the action anew. What comes of it is planned and asked about like any other.
func (x *exchange) edit(ctx context.Context) (answer approval.Answer, decided bool, reply string) {
	d := x.action.Draft
	switch {
	case d == nil:
		return answer, false, x.folded("Nothing of this call can be edited.")
	case x.options.Editor == "":
		return answer, false, x.folded("There is no editor: set VISUAL or EDITOR.")
	}
	text, err := x.edited(ctx, d)
	if err == nil && same(text, d.Text) {
		return answer, false, x.folded("Nothing was changed.")
	}
	if err == nil {
		answer.Input, err = d.Input(text)
	}
	if err != nil {
		return approval.Answer{}, false, x.complaint("the editor", err)
	}
	answer.Choice = approval.Edited
	return answer, true, ""
}

// same reports whether a text is what it was, but for the line end that editors put behind the last line.
func same(text, was string) bool {
	return strings.TrimSuffix(text, "\n") == strings.TrimSuffix(was, "\n")
}

func (q *question) complaint(who string, err error) string {
	return q.folded(who + ": " + plain.Line(err.Error()))
}

// folded is a text in whole lines for this terminal, safe to print.
func (q *question) folded(text string) string {
	return plain.Fold(plain.Text(strings.TrimSuffix(text, "\n")), q.width) + "\n"
}

// mistyped is the reply to what is no answer.
const mistyped = "Type 1, 2 or 3 and press Enter; ? lists all answers."

const answers = `  1         allow this operation, once
  2         allow it, and what this tool does later in this session
  3         deny it and end the run; Ctrl-C and Ctrl-D do the same
  n REASON  deny it, tell the model why, go on
  s         allow it and what has the same shape, in this session; shows the rule first
  e         edit it with $VISUAL or $EDITOR; it is asked about again
  v         view all of it, nothing left out, with $PAGER
  w         why this is asked: every layer that was consulted
  ?         this list

  /permissions                     the policy, and where it comes from
  /permissions profile MODE        another mode, for the rest of this run
  /permissions rule RULE ACTION    one more rule: run_command(git diff *) allow
  /permissions denials             what was denied so far
  /plan                            the plan as it is now
`
