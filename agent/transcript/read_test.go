package transcript

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"tricode/agent"
	"tricode/approval"
	"tricode/providers"
)

func TestReadGivesWhatWasWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "transcript.jsonl")
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	denied := approval.Decision{Verdict: approval.Deny, Layer: approval.LayerDeny, Reason: "no", Trace: []approval.Step{{Layer: approval.LayerDeny, Verdict: "deny"}}}
	again := providers.Message{Role: providers.Assistant, Calls: []providers.Call{{ID: "c", Name: "b", Arguments: "not JSON"}}}
	for _, e := range []agent.Event{
		agent.Started{Session: "s", Time: "then", WorkDir: "/w", Mode: "ask"},
		agent.Said{Message: providers.Message{Role: providers.Assistant, Calls: []providers.Call{{ID: "c", Name: "a", Arguments: "{}"}}}},
		agent.Decided{Call: "c", Tool: "a", Summary: "do a", Time: "now", Decision: denied},
		agent.Decided{Call: "c", Tool: "a", Summary: "start rm", Time: "later", Part: true, Decision: denied},
		agent.Said{Message: again}, // the same id, as some servers give
		agent.Done{Call: "c", Tool: "b", Failed: true, Result: "error"},
		agent.Decided{Call: "nobody's", Tool: "d", Decision: denied},
		agent.Ended{Status: 3},
	} {
		if err := w.Emit(e); err != nil {
			t.Fatal(err)
		}
	}
	w.file.WriteString(`{"type":"said","mess`) // what a run that goes on has not finished
	w.Close()
	got, err := Read(path)
	want := Run{Session: "s", Time: "then", WorkDir: "/w", Mode: "ask", Calls: []Call{
		{Call: providers.Call{ID: "c", Name: "a", Arguments: "{}"}, Summary: "do a", Time: "now", Decision: Decision{Verdict: "deny", Layer: "deny rules", Reason: "no"}},
		{Call: providers.Call{ID: "c", Name: "b", Arguments: "not JSON"}},
	}, Denials: []agent.Denial{
		{Tool: "a", Reason: "no", Summary: "do a", Time: "now"}, {Tool: "a", Reason: "no", Summary: "start rm", Time: "later"}, {Tool: "d", Reason: "no"},
	}, History: []providers.Message{{Role: providers.Assistant, Calls: []providers.Call{{ID: "c", Name: "a", Arguments: "{}"}}}, again}}
	if len(got.Calls) > 0 && len(got.Calls[0].Decision.Trace) == 1 && got.Calls[0].Decision.Trace[0].Verdict == "deny" {
		got.Calls[0].Decision.Trace = nil
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Read = %+v, %v\nwant %+v", got, err, want)
	}
}

// The history is what the model was sent at the end, with the summary in the place of what it stands for.
func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "transcript.jsonl")
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	say := func(role providers.Role, text string) agent.Said {
		return agent.Said{Message: providers.Message{Role: role, Text: text}}
	}
	for _, e := range []agent.Event{
		say(providers.System, "rules"), say(providers.User, "task"), say(providers.Assistant, "a"), say(providers.User, "b"), say(providers.Assistant, "c"),
		agent.Compacted{Dropped: 3, Message: providers.Message{Role: providers.User, Text: "task, and a summary"}}, say(providers.User, "d"),
	} {
		if err := w.Emit(e); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Read(path)
	var texts []string
	for _, m := range got.History {
		texts = append(texts, m.Text)
	}
	if want := "rules|task, and a summary|c|d"; strings.Join(texts, "|") != want || err != nil {
		t.Errorf("history %q, %v; want %s", texts, err, want)
	}
}

func TestReadOfOtherThings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	for _, tt := range []struct {
		text string
		ok   bool
	}{
		{"", true}, {"not JSON", true}, {"\n", false}, {"not JSON\n", false}, {`{"type":"later","session":1}` + "\n", true},
		{strings.Repeat("x", maxLine+1) + "\n", true},
	} {
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); (err == nil) != tt.ok {
			t.Errorf("Read(%.20q) = %v", tt.text, err)
		}
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	if _, err := Find(filepath.Join(dir, "none"), ""); err == nil {
		t.Error("Find found a session where there is none")
	}
	for i, name := range []string{"bx", "za", "zb", "ab", "a", "c"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name, "transcript.jsonl")
		if name == "c" { // a run that has not begun
			continue
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Unix(int64(i+1), 0)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"": "a", "b": "bx", "bx": "bx", "a": "a", "ab": "ab"} {
		if got, err := Find(dir, name); err != nil || got != filepath.Join(dir, want, "transcript.jsonl") {
			t.Errorf("Find(%q) = %q, %v; want that of %s", name, got, err, want)
		}
	}
	for _, name := range []string{"..", "a/../a", "/a", "c", "d", "z", `a\b`} {
		if got, err := Find(dir, name); err == nil {
			t.Errorf("Find(%q) = %q", name, got)
		}
	}
}

// The longest message comes back.
func TestReadOfLongMessages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.jsonl")
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	said := providers.Message{Role: providers.Assistant, Calls: []providers.Call{{ID: "c", Arguments: strings.Repeat("\x01", 6<<20)}}}
	if err := w.Emit(agent.Said{Message: said}); err != nil {
		t.Fatal(err)
	}
	run, err := Read(path)
	if err != nil || len(run.History) != 1 || run.History[0].Calls[0].Arguments != said.Calls[0].Arguments {
		t.Errorf("Read = %d messages, %v", len(run.History), err)
	}
}
