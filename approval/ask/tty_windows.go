package ask

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/sys/windows"
	"golang.org/x/term"

	"tricode/approval"
)

// tty is the console, which edits the line itself: nothing else is needed here.
type tty struct {
	in, out *os.File
	dumb    bool
}

func openTTY(dumb bool) (*tty, error) {
	in, err := os.OpenFile("CONIN$", os.O_RDWR, 0)
	if err != nil {
		return nil, approval.ErrNobody
	}
	out, err := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if err != nil {
		in.Close()
		return nil, approval.ErrNobody
	}
	return &tty{in: in, out: out, dumb: dumb}, nil
}

func (t *tty) close() error {
	t.in.Close()
	return t.out.Close()
}

// size is the columns and rows of the console, 80 and 24 if it does not know.
func (t *tty) size() (columns, rows int) {
	columns, rows, err := term.GetSize(int(t.out.Fd()))
	if err != nil || columns <= 0 {
		columns = 80
	}
	if err != nil || rows <= 0 {
		rows = 24
	}
	return columns, rows
}

// talk is the time between a question and its answer.
type talk struct {
	*tty
	before uint32 // the console's mode
	done   <-chan struct{}
}

func (t *tty) begin(ctx context.Context) (*talk, error) {
	k := &talk{tty: t, done: ctx.Done()}
	handle := windows.Handle(t.in.Fd())
	if windows.GetConsoleMode(handle, &k.before) != nil {
		return nil, approval.ErrNobody
	}
	lines := uint32(windows.ENABLE_PROCESSED_INPUT | windows.ENABLE_LINE_INPUT | windows.ENABLE_ECHO_INPUT)
	if windows.SetConsoleMode(handle, k.before|lines) != nil {
		return nil, approval.ErrNobody
	}
	return k, nil
}

// end gives the console back as it was.
func (k *talk) end() { windows.SetConsoleMode(windows.Handle(k.in.Fd()), k.before) }

// here, drawn and resume are for systems on which a question may have to be put again.
func (k *talk) drawn(int) {}

func (k *talk) here() error { return nil }

func (k *talk) resume() error { return nil }

// ahead and called are for systems that keep what is typed ahead for whoever reads next, and know a background.
func (t *tty) ahead() {}

func (t *tty) called() bool { return false }

// run gives the console to a program until it ends.
func (k *talk) run(ctx context.Context, p program) error {
	words := strings.Fields(p.line)
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], p.args...)...)
	cmd.Env = append(os.Environ(), p.env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = k.in, k.out, k.out
	if p.input != "" {
		cmd.Stdin = strings.NewReader(p.input)
	}
	handle := windows.Handle(k.in.Fd())
	var mode uint32
	if err := windows.GetConsoleMode(handle, &mode); err != nil {
		return err
	}
	defer windows.SetConsoleMode(handle, mode)
	windows.SetConsoleMode(handle, k.before)
	return cmd.Run()
}

// Write puts p on the console as it is.
func (k *talk) Write(p []byte) (int, error) { return k.out.Write(p) }

// deaf is how long what is typed after a prompt was meant for something else.
const deaf = 300 * time.Millisecond

// line reads a line. A fresh answer is one that was typed after the prompt stood there.
func (k *talk) line(prompt string, fresh bool) (string, error) {
	if _, err := io.WriteString(k, prompt); err != nil {
		return "", err
	}
	if fresh {
		select {
		case <-time.After(deaf):
		case <-k.done:
		}
		if err := windows.FlushConsoleInputBuffer(windows.Handle(k.in.Fd())); err != nil {
			return "", err
		}
	}
	return k.wait(func() (string, error) { return bufio.NewReader(io.LimitReader(k.in, 4096)).ReadString('\n') })
}

func (k *talk) secret(prompt string) (string, error) {
	if _, err := io.WriteString(k, prompt); err != nil {
		return "", err
	}
	secret, err := k.wait(func() (string, error) {
		b, err := term.ReadPassword(int(k.in.Fd()))
		return string(b), err
	})
	io.WriteString(k, "\n")
	return secret, err
}

// wait runs a read that cannot be woken. When the context is done first, the read stays behind; the run ends then.
func (k *talk) wait(read func() (string, error)) (string, error) {
	type result struct {
		line string
		err  error
	}
	c := make(chan result, 1)
	go func() {
		line, err := read()
		c <- result{line, err}
	}()
	select {
	case r := <-c:
		return r.line, r.err
	case <-k.done:
		return "", context.Canceled
	}
}
