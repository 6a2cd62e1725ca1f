package agent

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tricode/approval"
	"tricode/providers"
	"tricode/tools"
)

// small is a model that takes a number of tokens, says so when it is told more, and calls a tool a number of times.
type small struct {
	window, turns int
	price         int // how many bytes of text are a token
	silent        bool
	reports       bool // counts what it was told
	wordy         int  // how many words more its summaries have

	asked, refused, sums int
	bodies               [][]providers.Message
}

func (m *small) Complete(_ context.Context, req providers.Request, onText func(string) error) (providers.Message, error) {
	m.bodies = append(m.bodies, slices.Clone(req.Messages))
	size := 0
	for _, msg := range req.Messages {
		size += len(msg.Text)
		for _, c := range msg.Calls {
			size += len(c.Arguments)
		}
	}
	says := providers.Message{Role: providers.Assistant}
	if m.reports {
		says.Usage = providers.Usage{Input: size / m.price, Output: 10}
	}
	last := req.Messages[len(req.Messages)-1]
	switch {
	case size/m.price > m.window:
		m.refused++
		err := &providers.Error{Status: 400, Code: "context_length_exceeded", Message: "too long"}
		if !m.silent {
			err.Message = fmt.Sprintf("maximum context length is %d tokens, got %d", m.window, size/m.price)
		}
		return says, err
	case strings.HasSuffix(last.Text, sumUpTask):
		m.sums++
		says.Text = fmt.Sprintf("summary %d", m.sums) + strings.Repeat(" word", m.wordy)
	case m.asked < m.turns:
		m.asked++
		says.Calls = []providers.Call{{ID: fmt.Sprintf("c%d", m.asked), Name: "t", Arguments: fmt.Sprintf(`{"n":%d}`, m.asked)}}
	default:
		says.Text = "done"
	}
	return says, onText(says.Text)
}

// A conversation that grows and grows is never refused for its length if the window is known, and goes on where it was
// not known; calls and answers stay together, and what must not be forgotten is not.
func TestLongConversations(t *testing.T) {
	for _, tt := range []struct {
		name    string
		model   small
		window  int // that the agent is told
		refused int // how often, at most
	}{
		{"known", small{window: 8000, price: 4, reports: true}, 8000, 0},
		{"known, nothing counted", small{window: 8000, price: 4}, 8000, 0},
		{"known, heavy tokens", small{window: 8000, price: 3, reports: true}, 8000, 0},
		{"unknown", small{window: 8000, price: 4, reports: true}, 0, 2},
		{"unknown, unsaid", small{window: 8000, price: 4, reports: true, silent: true}, 0, 4},
		{"unknown, nothing counted", small{window: 8000, price: 4, silent: true}, 0, 4},
		{"tiny", small{window: 2000, price: 4, reports: true}, 2000, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := tt.model
			m.turns = 60
			var notes []Compacted
			denied := 0
			a := &Agent{
				Model: &m, Gate: bypass(), Window: tt.window, Keep: func() Keeper { return new(kept) },
				Tools: []tools.Tool{tool("t", approval.Read, func(context.Context, io.Writer) (approval.Result, error) {
					if denied++; denied == 2 {
						return approval.Result{Text: "denied: a person said no: keep it"}, nil
					}
					return approval.Result{Text: strings.Repeat("All work and no play. ", 20*(denied%20))}, nil
				})},
				Emit: func(e Event) error {
					if c, ok := e.(Compacted); ok {
						notes = append(notes, c)
					}
					return nil
				},
			}
			answer, err := a.Run(t.Context(), []providers.Message{{Role: providers.System, Text: "rules"}, {Role: providers.User, Text: "the task"}})
			if err != nil || answer.Text != "done" {
				t.Fatalf("Run = %q, %v after %d calls", answer.Text, err, m.asked)
			}
			if m.refused > tt.refused {
				t.Errorf("refused %d times, want %d at most", m.refused, tt.refused)
			}
			if len(notes) == 0 {
				t.Fatal("nothing was summed up")
			}
			for _, n := range notes {
				if text := n.Message.Text; !strings.HasPrefix(text, "the task"+noteHead+"summary ") || !strings.Contains(text, "keep it") || n.After >= n.Before {
					t.Errorf("%d tokens became %d: %q", n.Before, n.After, text)
				}
			}
			for _, body := range m.bodies {
				wellFormed(t, body)
			}
		})
	}
}

