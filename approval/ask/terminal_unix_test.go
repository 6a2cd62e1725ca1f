//go:build !windows

package ask

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"tricode/approval"
)

// TestMain is two programs: the tests, and the one that asks at a terminal of its own.
func TestMain(m *testing.M) {
	if mode := os.Getenv("ASK_TEST"); mode != "" {
		result := os.NewFile(4, "result")
		fmt.Fprintln(result, child(mode))
		os.Exit(0)
	}
	flag.Parse()
	flag.Set("test.parallel", "16") // they wait more than they work
	os.Exit(m.Run())
}

// child asks in one way and says what came of it.
func child(mode string) string {
	signal.Ignore(syscall.SIGHUP) // so that a closed terminal is seen as such
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if mode == "background" {
		return background()
	}
	t, err := Open(&Options{Term: os.Getenv("TERM"), Editor: os.Getenv("ASK_EDITOR"), Pager: os.Getenv("ASK_PAGER"), Notify: os.Getenv("ASK_NOTIFY")})
	if err != nil {
		return told(approval.Answer{}, err)
	}
	defer t.Close()
	switch mode {
	case "line":
		first, err := t.Line(ctx, "Name\x1b[6n", "other")
		if err != nil {
			return fmt.Sprintf("%q %v", first, err)
		}
		second, err := t.Line(ctx, "Again", "")
		return fmt.Sprintf("%q %q %v", first, second, err)
	case "prompt":
		text, err := t.Prompt(ctx, "> ", []string{"earlier"})
		return fmt.Sprintf("%q %v", text, err)
	case "prompts", "asked":
		first, err := t.Prompt(ctx, "> ", nil)
		between := ""
		if mode == "asked" {
			between = told(t.Ask(ctx, create(), approval.Decision{})) + ", "
		}
		second, last := t.Prompt(ctx, "> ", nil)
		return fmt.Sprintf("%q %v, %s%q %v", first, err, between, second, last)
	case "secret":
		return fmt.Sprintln(t.Secret(ctx, "Key"))
	case "stuck":
		syscall.Write(4, []byte("asking\n"))
	case "hostile":
		return told(t.Ask(ctx, hostile(), approval.Decision{Reason: evil, Trace: []approval.Step{{Subject: evil, Reason: evil}}}))
	}
	a := create(approval.Argument{Name: "path", Value: "example.txt"}, approval.Argument{Name: "content", Value: "Hello World"})
	a.Draft = &approval.Draft{Name: "a/example.t\x1bxt", Text: "Hello World", Input: func(text string) (string, error) { return text, nil }}
	answer, err := t.Ask(ctx, a, approval.Decision{})
	if mode == "twice" && err == nil {
		second, err := t.Ask(ctx, a, approval.Decision{})
		return told(answer, nil) + ", " + told(second, err)
	}
	return told(answer, err)
}

func told(a approval.Answer, err error) string {
	switch {
	case errors.Is(err, approval.ErrNobody):
		return "nobody"
	case err != nil:
		return "error: " + err.Error()
	case a.Choice == approval.Edited:
		return fmt.Sprintf("edited: %q", a.Input)
	case a.Reason != "":
		return fmt.Sprintf("refuse: %s", a.Reason)
	}
	return [...]string{"end", "once", "always", "refuse"}[a.Choice]
}

// background asks from a process group that is not in front.
func background() string {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "ASK_TEST=ask")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	r, w, err := os.Pipe()
	if err != nil {
		return err.Error()
	}
	cmd.ExtraFiles = []*os.File{w, w}
	if err := cmd.Run(); err != nil {
		return err.Error()
	}
	w.Close()
	out, _ := io.ReadAll(r)
	return strings.TrimSpace(string(out))
}

const evil = "x\x1b[6n\x1b]0;t\x07\u009b2J\u202e\u200b\U000e0041\u2028\x9b\r\b\x00\x1b[200~"

func hostile() *approval.Action {
	return &approval.Action{Tool: evil, Summary: evil, Preview: approval.Preview{
		Arguments: []approval.Argument{{Name: evil, Value: evil}, {Name: "b", Value: evil + "\n" + evil}},
		Sections:  []approval.Section{{Title: evil, Lines: []string{evil, "+" + evil}, Diff: true}},
	}}
}
