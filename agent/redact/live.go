package redact

import "io"

// Live returns a writer that hides secrets in what is written to it, also where they come in pieces; only what may yet
// become one is held back, until Close. Hide knows more in one case, as it has the whole text: of a private key without its
// first line, what came in pieces before the last line was given out.
func (r *Redactor) Live(to io.Writer) io.WriteCloser { return &live{redactor: r, to: to} }

type live struct {
	redactor *Redactor
	to       io.Writer
	buf      []byte // the last that was given out, to look back at, and what is held back
	low      int    // where the latter begins
}

// lookBack is how much is kept of what was given out: enough for a prefix and what stands before it.
const lookBack = 8

func (l *live) Write(p []byte) (int, error) { return len(p), l.pass(p, false) }

// Close gives out the rest.
func (l *live) Close() error { return l.pass(nil, true) }

func (l *live) pass(p []byte, final bool) error {
	l.buf = append(l.buf, p...)
	s := scan{b: l.buf, low: l.low, final: final, own: l.redactor.keys()}
	s.run()
	out := s.b[s.low:s.safe]
	l.redactor.note(out, &l.redactor.taken)
	if len(s.found) > 0 {
		out = l.redactor.replace(s)
	}
	var err error
	if len(out) > 0 {
		_, err = l.to.Write(out)
	}
	keep := max(0, s.safe-lookBack)
	l.low = s.safe - keep
	l.buf = append(l.buf[:0], l.buf[keep:]...)
	return err
}