// wellFormed wants person and model to take turns, and every call to be answered right behind its message.
func wellFormed(t *testing.T, messages []providers.Message) {
	t.Helper()
	open := map[string]bool{}
	for i, m := range messages {
		if m.Role != providers.ToolRole && len(open) > 0 {
			t.Fatalf("message %d: calls without an answer: %v", i, open)
		}
		if i > 0 && m.Role == messages[i-1].Role && m.Role != providers.ToolRole {
			t.Fatalf("message %d: two of %s in a row", i, m.Role)
		}
		if m.Role == providers.ToolRole {
			if !open[m.CallID] {
				t.Fatalf("message %d answers %s, which was not called", i, m.CallID)
			}
			delete(open, m.CallID)
		}
		for _, c := range m.Calls {
			open[c.ID] = true
		}
	}
}

// What was sent is a prefix of what is sent next, unless the conversation was visibly made shorter in between.
func TestWhatWasSentStays(t *testing.T) {
	m := &small{window: 8000, price: 4, reports: true, turns: 60}
	visible := map[int]bool{} // by the number of the request that follows
	a := &Agent{
		Model: m, Gate: bypass(), Window: 8000, Tools: []tools.Tool{tool("t", approval.Read, says(strings.Repeat("x ", 700)))},
		Emit: func(e Event) error {
			switch e.(type) {
			case Compacted, Notice:
				visible[len(m.bodies)] = true
			}
			return nil
		},
	}
	if _, err := a.Run(t.Context(), []providers.Message{{Role: providers.User, Text: "the task"}}); err != nil {
		t.Fatal(err)
	}
	changes := 0
	for i := 1; i < len(m.bodies); i++ {
		before, now := m.bodies[i-1], m.bodies[i]
		same := len(now) > len(before) && slices.EqualFunc(before, now[:len(before)], func(a, b providers.Message) bool {
			return a.Role == b.Role && a.Text == b.Text && a.CallID == b.CallID && len(a.Calls) == len(b.Calls)
		})
		if !same && !visible[i] {
			t.Errorf("request %d does not go on from the one before, and nothing said so", i)
		}
		if !same {
			changes++
		}
	}
	if changes == 0 || changes > 12 {
		t.Errorf("the beginning changed %d times in %d requests", changes, len(m.bodies))
	}
}

// One result that is larger than all the model takes is shortened before it is sent, and kept.
func TestHugeResult(t *testing.T) {
	m := &small{window: 4000, price: 4, reports: true, turns: 1}
	var all kept
	huge := "begin " + strings.Repeat("é", 100_000) + " end"
	a := &Agent{
		Model: m, Gate: bypass(), Window: 4000, Tools: []tools.Tool{tool("t", approval.Read, says(huge))},
		Keep: func() Keeper { return &all },
	}
	if _, err := a.Run(t.Context(), []providers.Message{{Role: providers.User, Text: "task"}}); err != nil {
		t.Fatal(err)
	}
	told := m.bodies[1][2].Text
	if m.refused > 0 || all.String() != huge || !strings.HasPrefix(told, "begin é") || !strings.HasSuffix(told, "é end") ||
		!strings.Contains(told, "left out to make room; all of it is in /out/1") || strings.Contains(told, "\ufffd") {
		t.Errorf("refused %d times, kept %d bytes, told %.100q", m.refused, all.Len(), told)
	}
}

// Whatever tools bring and however little the model takes, requests are well-formed and the run comes to its end.
func TestAnyConversation(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := &small{
			window: rapid.IntRange(300, 20_000).Draw(rt, "window"), price: rapid.IntRange(2, 5).Draw(rt, "price"), turns: rapid.IntRange(0, 25).Draw(rt, "turns"),
			reports: rapid.Bool().Draw(rt, "reports"), silent: rapid.Bool().Draw(rt, "silent"),
		}
		sizes := rapid.SliceOfN(rapid.IntRange(0, 30_000), 1, 8).Draw(rt, "sizes")
		filler := rapid.SampledFrom([]string{"x", "é", "\x80", "漢", "\n"}).Draw(rt, "filler")
		done := 0
		a := &Agent{
			Model: m, Gate: bypass(), Window: rapid.SampledFrom([]int{0, m.window}).Draw(rt, "told"),
			Tools: []tools.Tool{tool("t", approval.Read, func(context.Context, io.Writer) (approval.Result, error) {
				done++
				return approval.Result{Text: strings.Repeat(filler, sizes[done%len(sizes)])}, nil
			})},
		}
		_, err := a.Run(t.Context(), []providers.Message{{Role: providers.System, Text: "rules"}, {Role: providers.User, Text: "task"}})
		if err != nil && !is[*ModelError](err) {
			rt.Fatal(err)
		}
		if done > m.turns || len(m.bodies) > 8*(m.turns+1) {
			rt.Fatalf("%d calls for %d turns, %d requests", done, m.turns, len(m.bodies))
		}
		for _, body := range m.bodies {
			wellFormed(t, body)
		}
	})
}

