package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tricode/agent/config"
	"tricode/agent/transcript"
	"tricode/approval"
	"tricode/providers"
)

// crashing is a model that asks for one call and panics when it is told the answer.
type crashing struct{ turns int }

func (m *crashing) Complete(context.Context, providers.Request, func(string) error) (providers.Message, error) {
	if m.turns++; m.turns > 1 {
		panic("two\nlines")
	}
	return providers.Message{Role: providers.Assistant, Calls: []providers.Call{{ID: "c1", Name: "list_directory", Arguments: `{"path":"."}`}}}, nil
}

// A mistake of ours is one line and status 8.
func TestACrashIsOneLine(t *testing.T) {
	var stderr strings.Builder
	status := guard(&stderr, func() int { panic("two\nlines") })
	if want := "tricode: internal error: two\\nlines\n"; status != statusBroken || stderr.String() != want {
		t.Errorf("status %d, %q; want %d, %q", status, stderr.String(), statusBroken, want)
	}
}

// A run in which we make one ends with status 8 too, and its transcript has all that happened before it and why it ended.
func TestACrashLosesNothing(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		t.Setenv(name, filepath.Join(dir, "home"))
	}
	paths, err := config.Locate("", os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	c := &commandLine{WorkDir: dir, Output: "text", Color: "never", Quiet: true}
	if status, err := c.perform(t.Context(), &config.Config{Paths: paths}, job{model: &crashing{}, task: "look"}); status != statusBroken || err != nil {
		t.Errorf("perform = %d, %v; want %d", status, err, statusBroken)
	}
	path, err := transcript.Find(filepath.Join(paths.State, "sessions"), "")
	if err != nil {
		t.Fatal(err)
	}
	run, err := transcript.Read(path)
	if err != nil || len(run.Calls) != 1 || run.Calls[0].Decision.Verdict != approval.Allow.String() {
		t.Errorf("the transcript tells of %+v, %v; want the call before the crash", run.Calls, err)
	}
	text, err := os.ReadFile(path)
	for _, want := range []string{`"role":"tool"`, `"type":"ended","v":1,"status":8,"reason":"internal error in the run: two\nlines"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the transcript does not have %s: %s, %v", want, text, err)
		}
	}
}
