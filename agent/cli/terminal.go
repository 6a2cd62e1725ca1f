package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"

	"golang.org/x/term"

	"tricode/agent/render"
	"tricode/approval"
	"tricode/approval/ask"
	"tricode/approval/plain"
)

// terminal is the person's terminal, opened when the first question comes: most runs need none. A run has one.
type terminal struct {
	options ask.Options
	open    *ask.Terminal
}

// Ask implements approval.Asker.
func (t *terminal) Ask(ctx context.Context, a *approval.Action, d approval.Decision) (approval.Answer, error) {
	if err := t.opened(); err != nil {
		return approval.Answer{}, err
	}
	return t.open.Ask(ctx, a, d)
}

func (t *terminal) opened() (err error) {
	if t.open == nil {
		t.open, err = ask.Open(&t.options)
	}
	return err
}

// contract puts a plan to the person.
func (t *terminal) contract(ctx context.Context, sections []approval.Section) (approval.Choice, error) {
	if err := t.opened(); err != nil {
		return approval.End, err
	}
	return t.open.Contract(ctx, sections)
}

// prompt asks for a task.
func (t *terminal) prompt(ctx context.Context, prompt string, before []string) (string, error) {
	if err := t.opened(); err != nil {
		return "", err
	}
	return t.open.Prompt(ctx, prompt, before)
}

func (t *terminal) close() {
	if t.open != nil {
		t.open.Close()
	}
}

// terminal is how to write to the terminal, the same for all of the run.
func (c *commandLine) terminal() *terminal {
	if c.person == nil {
		c.person = &terminal{options: ask.Options{
			Color: c.coloured(true), Plain: c.Plain, Term: os.Getenv("TERM"),
			Pager: os.Getenv("PAGER"), Editor: cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR")),
		}}
	}
	return c.person
}

// notification is what makes a terminal tell that a question waits: the words that some show beside their window, else
// the bell. See iTerm2's "Proprietary Escape Codes" for OSC 9, which the others took over.
func notification() string {
	switch os.Getenv("TERM_PROGRAM") {
	case "iTerm.app", "WezTerm", "ghostty":
		return "\x1b]9;tricode waits for your answer\x1b\\"
	}
	return "\a"
}

// coloured decides about colours on an output that is a terminal or not.
func (c *commandLine) coloured(terminal bool) bool {
	if c.Plain {
		return false
	}
	return c.Color == "always" || c.Color == "auto" && terminal && os.Getenv("NO_COLOR") == "" && paints(os.Getenv("TERM"))
}

// paints reports whether a terminal of that kind knows colours. The console of Windows has no name.
func paints(kind string) bool { return kind != "dumb" && (kind != "" || runtime.GOOS == "windows") }

// stream describes one of the two outputs.
func (c *commandLine) stream(f *os.File) render.Stream {
	terminal := term.IsTerminal(int(f.Fd()))
	s := render.Stream{Writer: f, Terminal: terminal, Color: c.coloured(terminal)}
	if terminal {
		kind := os.Getenv("TERM")
		s.Redraws, s.Columns = !c.Plain && kind != "" && kind != "dumb", func() int { return columns(f) }
	}
	return s
}

// columns is how wide the terminal is that f writes to; 0 if it is none.
func columns(f *os.File) int {
	if !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	n, _, err := term.GetSize(int(f.Fd()))
	if err != nil || n < 1 {
		return 80
	}
	return n
}

// waiting shows on a terminal what is waited for, until stop is called; nothing else may be written before.
func (c *commandLine) waiting(what string) (stop func()) {
	if c.Quiet {
		return func() {}
	}
	return render.Waiting(c.stream(os.Stderr), what)
}

// folding writes safe text in whole lines, on a terminal in as many rows as it takes.
type folding struct{ to *os.File }

func (f folding) Write(p []byte) (int, error) {
	if _, err := f.to.WriteString(plain.Fold(string(p), columns(f.to))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// folded is out, with rows that fit where that is a terminal; each write is whole lines.
func folded(out io.Writer) io.Writer {
	if f, ok := out.(*os.File); ok {
		return folding{f}
	}
	return out
}

// notice prints one line of standard error that is no part of a run.
func (c *commandLine) notice(text string) {
	if !c.Quiet {
		fmt.Fprintln(folding{os.Stderr}, "tricode: "+plain.Line(text))
	}
}
