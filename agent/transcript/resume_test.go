package transcript

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tricode/agent"
	"tricode/providers"
)

// Whatever a transcript has in it, each call of the conversation has one answer, behind it and in its order.
func TestEachCallHasAnAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SampledFrom([]string{"a", "b", "c", ""})
		message := rapid.Custom(func(t *rapid.T) providers.Message {
			m := providers.Message{Role: rapid.SampledFrom([]providers.Role{providers.System, providers.User, providers.Assistant, providers.ToolRole}).Draw(t, "role")}
			switch m.Role {
			case providers.Assistant:
				m.Usage.Input = 1
				for _, id := range rapid.SliceOfN(ids, 0, 3).Draw(t, "calls") {
					m.Calls = append(m.Calls, providers.Call{ID: id})
				}
			case providers.ToolRole:
				m.CallID = ids.Draw(t, "id")
			}
			return m
		})
		run := Run{History: rapid.SliceOf(message).Draw(t, "history")}
		var open []providers.Call
		for _, m := range run.Conversation() {
			switch {
			case m.Usage.Input != 0:
				t.Fatalf("%+v counts again", m)
			case m.Role == providers.ToolRole && (len(open) == 0 || open[0].ID != m.CallID):
				t.Fatalf("%+v answers nothing", m)
			case m.Role == providers.ToolRole:
				open = open[1:]
			case len(open) > 0 || m.Role == providers.System:
				t.Fatalf("%+v where answers to %v should be", m, open)
			default:
				open = m.Calls
			}
		}
		if len(open) > 0 {
			t.Fatalf("%v have no answer", open)
		}
	})
}

func TestAnswersStayWhatTheyWere(t *testing.T) {
	run := Run{History: []providers.Message{
		{Role: providers.System, Text: "rules"}, {Role: providers.User, Text: "task"},
		{Role: providers.Assistant, Calls: []providers.Call{{ID: "x"}, {ID: "x"}, {ID: "y"}}},
		{Role: providers.ToolRole, CallID: "x", Text: "first"}, {Role: providers.ToolRole, CallID: "x", Text: "second"},
	}}
	var texts []string
	for _, m := range run.Conversation() {
		texts = append(texts, m.Text)
	}
	if got, want := strings.Join(texts, "|"), "task||first|second|"+unanswered; got != want {
		t.Errorf("Conversation has %q; want %q", got, want)
	}
}

func TestList(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"a", "b", "c", "d"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name, file)
		text, err := agent.Encode(agent.Started{Session: name, WorkDir: map[bool]string{true: "/w", false: "/x"}[name != "c"], Task: "task " + name})
		if err != nil {
			t.Fatal(err)
		}
		if name == "d" {
			text = []byte("{}\n")
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Unix(int64(i+1), 0)); err != nil {
			t.Fatal(err)
		}
	}
	list := List(dir, "/w", 9)
	if len(list) != 2 || list[0].Name != "b" || list[0].Task != "task b" || list[1].Name != "a" {
		t.Errorf("List = %+v", list)
	}
	if list := List(dir, "/w", 1); len(list) != 1 {
		t.Errorf("List of one = %+v", list)
	}
	if list := List(filepath.Join(dir, "none"), "/w", 1); list != nil {
		t.Errorf("List of nothing = %+v", list)
	}
}
