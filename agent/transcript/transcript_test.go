package transcript

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tricode/agent"
	"tricode/providers"
)

func TestOnlyWhatIsNeededToGoOnIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "transcript.jsonl")
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []agent.Event{
		agent.Started{Session: "s"}, agent.Text{Text: "half"}, agent.Output{Text: []byte("much")},
		agent.Said{Message: providers.Message{Role: providers.Assistant, Text: "line one\nline two"}}, agent.Ended{Status: 3},
	} {
		if err := w.Emit(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for line := range strings.Lines(string(data)) {
		var e struct{ Type string }
		if err := json.Unmarshal([]byte(line), &e); err != nil || !strings.HasSuffix(line, "\n") {
			t.Errorf("line %q: %v", line, err)
		}
		kinds = append(kinds, e.Type)
	}
	if got := strings.Join(kinds, " "); got != "started said ended" {
		t.Errorf("the transcript has %s", got)
	}
}

func TestTranscriptIsThePersonsAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "transcript.jsonl")
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}
	if _, err := Create(path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second transcript at the same place: %v, want that it exists", err)
	}
}

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	w, err := Create(filepath.Join(t.TempDir(), "transcript.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	if err := w.Emit(agent.Turn{N: 1}); err == nil || !strings.HasPrefix(err.Error(), "transcript: ") {
		t.Errorf("Emit on a closed transcript = %v, want an error that names it", err)
	}
}