// A conversation of which nothing can be left out ends with what the server said.
func TestTaskTooLong(t *testing.T) {
	m := &small{window: 1000, price: 4}
	a := &Agent{Model: m, Gate: bypass()}
	_, err := a.Run(t.Context(), []providers.Message{{Role: providers.User, Text: strings.Repeat("x", 50_000)}})
	if !is[*ModelError](err) || len(m.bodies) != 1 {
		t.Errorf("Run = %v after %d requests, want the server's error after one", err, len(m.bodies))
	}
}

// A task that is longer than most models take is not summed up, as nothing would be won, and a model that takes it is
// known to take more from then on.
func TestLongTask(t *testing.T) {
	for _, reports := range []bool{true, false} {
		m := &small{window: 1_000_000, price: 4, turns: 30, reports: reports}
		a := &Agent{Model: m, Gate: bypass(), Tools: []tools.Tool{tool("t", approval.Read, says(strings.Repeat("x ", 2000)))}}
		if _, err := a.Run(t.Context(), []providers.Message{{Role: providers.User, Text: strings.Repeat("task ", 80_000)}}); err != nil {
			t.Fatal(err)
		}
		if reports && m.sums > 0 || m.sums > 8 {
			t.Errorf("usage reported: %v: summed up %d times in %d turns", reports, m.sums, m.asked)
		}
	}
}

// Where the model writes no summary, the calls and how they ended are listed instead.
func TestOutline(t *testing.T) {
	got := outline([]providers.Message{
		{Role: providers.Assistant, Calls: []providers.Call{{ID: "1", Name: "read_file", Arguments: `{"path":"a"}`}}},
		{Role: providers.ToolRole, CallID: "1", Text: "one\ntwo " + strings.Repeat("x", 500)},
	}, 1000)
	if !strings.HasPrefix(got, "- read_file {\"path\":\"a\"}\n  one two xxx") || len(got) > 400 {
		t.Errorf("outline = %q", got)
	}
}

// What stands for older turns is short, also where the model writes much, much was denied, and the person said much.
func TestNotesAreShort(t *testing.T) {
	deny := &approval.Gate{Policy: approval.Policy{Mode: approval.ModeReadOnly}}
	m := &small{window: 4000, price: 4, reports: true, turns: 40, wordy: 20_000}
	denied := tool("t", approval.Write, says("x"))
	longest, wishes := 0, ""
	a := &Agent{
		Model: m, Gate: deny, Window: 4000, Tools: []tools.Tool{denied}, Keep: func() Keeper { return new(kept) },
		Emit: func(e Event) error {
			if c, ok := e.(Compacted); ok {
				longest = max(longest, weighText(c.Message.Text))
				wishes, _, _ = strings.Cut(c.Message.Text, noteHead)
			}
			return nil
		},
	}
	if _, err := a.Run(t.Context(), []providers.Message{{Role: providers.User, Text: "the first task"}}); err != nil {
		t.Fatal(err)
	}
	for n := range 20 {
		m.turns += 10
		if _, err := a.Next(t.Context(), fmt.Sprintf("task %d %s", n, strings.Repeat("and so on ", 100))); err != nil {
			t.Fatalf("task %d: %v", n, err)
		}
	}
	if longest == 0 || longest > 2500 || m.refused > 0 {
		t.Errorf("the longest note has %d tokens, refused %d times", longest, m.refused)
	}
	if !strings.HasPrefix(wishes, "the first task"+wishGap+"task ") || strings.Count(wishes, "task ") != 1 {
		t.Errorf("wishes are %q", wishes)
	}
	for _, body := range m.bodies {
		wellFormed(t, body)
	}
}
