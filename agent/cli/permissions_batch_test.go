package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tricode/agent/transcript"
	"tricode/approval"
)

func TestDecidedBefore(t *testing.T) {
	for _, tt := range []struct{ trace, want string }{
		{`[]`, "allow"},
		{`[{"layer":"tool list","verdict":"-"},{"layer":"built in","verdict":"allow"}]`, "allow"},
		{`[{"layer":"default","verdict":"ask"},{"layer":"person","verdict":"allow"}]`, "ask"},
		{`[{"layer":"default","verdict":"ask"},{"layer":"person","verdict":"deny"}]`, "ask"},
		{`[{"layer":"session","verdict":"allow"}]`, "ask"},
		{`[{"layer":"rules","verdict":"ask"},{"layer":"deny rules","verdict":"deny"},{"layer":"built in","verdict":"allow"}]`, "deny"},
	} {
		d := transcript.Decision{Verdict: "allow"}
		if err := json.Unmarshal([]byte(tt.trace), &d.Trace); err != nil {
			t.Fatal(err)
		}
		if got := decidedBefore(d); got != tt.want {
			t.Errorf("decidedBefore(%s) = %s, want %s", tt.trace, got, tt.want)
		}
	}
}

// Whatever stands in a batch, each line is answered, with a decision, and what is no call is denied.
func FuzzBatch(f *testing.F) {
	dir := f.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		f.Setenv(name, filepath.Join(dir, "home"))
	}
	j, err := (&commandLine{WorkDir: dir}).judge()
	if err != nil {
		f.Fatal(err)
	}
	defer j.close()
	f.Add([]byte(`{"id":1,"tool":"run_command","args":{"command":"rm -rf \"$x\"; git push -f"}}`))
	f.Add([]byte(`{"id":"a","tool":"edit_file","args":{"path":"x","mode":"overwrite","content":""}}` + "\n\n[]\n{\"id\":null}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(t.TempDir(), "batch")
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := batch(t.Context(), j, name, &out); err != nil {
			t.Fatal(err)
		}
		asked := 0
		for line := range strings.Lines(string(data)) {
			if strings.TrimSpace(line) != "" {
				asked++
			}
		}
		answered := 0
		for line := range strings.Lines(out.String()) {
			var a struct {
				ID               any
				Decision, Reason string
				Effects          []string
			}
			answered++
			if err := json.Unmarshal([]byte(line), &a); err != nil || a.Reason == "" || a.Effects == nil {
				t.Errorf("answer %q: %v", line, err)
			}
			if _, err := approval.ParseVerdict(a.Decision); err != nil {
				t.Error(err)
			}
		}
		if answered != asked {
			t.Errorf("%d lines, %d answers", asked, answered)
		}
	})
}

func TestBatchEndsWithItsContext(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	stdin := os.Stdin
	os.Stdin = r
	defer func() { os.Stdin = stdin }()
	ctx, cancel := context.WithCancelCause(t.Context())
	want := errors.New("interrupted")
	cancel(want)
	if err := batch(ctx, &judge{}, "-", io.Discard); err != want {
		t.Errorf("batch = %v, want %v", err, want)
	}
}

func TestReadLine(t *testing.T) {
	long := strings.Repeat("x", maxQuestion+1)
	r := bufio.NewReader(strings.NewReader("a\n\n" + long + "\nb"))
	for i, want := range []batchLine{{text: []byte("a\n")}, {text: []byte("\n")}, {long: true}, {text: []byte("b")}, {err: io.EOF}} {
		if got := readLine(r); string(got.text) != string(want.text) || got.long != want.long || got.err != want.err {
			t.Errorf("line %d is %.20q, %v, %v; want %q, %v, %v", i, got.text, got.long, got.err, want.text, want.long, want.err)
		}
	}
}
