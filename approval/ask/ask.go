// Package ask puts actions to the person at the terminal. It speaks to the controlling terminal alone, never to
// standard input or output, so that neither a pipe nor the model can answer.
package ask

import (
	"context"
	"errors"
	"io"
	"strings"

	"tricode/approval"
	"tricode/approval/plain"
)

// ErrInterrupted is the error of Line and Secret when the person leaves: Ctrl-C, Ctrl-D or a lost terminal.
var ErrInterrupted = errors.New("interrupted")

// errRedraw says that a question has to be put again: the terminal changed, or was somebody else's for a while.
var errRedraw = errors.New("redraw")

// Options say how to write to the terminal, and what can be said beside an answer.
type Options struct {
	Color  bool   // use colours
	Plain  bool   // for screen readers: no bars, no pictures, no colours
	Term   string // the TERM variable; "" and "dumb" are terminals that get nothing but text
	Notify string // is written when a question waits: a bell, or what terminals take for one

	Pager, Editor string // command lines for a shell; without a pager all is shown in place, without an editor nothing is edited

	// Command answers a line that begins with a slash. It reports whether it changed what is decided by; then the
	// question is taken back. Nil knows no such lines.
	Command func(line string) (reply string, changed bool)

	// Shape finds the rules that allow an action and its like for the rest of this run, and how to make them count. Its
	// error says why there are none. Nil knows none.
	Shape func(a *approval.Action) (rules []string, take func() error, err error)
}

// Terminal is the controlling terminal of this run. It serves one question at a time.
type Terminal struct {
	tty     *tty
	options *Options
}

// Open finds the controlling terminal; approval.ErrNobody says that there is none. Whether it is in front of this
// run is found out with every question. What the options say counts from the next question on. Once it is closed Ctrl-Z does
// nothing any more, so whatever needs a terminal in one run shares it.
func Open(o *Options) (*Terminal, error) {
	t, err := openTTY(o.Term == "" || o.Term == "dumb")
	if err != nil {
		return nil, err
	}
	return &Terminal{tty: t, options: o}, nil
}

// Close lets go of the terminal.
func (t *Terminal) Close() error { return t.tty.close() }

const prompt = "Your choice [1/2/3]: "

// Ask implements approval.Asker. A person who leaves and a terminal that is lost end the run, like a 3. If ctx is done
// first, its cause is the error; if the terminal is not in front of this run, approval.ErrNobody.
func (t *Terminal) Ask(ctx context.Context, a *approval.Action, d approval.Decision) (approval.Answer, error) {
	talk, err := t.tty.begin(ctx)
	if err != nil {
		return approval.Answer{}, err
	}
	defer talk.end()
	if !t.tty.dumb {
		write(talk, t.options.Notify)
	}
	x := &exchange{talk: talk, options: t.options, question: t.question(a, d)}
	for say := x.shown(); ; {
		line, err := talk.put(ctx, say, func() string {
			x.question = t.question(a, d)
			return x.shown()
		})
		switch {
		case ctx.Err() != nil, errors.Is(err, approval.ErrNobody):
			return approval.Answer{}, err
		case err != nil:
			return approval.Answer{Choice: approval.End}, nil
		}
		x.width, x.height = t.tty.size() // a wider one is no reason to ask anew
		answer, decided, reply := x.answer(ctx, line)
		if ctx.Err() != nil {
			return approval.Answer{}, context.Cause(ctx)
		}
		if decided {
			return answer, write(talk, reply)
		}
		say = reply
	}
}

// put says something and waits for an answer. When what stood there has to be put anew, anew says it. Once ctx is done, its
// cause is the error.
func (k *talk) put(ctx context.Context, say string, anew func() string) (answer string, err error) {
	for {
		if err = k.here(); err != nil { // one of the person's programs was left in the background
			break
		}
		if err = write(k, say); err == nil {
			answer, err = k.line(prompt, true)
		}
		if !errors.Is(err, errRedraw) {
			break
		}
		if err = k.resume(); err != nil {
			break
		}
		say = anew()
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return strings.TrimSpace(answer), err
}

// question is an action as this terminal, of this size, shows it.
func (t *Terminal) question(a *approval.Action, d approval.Decision) *question {
	q := &question{action: a, decision: d, color: t.options.Color && !t.options.Plain, spoken: t.options.Plain}
	q.width, q.height = t.tty.size()
	return q
}

func write(w io.Writer, s string) error {
	_, err := io.WriteString(w, s)
	return err
}

// Line asks for one line of text; Enter alone is the value otherwise. It returns ErrInterrupted when the person
// leaves, approval.ErrNobody when nobody is there, and the cause of ctx when it is done.
func (t *Terminal) Line(ctx context.Context, prompt, otherwise string) (string, error) {
	prompt = plain.Line(prompt)
	if otherwise != "" {
		prompt += " [" + plain.Line(otherwise) + "]"
	}
	answer, err := t.dialogue(ctx, func(talk *talk) (string, error) { return talk.line(prompt+": ", false) })
	if answer = strings.TrimSpace(answer); err == nil && answer == "" {
		answer = otherwise
	}
	return answer, err
}

// Secret is Line for what must not be seen.
func (t *Terminal) Secret(ctx context.Context, prompt string) (string, error) {
	answer, err := t.dialogue(ctx, func(talk *talk) (string, error) { return talk.secret(plain.Line(prompt) + ": ") })
	return strings.TrimSpace(answer), err
}

func (t *Terminal) dialogue(ctx context.Context, ask func(*talk) (string, error)) (string, error) {
	talk, err := t.tty.begin(ctx)
	if err != nil {
		return "", err
	}
	defer talk.end()
	answer, err := talk.again(func() (string, error) { return ask(talk) })
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		return "", ErrInterrupted
	}
	return answer, nil
}

// again asks until nothing came between.
func (k *talk) again(ask func() (string, error)) (string, error) {
	answer, err := ask()
	for errors.Is(err, errRedraw) {
		if err = k.resume(); err == nil {
			answer, err = ask()
		}
	}
	return answer, err
}
