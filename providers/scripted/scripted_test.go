package scripted

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"tricode/providers"
)

const twoTurns = `
[[turn]]
text = "I will make it."
input = 12
output = 3

[[turn.call]]
tool = "create_file"
args = { path = "a", content = "x\n" }

[[turn.call]]
tool = "mkdir"
raw = "not json"
id = "own"

[turn.expect]
contains = ["make a file", "You are"]
tools = ["mkdir", "create_file"]

[[turn]]
text = "Done and done."
pace = "1ms"
expect = { contains = ["created a"], excludes = ["error"] }
`

var (
	offered = []providers.Tool{{Name: "create_file", Schema: []byte(`{"type":"object"}`)}, {Name: "mkdir"}}
	start   = []providers.Message{{Role: providers.System, Text: "You are a test."}, {Role: providers.User, Text: "make a file"}}
)

// model is what Model and a client of it as a server have in common.
type model interface {
	Complete(context.Context, providers.Request, func(string) error) (providers.Message, error)
}

// both runs a test with a script and with a client that talks to it as a server.
func both(t *testing.T, script string, test func(t *testing.T, m model)) {
	parse := func() *Model {
		m, err := Parse("s.toml", []byte(script))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	t.Run("model", func(t *testing.T) { test(t, parse()) })
	t.Run("server", func(t *testing.T) {
		server := httptest.NewServer(parse())
		defer server.Close()
		c, err := providers.New(providers.Config{Name: "s", BaseURL: server.URL, Model: "m"})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if names, err := c.Models(t.Context()); len(names) != 1 || err != nil {
			t.Errorf("Models() = %v, %v", names, err)
		}
		test(t, c)
	})
}

func TestPlay(t *testing.T) {
	both(t, twoTurns, func(t *testing.T, m model) {
		var told []string
		onText := func(s string) error { told = append(told, s); return nil }
		first, err := m.Complete(t.Context(), providers.Request{Messages: start, Tools: offered}, onText)
		if err != nil {
			t.Fatal(err)
		}
		want := `{assistant I will make it. [{scripted_1_1 create_file {"content":"x\n","path":"a"} map[]} {own mkdir not json map[]}]  map[]   {12 3 0} tool_calls}`
		first.Provider, first.Model = "", "" // which clients know
		if got := fmt.Sprint(first); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		history := append(start, first,
			providers.Message{Role: providers.ToolRole, CallID: "scripted_1_1", Text: "created a"},
			providers.Message{Role: providers.ToolRole, CallID: "own", Text: "bad arguments"})
		second, err := m.Complete(t.Context(), providers.Request{Messages: history, Tools: offered}, onText)
		if err != nil || second.Text != "Done and done." || second.Finish != "stop" {
			t.Errorf("got %+v, %v", second, err)
		}
		if got := strings.Join(told, ""); got != "I will make it.Done and done." {
			t.Errorf("told %q", told)
		}
		_, err = m.Complete(t.Context(), providers.Request{Messages: history}, nil)
		if err == nil || !strings.Contains(err.Error(), "s.toml has 2 turns and no more; the model was told:") {
			t.Errorf("a third turn: %v", err)
		}
	})
}

func TestExpectations(t *testing.T) {
	said := providers.Message{Role: providers.Assistant, Calls: []providers.Call{{ID: "c", Name: "f"}}}
	answer := providers.Message{Role: providers.ToolRole, CallID: "c", Text: "deleted"}
	for _, test := range []struct {
		name, script string
		messages     []providers.Message
		err          string
	}{
		{"missing", "\n[[turn]]\n[turn.expect]\ncontains=['created']", start, `turn 1 (s.toml:2): expected the model to be told "created"; it was told: system: You are a test. user: make a file`},
		{"unwanted", "[[turn]]\n[turn.expect]\nexcludes=['make']", start, `turn 1 (s.toml:1): expected the model not to be told "make"`},
		{"told before", "[[turn]]\ntext='x'\n[turn.expect]\nexcludes=['make']\ncontains=['deleted']", append(start, said, answer), ""},
		{"tools", "[[turn]]\n[turn.expect]\ntools=['mkdir']", start, `expected the tools [mkdir]; offered were [create_file mkdir]`},
		{"not answered", "[[turn]]", append(start, said), "call c was not answered"},
		{"answered twice", "[[turn]]", append(start, said, answer, answer), `an answer for "c", which was not called`},
		{"error", "[[turn]]\nerror='no'\nstatus=403", start, "403: no"},
	} {
		t.Run(test.name, func(t *testing.T) {
			both(t, test.script, func(t *testing.T, m model) {
				_, err := m.Complete(t.Context(), providers.Request{Messages: test.messages, Tools: offered}, nil)
				got := strings.Join(strings.Fields(fmt.Sprint(err)), " ")
				if (err != nil) != (test.err != "") || err != nil && !strings.Contains(got, test.err) {
					t.Errorf("got %s, want %q", got, test.err)
				}
			})
		})
	}
}

func TestRetryOfAServer(t *testing.T) {
	both(t, "[[turn]]\nerror='busy'\nstatus=429\nretry_after='0s'\n[[turn]]\ntext='hi'", func(t *testing.T, m model) {
		got, err := m.Complete(t.Context(), providers.Request{Messages: start}, nil)
		if _, ok := m.(*Model); ok { // only clients try again
			var e *providers.Error
			if !errors.As(err, &e) || e.Status != 429 {
				t.Errorf("got %v", err)
			}
		} else if got.Text != "hi" || err != nil {
			t.Errorf("got %+v, %v", got, err)
		}
	})
}

func TestCut(t *testing.T) {
	both(t, "[[turn]]\ntext='x'\ncut=true\n[[turn]]\ntext='hi'", func(t *testing.T, m model) {
		got, err := m.Complete(t.Context(), providers.Request{Messages: start}, nil)
		if _, ok := m.(*Model); ok {
			if err == nil || !strings.Contains(err.Error(), "cut off") {
				t.Errorf("got %v, want an answer that is cut off", err)
			}
		} else if got.Text != "hi" || err != nil {
			t.Errorf("got %+v, %v", got, err)
		}
	})
}

func TestRepeatAndUnused(t *testing.T) {
	m, err := Parse("s.toml", []byte("repeat = true\n[[turn]]\ntext='a'\n[[turn]]\ntext='b'"))
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for range 5 {
		if all == "a" && m.Unused().Error() != "turn 2 (s.toml:4) was not played" {
			t.Error(m.Unused())
		}
		got, err := m.Complete(t.Context(), providers.Request{Messages: start}, nil)
		if err != nil {
			t.Fatal(err)
		}
		all += got.Text
	}
	if all != "ababa" || m.Unused() != nil {
		t.Errorf("played %s, %v", all, m.Unused())
	}
}

func TestCancel(t *testing.T) {
	m, err := Parse("s.toml", []byte("[[turn]]\ntext='a b c'\npace='1h'"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	_, err = m.Complete(ctx, providers.Request{}, func(string) error { cancel(stop); return nil })
	if err != stop {
		t.Errorf("got %v", err)
	}
}

func TestParseErrors(t *testing.T) {
	for _, test := range []struct{ script, want string }{
		{"[[turn]]\ntxt = 'a'", "s.toml:2:1: unknown key [turn txt]"},
		{"[[turn]\n", "s.toml:1:7: "},
		{"[[turn]]\ndelay = 'soon'", "s.toml"},
		{"[[turn]]\n[[turn.call]]\nraw=''\nargs={}", "turn 1 (s.toml:1): call 1 has both args and raw"},
		{"[[turn]]\n[[turn.call]]\nargs={a=inf}", "turn 1 (s.toml:1): call 1: "},
	} {
		if _, err := Parse("s.toml", []byte(test.script)); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: got %v, want %s", test.script, err, test.want)
		}
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.toml")); err == nil {
		t.Error("loaded a file that is not there")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(twoTurns))
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := Parse("s.toml", data); err == nil {
			m.Unused()
		}
	})
}
