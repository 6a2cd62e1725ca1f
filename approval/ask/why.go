package ask

import (
	"strings"

	"tricode/approval"
	"tricode/approval/plain"
)

// why is the trace for a person: each subject once, the layers without an answer in one line.
func (q *question) why() string {
	s := sheet{width: q.width, color: q.color}
	for _, c := range approval.Consulted(q.decision.Trace) {
		for _, subject := range c.Subjects {
			s.block("  ", "    ", plainLines(plain.Line(subject)), limit{})
		}
		var silent []string
		for _, step := range c.Steps {
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
