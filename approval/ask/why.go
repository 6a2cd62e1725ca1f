package ask

import (
	"slices"
	"strings"

	"tricode/approval"
	"tricode/approval/plain"
)

// consulted are subjects for which every layer said the same.
type consulted struct {
	subjects []string
	steps    []approval.Step // without the subjects' names
}

// why is the trace for a person: each subject once, the layers without an answer in one line.
func (q *question) why() string {
	s := sheet{width: q.width, color: q.color}
	for _, c := range grouped(q.decision.Trace) {
		for _, subject := range c.subjects {
			s.block("  ", "    ", plainLines(plain.Line(subject)), limit{})
		}
		var silent []string
		for _, step := range c.steps {
			if step.Verdict == "-" {
				silent = append(silent, step.Layer.String())
				continue
			}
			s.silent(silent)
			silent = nil
			s.block("    ", "      ", plainLines(plain.Line(step.String())), limit{})
		}
		s.silent(silent)
	}
	if len(q.decision.Trace) == 0 {
		s.print("  nothing was consulted: what is not known is asked about")
	}
	return s.String()
}

func (s *sheet) silent(layers []string) {
	if layers != nil {
		s.block("    ", "      ", plainLines("no answer from "+strings.Join(layers, ", ")), limit{})
	}
}

// grouped takes a trace apart by subject, and puts neighbours for which it is the same together.
func grouped(trace []approval.Step) []consulted {
	var all []consulted
	for len(trace) > 0 {
		// the layers come in order, so a lower one begins the next subject, which may have the same name
		n := 1
		for n < len(trace) && trace[n].Subject == trace[0].Subject && trace[n].Layer > trace[n-1].Layer {
			n++
		}
		one := consulted{steps: slices.Clone(trace[:n])}
		if name := trace[0].Subject; name != "" {
			one.subjects = []string{name}
		}
		for i, step := range one.steps {
			one.steps[i].Subject = ""
			if rest, ok := strings.CutPrefix(step.Reason, step.Subject+" "); ok && step.Subject != "" {
				one.steps[i].Reason = "it " + rest
			}
		}
		if last := len(all) - 1; last >= 0 && slices.Equal(all[last].steps, one.steps) {
			all[last].subjects = append(all[last].subjects, one.subjects...)
		} else {
			all = append(all, one)
		}
		trace = trace[n:]
	}
	return all
}
